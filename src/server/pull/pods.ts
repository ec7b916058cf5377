import type { StartEffect } from '../handlers/handler-runner.js';
import type { HeldCall } from './held-call.js';

/** A worker's open question for jobs. */
export interface Take {
  readonly held: HeldCall;
  readonly jobsMax: number;
  readonly inList: boolean;
}

/** What is known here of one worker: its open calls, and what it has to be told. */
export interface Pod {
  readonly endpoint: string;
  readonly id: string;
  /** From the oldest to the newest: the newest is the one most probably still read. */
  readonly takes: Take[];
  readonly stops: HeldCall[];
  /** Attempts in its hands. */
  readonly held: Set<number>;
  /** What it was given, and what still has to be handed to one of its calls. */
  outbox: StartEffect[];
  /** Jobs that it has to stop, and has not been told of. */
  readonly toStop: Set<string>;
  /** It has said that it stops after its present jobs. */
  leaving: boolean;
}

export interface Pods {
  of(endpoint: string, id: string): Pod;
  all(): Iterable<Pod>;
  /** Forgets it when there is nothing to remember. */
  tidy(pod: Pod): void;
}

/** A worker that never asks what to stop has so many jobs remembered for it, the newest ones. */
const TO_STOP_MAX = 1_000;

export function createPods(): Pods {
  const pods = new Map<string, Pod>();
  const nameOf = (endpoint: string, id: string) => JSON.stringify([endpoint, id]);
  return {
    of(endpoint, id) {
      const name = nameOf(endpoint, id);
      let pod = pods.get(name);
      if (pod === undefined) {
        pod = {
          endpoint,
          id,
          takes: [],
          stops: [],
          held: new Set(),
          outbox: [],
          toStop: new Set(),
          leaving: false,
        };
        pods.set(name, pod);
      }
      return pod;
    },
    all: () => pods.values(),
    tidy(pod) {
      for (const job of pod.toStop) {
        if (pod.toStop.size <= TO_STOP_MAX) break;
        pod.toStop.delete(job);
      }
      const { takes, stops, held, outbox, toStop } = pod;
      const things = takes.length + stops.length + held.size + outbox.length + toStop.size;
      if (things === 0 && !pod.leaving) pods.delete(nameOf(pod.endpoint, pod.id));
    },
  };
}
