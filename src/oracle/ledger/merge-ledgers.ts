/**
 * Joins what parts of one run have shown, before anything of it is settled: what one part withholds, another may prove, and
 * what explains a violation may lie in any of them. A ledger that grew part by part would grow without bound: `trimmed` bounds
 * it.
 */
import { getOrMake } from '../../util/maps.js';
import { sharper } from '../observed/tolerance.js';
import { Lateness } from './lateness.js';
import { Ledger, SCENARIOS_KEPT_MAX, type Withheld } from './ledger.js';
import type { Evidence } from '../jobs/evidence.js';
import type { Alike, Route, ServerErrors } from './unsettled.js';

/** A new ledger with what these show, in their order; none of them is settled yet. */
export function mergedLedger(parts: readonly Ledger[], failuresMax?: number): Ledger {
  const sum = new Ledger(failuresMax);
  for (const part of parts) append(sum, part);
  return sum;
}

function append(sum: Ledger, part: Ledger): void {
  for (const id of part.entries.keys()) appendEntry(sum, part, id);
  appendReadings(sum, part);
  for (const [timer, seen] of part.lateness)
    getOrMake(sum.lateness, timer, () => new Lateness()).append(seen);
  sum.transitions.appendAll(part.transitions);
  addUp(sum.warnings, part.warnings);
  for (const [text, job] of part.warnedOf) getOrMake(sum.warnedOf, text, () => job);
  for (const [op, { ok, all, first }] of part.successes) {
    const known = getOrMake(sum.successes, op, () => ({ ok: 0, all: [], first }));
    known.ok += ok;
    if (known.ok === 0) known.all.push(...all);
    else known.all.length = 0;
  }
  for (const [op, route] of part.routes) appendRoute(sum.routeOf(op), route);
  for (const [name, { answered, lost }] of part.outcomes) {
    const known = getOrMake(sum.outcomes, name, () => ({ answered: 0, lost: new Map<string, number>() }));
    known.answered += answered;
    addUp(known.lost, lost);
  }
  appendAlike(sum, sum.refusals, part.refusals);
  appendAlike(sum, sum.wrongCounts, part.wrongCounts);
  appendAlike(sum, sum.serverErrors, part.serverErrors);
  for (const input of part.acceptedInputs) sum.acceptedInputs.add(input);
  sum.suspicions.push(...part.suspicions);
  sum.resting.push(...part.resting);
  sum.mayBeMissing.push(...part.mayBeMissing);
  sum.unanswered.push(...part.unanswered);
  for (const [call, purge] of part.purges)
    sum.purges.set(call, { ...purge, least: purge.least + (sum.purges.get(call)?.least ?? 0) });
  sum.errorsBeyondRate.push(...part.errorsBeyondRate);
  sum.changedValues.push(...part.changedValues);
  sum.missedCalls.push(...part.missedCalls);
  sum.deliveries.push(...part.deliveries);
  sum.concurrency.enforced ||= part.concurrency.enforced;
  sum.concurrency.fromHeaders ||= part.concurrency.fromHeaders;
  sum.concurrency.accepted.push(...part.concurrency.accepted);
  sum.concurrency.refused.push(...part.concurrency.refused);
  sum.concurrency.byOthers.push(...part.concurrency.byOthers);
  sum.webhookCame ||= part.webhookCame;
  sum.silentPrivateUrl ??= part.silentPrivateUrl;
  sum.timesAreFine ||= part.timesAreFine;
  sum.jobsNotJudgedFurther += part.jobsNotJudgedFurther;
  sum.targetGone ||= part.targetGone;
  sum.goneBecause = part.goneBecause;
  sum.addEvidence(...part.evidence);
  for (const [id, byNeeded] of part.withheld)
    for (const [first, withheld] of byNeeded) {
      const known = getOrMake(sum.withheld, id, () => new Map<Evidence, Withheld>());
      const { needed, instances, times } = withheld;
      const same = getOrMake(known, first, () => ({ needed, instances: new Set<string>(), times: 0 }));
      same.times += times;
      for (const one of instances) same.instances.add(one);
    }
}

function appendEntry(sum: Ledger, part: Ledger, id: Parameters<Ledger['entry']>[0]): void {
  const entry = sum.entry(id);
  const { decided, failed, failures, decidedIn, instances, sharpest, latest, ...more } = part.entry(id);
  entry.decided += decided;
  entry.failed += failed;
  entry.failures.push(...failures.slice(0, Math.max(0, sum.failuresMax - entry.failures.length)));
  for (const scenario of decidedIn)
    if (entry.decidedIn.length < SCENARIOS_KEPT_MAX && !entry.decidedIn.includes(scenario))
      entry.decidedIn.push(scenario);
  if (instances !== null) entry.instances = new Set([...(entry.instances ?? []), ...instances]);
  entry.sharpest = sharper(entry.sharpest, sharpest);
  if (latest !== null && latest.lateMs > (entry.latest?.lateMs ?? -1)) entry.latest = latest;
  entry.isNotWaivable ||= more.isNotWaivable;
  addUp(entry.inconclusiveReasons, more.inconclusiveReasons);
}

function appendReadings(sum: Ledger, part: Ledger): void {
  for (const [id, counts] of part.readings) {
    const known = getOrMake(sum.readings, id, () => new Map<string, number>());
    for (const reading of counts.keys()) {
      const key = `${id}=${reading}`;
      if (known.has(reading)) continue;
      sum.readFirstIn.set(key, part.readFirstIn.get(key)!);
      if (part.readFirstBy.has(key)) sum.readFirstBy.set(key, part.readFirstBy.get(key)!);
    }
    addUp(known, counts);
  }
}

function appendRoute(sum: Route, { isThere, codes, before, first, lost }: Route): void {
  sum.isThere ||= isThere;
  addUp(sum.codes, codes);
  for (const code of before) sum.before.add(code);
  sum.first ??= first;
  if (lost !== null)
    sum.lost = { ...lost, calls: (sum.lost?.calls ?? 0) + lost.calls, first: sum.lost?.first ?? lost.first };
}

/** What was observed most often is a copy: the parts stay as they are. */
function appendAlike<Kind extends Alike>(
  { failuresMax }: Ledger,
  sum: Map<string, Kind>,
  part: ReadonlyMap<string, Kind>,
): void {
  for (const [key, one] of part) {
    const known = getOrMake(sum, key, () => ({ ...one, ...copyOf(one), failures: [], times: 0 }));
    known.times += one.times;
    known.failures.push(
      ...one.failures.slice(0, Math.max(0, Math.max(1, failuresMax) - known.failures.length)),
    );
    if (isOfErrors(known) && isOfErrors(one)) {
      known.lost += one.lost;
      for (const script of one.scripts) known.scripts.add(script);
    }
  }
}

const isOfErrors = (one: Alike): one is ServerErrors => 'scripts' in one;
const copyOf = (one: Alike): object => (isOfErrors(one) ? { scripts: new Set(), lost: 0 } : {});

function addUp<Key>(sum: Map<Key, number>, part: ReadonlyMap<Key, number>): void {
  for (const [key, times] of part) sum.set(key, (sum.get(key) ?? 0) + times);
}

/** Of observations of one kind that wait to be settled, so many are kept: more would not change what is said of them. */
const WAITING_MAX = 500;
/** Of calls of an operation none of which succeeded. */
const CALLS_MAX = 10_000;
/** Of inputs that were accepted: whether a refused one is among them is asked at the end. */
const INPUT_CHARACTERS_MAX = 4_000_000;
/** Of the kinds themselves, which are about as many as requirements; inputs that were refused may be any. */
const KINDS_MAX = 2_000;
const WARNINGS_MAX = 200;
const DELIVERIES_MAX = 5_000;

/** Bounds what the ledger holds, whatever it has seen: what is left out can only leave something open. */
export function trimmed(ledger: Ledger): Ledger {
  keepFirst(ledger.suspicions, ({ id }) => id);
  keepFirst(ledger.resting, ({ id, restsOn }) => `${id} ${restsOn.join(' ')}`);
  keepFirst(ledger.mayBeMissing, ({ id }) => id);
  keepFirst(ledger.unanswered, ({ id }) => id);
  keepFirst(ledger.errorsBeyondRate, ({ id }) => id);
  keepFirst(ledger.changedValues, ({ way, ifChangedBack }) => `${way} ${ifChangedBack}`);
  keepFirst(ledger.concurrency.accepted, ({ op }) => op);
  keepFirst(ledger.concurrency.refused, ({ op }) => op);
  keepFirst(ledger.concurrency.byOthers, ({ own }) => own);
  for (const { all } of ledger.successes.values()) all.splice(CALLS_MAX);
  for (const { scripts } of ledger.serverErrors.values())
    for (const script of [...scripts].slice(SCRIPTS_TOLD_APART)) scripts.delete(script);
  forgetInputs(ledger.acceptedInputs);
  forgetLast(ledger.refusals, KINDS_MAX);
  forgetLast(ledger.warnings, WARNINGS_MAX);
  for (const { inconclusiveReasons } of ledger.entries.values())
    forgetLast(inconclusiveReasons, WARNINGS_MAX);
  forgetFirst(ledger.purges, WAITING_MAX);
  trimDeliveries(ledger);
  return ledger;
}

/** It counts whether they are of several. */
const SCRIPTS_TOLD_APART = 2;

function keepFirst<One>(all: One[], kindOf: (one: One) => string): void {
  if (all.length <= WAITING_MAX) return;
  const times = new Map<string, number>();
  const kept = all.filter((one) => {
    const kind = kindOf(one);
    times.set(kind, (times.get(kind) ?? 0) + 1);
    return times.get(kind)! <= WAITING_MAX;
  });
  all.splice(0, all.length, ...kept);
}

/** What was added last is kept. */
function forgetInputs(inputs: Set<string>): void {
  let characters = 0;
  for (const input of [...inputs].reverse()) {
    characters += input.length;
    if (characters > INPUT_CHARACTERS_MAX) inputs.delete(input);
  }
}

function forgetFirst(all: Map<number, unknown>, most: number): void {
  for (const key of [...all.keys()].slice(0, Math.max(0, all.size - most))) all.delete(key);
}

function forgetLast(all: Map<string, unknown>, most: number): void {
  if (all.size > most) for (const key of [...all.keys()].slice(most)) all.delete(key);
}

/** Neighbours become one delivery: a sender that seems to be busy longer fails less. */
function trimDeliveries({ deliveries, missedCalls }: Ledger): void {
  keepFirst(missedCalls, ({ id }) => id);
  for (let pauseMs = 1; deliveries.length > DELIVERIES_MAX; pauseMs *= 4) {
    const joined: { fromMs: number; byMs: number }[] = [];
    for (const { fromMs, byMs } of deliveries.toSorted((one, other) => one.fromMs - other.fromMs)) {
      const last = joined.at(-1);
      if (last !== undefined && fromMs <= last.byMs + pauseMs) last.byMs = Math.max(last.byMs, byMs);
      else joined.push({ fromMs, byMs });
    }
    deliveries.splice(0, deliveries.length, ...joined);
  }
}
