/**
 * Section 8 on an endpoint that scripts share: what the harness sends to end their jobs uses up the limit of `/cancel` as well.
 * Of these calls only the number is recorded, so they are counted for the whole run: a refusal is wrong where all cancels that
 * may fall into its window are fewer than the limit.
 */
import { CLEANUP_AT_ONCE, type CleanupEvent } from '../../history/cleanup.js';
import type { CallEvent, HistoryEvent, RunEvent } from '../../history/events.js';
import { RATES, requirement } from '../../spec/index.js';
import { mustBeRefused } from '../calls/keys.js';
import type { Ledger } from '../ledger/ledger.js';
import { operationInPath } from '../observed/recorded-call.js';
import { isLimited } from '../observed/rate-windows.js';
import { RATE_TABLE } from './rate-table.js';

const ROW = RATE_TABLE.find(({ op }) => op === 'cancel')!;
/** A harness that is held up may have sent a call later than it recorded. */
const AROUND_MS = 1_000;

/** When a refusal was answered, and what tells of it. */
interface Refused {
  readonly fromMs: number;
  readonly byMs: number;
  readonly script: number;
  readonly calls: readonly number[];
  readonly what: string;
}

/** A refusal that came too early. */
interface Wrong {
  readonly refused: Refused;
  /** Calls of `/cancel` that may fall into its window. */
  readonly made: number;
  /** Calls of other operations were as many as the limit allows. */
  readonly mayBeUsedUp: boolean;
}

type Sent = CleanupEvent & { readonly fromMs: number; readonly cancels: number };

export function judgeOwnCancels(ledger: Ledger, run: RunEvent, events: readonly HistoryEvent[]): void {
  if (run.clock !== 'real' || !run.capabilities.includes('dedicated') || run.capture !== undefined) return;
  const calls = events.filter((event) => event.kind === 'call');
  // Whether calls without a valid key use up the limit is open: here they do, so that a refusal by them fails nothing.
  const scripted = calls.filter((call) => operationInPath(call) === 'cancel');
  const cleanups = events.filter((event) => event.kind === 'cleanup');
  const sweeps = cleanups.filter((event): event is Sent => event.fromMs !== undefined);
  // Older versions recorded no numbers.
  if (sweeps.length === 0 || sweeps.length < cleanups.length) return;
  // What was sent before the run is not known.
  // The window may be late, like any other timer.
  const windowMs = ROW.windowMs + run.graceMs + AROUND_MS;
  const knownFromMs = (calls[0]?.sentMs ?? 0) + 2 * ROW.windowMs;
  const wrong: Wrong[] = [];
  for (const refused of [
    ...refusedOnes(scripted.filter((call) => call.op === 'cancel' && !mustBeRefused(call))),
    ...refusedSweeps(sweeps),
  ]) {
    if (refused.fromMs < knownFromMs) continue;
    const near = <T extends { readonly endpoint: string }>(
      all: readonly T[],
      from: (one: T) => number,
      by: (one: T) => number,
    ) => all.filter((one) => by(one) >= refused.fromMs - windowMs && from(one) <= refused.byMs);
    const own = near(
      scripted,
      ({ sentMs }) => sentMs,
      ({ receivedMs }) => receivedMs ?? Infinity,
    );
    const swept = near(
      sweeps,
      ({ fromMs }) => fromMs,
      ({ atMs }) => atMs,
    );
    const made = own.length + swept.reduce((sum, { cancels }) => sum + cancels, 0);
    if (made >= ROW.requests || mayBeAtOnce(own, swept, refused)) continue;
    const others = calls.filter(
      ({ op, sentMs, reply }) =>
        op !== 'cancel' &&
        reply !== null &&
        sentMs <= refused.byMs &&
        sentMs >= refused.fromMs - ROW.windowMs,
    ).length;
    wrong.push({ refused, made, mayBeUsedUp: others >= ROW.requests });
  }
  // Where a lower limit would not explain one of them, another operation has used up the limit, and explains the rest.
  const isShared = wrong.some(({ made, mayBeUsedUp }) => mayBeUsedUp && 2 * made <= ROW.requests);
  for (const { refused, made, mayBeUsedUp } of wrong) {
    const id = isShared && mayBeUsedUp ? '8/rate-per-operation' : ROW.below;
    ledger.fail(
      id,
      {
        ...{ script: refused.script, scenario: '', proof: [], calls: refused.calls, originMs: 0 },
        actual: `${refused.what}: at most ${made} calls of /cancel were made within 10 s, and ${ROW.requests} are allowed`,
      },
      requirement(id).text,
    );
  }
}

function* refusedOnes(scripted: readonly CallEvent[]): Generator<Refused> {
  for (const call of scripted)
    if (isLimited(call))
      yield {
        ...{ fromMs: call.sentMs, byMs: call.receivedMs!, script: call.script, calls: [call.call] },
        what: `cancel #${call.call} was answered with 429`,
      };
}

function* refusedSweeps(sweeps: readonly Sent[]): Generator<Refused> {
  for (const { fromMs, atMs, script, limited = 0 } of sweeps)
    if (limited > 0)
      yield {
        ...{ fromMs, byMs: atMs, script, calls: [] },
        what: `of the calls that ended the jobs of a script, ${limited} were answered with 429`,
      };
}

/** So many may have been in flight that the concurrency explains it. */
function mayBeAtOnce(own: readonly CallEvent[], swept: readonly Sent[], { fromMs, byMs }: Refused): boolean {
  const pending = own.filter(
    ({ sentMs, receivedMs }) => sentMs <= byMs && (receivedMs ?? Infinity) >= fromMs,
  );
  const sweeping = swept.filter((one) => one.fromMs <= byMs && one.atMs >= fromMs);
  const most =
    pending.length + sweeping.reduce((sum, { cancels }) => sum + Math.min(cancels, CLEANUP_AT_ONCE), 0);
  return most > RATES.cancel!.concurrency!;
}
