/**
 * Of the calls of webhooks that a recorder sees: which job each reports, and until when none of a job's is missing. Jobs may
 * share an address; a call belongs to the one whose id is in its body.
 */
import type { Body } from '../history/events.js';
import { answerOf, jsonOf, type Exchange } from '../history/exchange.js';
import { WEBHOOK_RETRY_PAUSE_MS } from '../spec/limits.js';
import { isObject } from '../util/json.js';
import { getOrMake } from '../util/maps.js';

/** One that has ended, with its body as a history keeps it. Times are ms since 1970. */
export type WebhookCall = Exchange<Body> & { readonly webhook: string; readonly byMs: number };

/** A job whose webhook is called where the recorder sees it. */
interface Watched {
  readonly address: string;
  readonly id: string;
  /** The last call on it that was answered was sent then, and so long the service had been idle by then. */
  sinceMs: number;
  idleMs: number;
  /** A call that concerns no known job may be one of its own. */
  mayMiss: boolean;
}

/** A service may deliver one webhook after the other; how late it repeats a call, with a margin. */
const BUSY_AFTER_FAILURE_MS = 2 * WEBHOOK_RETRY_PAUSE_MS;
/** Of calls whose job is not known yet. */
const UNKNOWN_BYTES_MAX = 4_000_000;
const CALL_BYTES = 1_000;

/** A job is named by the number of its script. */
export class WebhookCalls {
  readonly #watched = new Map<number, Watched>();
  /** By address and id: ids of several endpoints may be the same. */
  readonly #jobs = new Map<string, Map<string, Set<number>>>();
  /** Jobs whose webhooks are called elsewhere. */
  readonly #unseen = new Set<number>();
  /** How many are under way, by address. */
  readonly #underWay = new Map<string, number>();
  #unknown: WebhookCall[] = [];
  #unknownBytes = 0;
  /** Calls were given up that may concern jobs that were submitted by then. */
  #givenUpMs = -Infinity;
  /** So long no webhook was called while the service lived, up to the last sign of life. */
  #idleMs = 0;
  #livedMs: number;
  #busyUntilMs = -Infinity;

  constructor(originMs: number) {
    this.#livedMs = originMs;
  }

  begin(address: string, atMs: number): void {
    this.lives(atMs);
    this.#underWay.set(address, (this.#underWay.get(address) ?? 0) + 1);
  }

  end(call: WebhookCall): void {
    const { webhook: address, byMs } = call;
    const left = this.#underWay.get(address)! - 1;
    if (left === 0) this.#underWay.delete(address);
    else this.#underWay.set(address, left);
    this.#livedMs = Math.max(this.#livedMs, byMs);
    this.#busyUntilMs = Math.max(
      this.#busyUntilMs,
      answerOf(call)?.status === 200 ? byMs : byMs + BUSY_AFTER_FAILURE_MS,
    );
    this.#unknown.push(call);
    this.#unknownBytes += bytesOf(call);
  }

  /** The job was submitted with a webhook that is called here. */
  watch(job: number, id: string, address: string, sentMs: number): void {
    const mayMiss = sentMs <= this.#givenUpMs;
    this.#watched.set(job, { address, id, sinceMs: sentMs, idleMs: this.#idleMs, mayMiss });
    const there = getOrMake(this.#jobs, address, () => new Map<string, Set<number>>());
    getOrMake(there, id, () => new Set()).add(job);
  }

  /** The job was submitted, and if it has a webhook, then it is called elsewhere. */
  watchNot(job: number): void {
    this.#unseen.add(job);
  }

  /** A call on the job was sent then, and answered. */
  isAskedAbout(job: number, sentMs: number): void {
    const watched = this.#watched.get(job);
    if (watched === undefined || sentMs < watched.sinceMs) return;
    watched.sinceMs = sentMs;
    watched.idleMs = this.#idleMs;
  }

  /** A call was sent then, and answered: an absence proves nothing after the last. */
  lives(sentMs: number): void {
    if (sentMs <= this.#livedMs) return;
    if (this.#underWay.size === 0 && this.#unseen.size === 0)
      this.#idleMs += Math.max(0, sentMs - Math.max(this.#livedMs, this.#busyUntilMs));
    this.#livedMs = sentMs;
  }

  /** The service may have been started again, and what was due may be forgotten. */
  isLost(): void {
    for (const watched of this.#watched.values()) watched.mayMiss = true;
  }

  /**
   * Calls whose job is known since this was asked last.
   *
   * @param pendingMs when the first submission was sent that has not ended; Infinity: all have
   */
  *ofJobs(pendingMs: () => number): Generator<readonly [number, WebhookCall]> {
    if (this.#unknown.length === 0) return;
    const [calls, untilMs] = [this.#unknown, pendingMs()];
    this.#unknown = [];
    for (const call of calls) {
      const job = this.#reportedBy(call);
      const isTooMuch = this.#unknownBytes > UNKNOWN_BYTES_MAX;
      if (job === null && untilMs <= call.byMs && !isTooMuch) {
        this.#unknown.push(call);
        continue;
      }
      this.#unknownBytes -= bytesOf(call);
      if (job !== null) {
        yield [job, call];
        continue;
      }
      if (isTooMuch) this.#givenUpMs = Math.max(this.#givenUpMs, call.byMs);
      for (const jobs of this.#jobs.get(call.webhook)?.values() ?? [])
        for (const one of jobs) this.#watched.get(one)!.mayMiss = true;
    }
  }

  /**
   * Until then no call of the job's webhook is missing. Time is left out in which the service called other webhooks, or was not
   * known to live. Null: one may be missing.
   */
  untilMs(job: number): number | null {
    const watched = this.#watched.get(job);
    if (watched === undefined || watched.mayMiss || this.#mayBeUnderWay(watched.address)) return null;
    return watched.sinceMs + this.#idleMs - watched.idleMs;
  }

  /** The same, as the time since the job was asked about. Null: it will not be known. */
  watchedMs(job: number): number | null {
    const watched = this.#watched.get(job);
    if (watched === undefined || watched.mayMiss) return null;
    return this.#mayBeUnderWay(watched.address) ? 0 : this.#idleMs - watched.idleMs;
  }

  forget(job: number): void {
    this.#unseen.delete(job);
    const watched = this.#watched.get(job);
    if (watched === undefined) return;
    this.#watched.delete(job);
    const { address, id } = watched;
    const there = this.#jobs.get(address)!;
    const jobs = there.get(id)!;
    jobs.delete(job);
    if (jobs.size === 0) there.delete(id);
    if (there.size === 0) this.#jobs.delete(address);
  }

  #mayBeUnderWay(address: string): boolean {
    return this.#underWay.has(address) || this.#unknown.some(({ webhook }) => webhook === address);
  }

  #reportedBy({ webhook, request }: WebhookCall): number | null {
    const there = this.#jobs.get(webhook);
    const value = jsonOf(request.body);
    if (there === undefined || !isObject(value)) return null;
    const named = (id: unknown): readonly number[] => [...(there.get(id as string) ?? [])];
    // The document does not show the body: the record may be a member of it.
    const { id, input: _, output: __, ...members } = value;
    const own = named(id);
    const found =
      own.length > 0 ? own : Object.values(members).flatMap((one) => (isObject(one) ? named(one['id']) : []));
    return found.length === 1 ? found[0]! : null;
  }
}

const bytesOf = ({ request: { body } }: WebhookCall): number =>
  CALL_BYTES + (!body || body.as === 'none' ? 0 : body.bytes);
