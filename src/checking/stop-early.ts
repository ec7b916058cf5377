/** Whether a run still teaches anything. It only counts what it sees, so the same history stops at the same event. */
import type { CallEvent, HistoryEvent } from '../history/events.js';
import { isJobStatus } from '../spec/states.js';
import { formatDuration, pluralize } from '../report/formatting.js';

/** Scripts in a row whose submissions made no job: then no later script will have one. */
const REFUSED_SCRIPTS = 12;
/** The same where submissions made jobs before, so that a short outage ends no run. */
const REFUSED_LATER_SCRIPTS = 24;
/**
 * In real time a rate limit lets calls in again, and calls become fewer: then 429 alone ends a run only after so long, ms of
 * real time; where submissions made no job at all, sooner.
 */
const LIMITED_MS = 120_000;
const LIMITED_FIRST_MS = 10_000;
const LIMITED = '429';
/** Answers, and the scripts that they come from, none of which has a state of the document. */
const STATELESS_ANSWERS = 20;
const STATELESS_SCRIPTS = 5;
/** The same where all have one value, which may be a wrong name of a single state. */
const SAME_VALUE_SCRIPTS = 12;

/** These say that the body was read, and what is wrong with it: other submissions may be accepted. */
const READS_SUBMISSIONS: readonly number[] = [400, 409, 411, 413, 414, 415, 422];
const VALUES_NAMED_MAX = 3;
const VALUE_CHARACTERS_MAX = 40;

export class EarlyStop {
  readonly #endpoints = new Map<number, string>();
  /** Scripts whose submissions made no job since the last one did, and what was answered, by its name for people. */
  readonly #refused = new Set<number>();
  readonly #refusals = new Map<string, number>();
  /** When the first and the last of them were sent. */
  #refusedFromMs = 0;
  #refusedToMs = 0;
  /** Null where the clock is moved. */
  #speed: number | null = null;
  #everAccepted = false;
  #everKnown = false;
  readonly #values = new Map<string, number>();
  readonly #statelessScripts = new Set<number>();
  readonly #looking = new Set<number>();
  readonly #lookedAndEnded = new Set<number>();

  see(event: HistoryEvent): void {
    if (event.kind === 'run' && event.clock === 'real') this.#speed = event.speed ?? 1;
    if (event.kind === 'script') this.#endpoints.set(event.script, event.endpoint);
    if (event.kind === 'script-end' && this.#looking.has(event.script))
      this.#lookedAndEnded.add(event.script);
    if (event.kind === 'call' && this.#isOrdinary(event)) this.#seeCall(event);
  }

  /** Why the run can stop; null while it has to go on. */
  get reason(): string | null {
    return this.#everySubmissionRefused() ?? this.#noStateKnown();
  }

  /** Valid as far as the script knows, with the right key, to the endpoint that the script was given. */
  #isOrdinary({ request: { auth, illegal }, endpoint, script }: CallEvent): boolean {
    const hasKey = auth === 'bare' || auth === 'bearer';
    return hasKey && illegal === null && endpoint === this.#endpoints.get(script);
  }

  #seeCall(call: CallEvent): void {
    if (call.op === 'run' || call.op === 'runsync') this.#seeSubmission(call);
    const { reply } = call;
    const hasRecord = ['run', 'runsync', 'status', 'cancel', 'retry'].includes(call.op ?? '');
    if (hasRecord && reply !== null && isSuccess(reply.status)) this.#seeRecord(call);
  }

  #seeSubmission({ reply, lost, script, sentMs }: CallEvent): void {
    // Where nothing listens any more, the run ends by itself.
    if (lost === 'aborted' || lost === 'refused') return;
    const { id } = membersOf(reply);
    const isAccepted = reply !== null && isSuccess(reply.status) && typeof id === 'string';
    if (isAccepted || (reply !== null && READS_SUBMISSIONS.includes(reply.status))) {
      this.#everAccepted ||= isAccepted;
      this.#refused.clear();
      this.#refusals.clear();
      return;
    }
    if (this.#refused.size === 0) this.#refusedFromMs = sentMs;
    this.#refusedToMs = Math.max(sentMs, this.#refusedToMs);
    this.#refused.add(script);
    const noId = reply !== null && isSuccess(reply.status) ? ' without an id' : '';
    const answer = reply === null ? 'no answer' : `${reply.status}${noId}`;
    this.#refusals.set(answer, (this.#refusals.get(answer) ?? 0) + 1);
  }

  #seeRecord(call: CallEvent): void {
    const { status } = membersOf(call.reply);
    if (isJobStatus(status)) this.#everKnown = true;
    const value = status === undefined ? 'no status at all' : JSON.stringify(status);
    this.#values.set(value, (this.#values.get(value) ?? 0) + 1);
    this.#statelessScripts.add(call.script);
    if (call.op === 'status' || call.op === 'runsync') this.#looking.add(call.script);
  }

  #everySubmissionRefused(): string | null {
    const enough = this.#everAccepted ? REFUSED_LATER_SCRIPTS : REFUSED_SCRIPTS;
    const isLimitedLater = this.#isLimited && this.#everAccepted;
    const isLong =
      this.#refusedToMs - this.#refusedFromMs >=
      (this.#everAccepted ? LIMITED_MS : LIMITED_FIRST_MS) * (this.#speed ?? 1);
    if (this.#isLimited && !isLong) return null;
    if (!isLimitedLater && this.#refused.size < enough) return null;
    const answers = [...this.#refusals].sort(([, left], [, right]) => right - left);
    const told = answers.map(([answer, times]) => `${answer} (${times}×)`).join(', ');
    const since = isLimitedLater
      ? `for ${formatDuration(LIMITED_MS)}`
      : `in ${this.#everAccepted ? 'the last ' : ''}${enough} scripts`;
    return `no submission created a job ${since}; the answers were ${told}. ${adviceOn(answers.map(([answer]) => answer))}`;
  }

  /** All submissions are answered with 429, in real time. */
  get #isLimited(): boolean {
    return this.#speed !== null && this.#refusals.size === 1 && this.#refusals.has(LIMITED);
  }

  #noStateKnown(): string | null {
    if (this.#everKnown) return null;
    const answers = [...this.#values.values()].reduce((sum, times) => sum + times, 0);
    const isVaried = this.#values.size > 1 && this.#looking.size > 0;
    const enough = isVaried
      ? answers >= STATELESS_ANSWERS && this.#statelessScripts.size >= STATELESS_SCRIPTS
      : this.#lookedAndEnded.size >= SAME_VALUE_SCRIPTS;
    if (!enough) return null;
    const named = [...this.#values.keys()].slice(0, VALUES_NAMED_MAX);
    const told = named.map((value) => value.slice(0, VALUE_CHARACTERS_MAX)).join(', ');
    return (
      `all ${pluralize(answers, 'answer')} lack a status of section 3, they have ${told}: ` +
      'no script can see what becomes of its jobs'
    );
  }
}

/** Why the run that made this history stopped early, if it did; otherwise null. */
export function whyStoppedEarly(events: Iterable<HistoryEvent>): string | null {
  const early = new EarlyStop();
  for (const event of events) early.see(event);
  return early.reason;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function membersOf(reply: CallEvent['reply']): { readonly [name: string]: unknown } {
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  return value !== null && typeof value === 'object' ? (value as { [name: string]: unknown }) : {};
}

function adviceOn(answers: readonly string[]): string {
  const every = (pattern: RegExp): boolean => answers.every((answer) => pattern.test(answer));
  if (every(/^40[13]/)) return 'Check that the key may submit jobs';
  if (every(/^429/))
    return 'Wait until its rate limit allows calls again, use a key with a higher one, or send fewer calls: --calls-per-second 10';
  if (every(/^5/)) return 'The log of the server says why';
  return 'Submit a job with curl to see why';
}
