/** What a weather is: data. What happens to calls, to jobs and to webhooks while a client runs in it. */
import type { Json } from '../../history/events.js';

/** What a chunk says, by which it is known again in what a client prints. */
export const chunkText = (part: number, of: number): string => `part ${part} of ${of}`;

/** The `limitFactor` where nothing comes. With the default limit, three and a half minutes: a client may give its job three. */
export const PATIENT = 7;

export interface Weather {
  /** `reply-of-run-lost`. */
  readonly id: string;
  /** One sentence: what happens. */
  readonly text: string;
  /** Why a client has to expect it. */
  readonly basis: { readonly kind: 'document'; readonly section: string } | { readonly kind: 'network' };
  /**
   * What the client ends with if it copes: `success` where the job completes and the client can learn it, `failure`
   * where it does not complete, `either` where both are sensible.
   */
  readonly leads: 'success' | 'failure' | 'either';
  /** What jobs do. Default: each waits for 5 s, runs for 20 s and completes. */
  readonly job?: JobPlan;
  /** What happens to calls, in the notation of `serve --fault`: the first that applies. Durations are real time. */
  readonly faults?: readonly string[];
  /** What others do to each job. */
  readonly others?: readonly OthersAct[];
  readonly webhooks?: WebhookFault;
  /** Fields that are added to each job record in a reply: the document does not show all of them. */
  readonly extraFields?: { readonly [name: string]: Json };
  /** The state in a record of a running job, instead of IN_PROGRESS. */
  readonly runningIs?: string;
  /** Readings of open questions that this weather is about. */
  readonly dialect?: { readonly [question: string]: string };
  /** Time runs at most so many times as fast as real time. Default: as fast as the user says. */
  readonly speedMax?: number;
  /** The same while a job of `/runsync` waits or runs. */
  readonly runsyncSpeedMax?: number;
  /** It never clears: a client that waits for it to end has to give up. */
  readonly forEver?: true;
  /** It lasts at most so many times `--limit`: clients wait longer for what does not come than for what fails. Default 1. */
  readonly limitFactor?: number;
  /** Nothing listens before this, real ms. Default 0. */
  readonly listensAfterMs?: number;
  /** The key that the client is given is not accepted. */
  readonly rejectsKey?: true;
}

/** Durations in ms of the endpoint's time. They are shortened where the client's own `policy` allows less. */
export interface JobPlan {
  /** Until a worker is there; null: never. Default 5,000. */
  readonly queueMs?: number | null;
  /** Default 20,000. `beyond-timeout`: longer than its `executionTimeout`. */
  readonly runMs?: number | 'beyond-timeout';
  /** Default `completes`. `first-fails`: the first job alone, after 20 s; those that start later take as long. */
  readonly ends?: 'completes' | 'fails' | 'crashes' | 'fails-once' | 'first-fails';
  /** What it produces, instead of what the user said; `missing`: no output at all. */
  readonly output?: { readonly value: Json } | 'missing' | 'huge';
  /** What it yields while it runs, at even distances. */
  readonly chunks?: number;
  /** Fails in the middle of its chunks. */
  readonly failsAfterChunk?: number;
}

export interface OthersAct {
  /** Of each job: once it is waiting, running or ended. */
  readonly when: 'waiting' | 'running' | 'ended';
  /** Real ms after that. */
  readonly afterMs: number;
  /** `expire`: its ttl or its retention is over, so it is gone; `overrun`: its `executionTimeout` is over. */
  readonly does: 'cancel' | 'purge' | 'retry' | 'expire' | 'overrun';
}

/** What happens to webhook calls on their way. */
export type WebhookFault =
  /** Delivered before `/run` is answered. */
  | 'before-reply'
  | 'three-times'
  /** Real seconds late. */
  | { readonly lateMs: number }
  | 'never';
