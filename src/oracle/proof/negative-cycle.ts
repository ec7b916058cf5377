/**
 * Turns an unsatisfied bound into a proof: the negative cycle that it closes in the constraint graph, as a
 * sum of bounds, each with a name, a reason and a call.
 */
import { WORKER_FREE } from '../model/lifecycle/lifecycle.js';
import { quantityOf } from '../model/rule-topics.js';
import type { CallEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { FORBIDDEN_COST, type RuleSet } from '../model/rule-set.js';
import type { ObservedJob } from '../model/observed-job.js';
import type { JobOperation } from '../model/operations.js';
import type { UnsatisfiedBound, Node, TracedBound, LoggedBound } from '../model/tracer.js';
import { ENDED, type Instant, TTL_START, QUEUED, STARTED, SUBMITTED, ZERO } from '../model/zone.js';
import { statusIn } from '../observed/recorded-call.js';
import { inTime, type Bound, type Contradiction } from './contradiction.js';

const NAMES: { readonly [instant in Instant]: string } = {
  [ZERO]: 'clock',
  [SUBMITTED]: 'submitted',
  [TTL_START]: 'ttl begins',
  [QUEUED]: 'queued',
  [STARTED]: 'started',
  [ENDED]: 'ended',
};

/** `told`: the calls that showed the job's milestones; the last one showed the violation. */
export function contradictionOf(
  rules: RuleSet,
  job: ObservedJob,
  unsatisfied: UnsatisfiedBound,
  told: readonly CallEvent[],
): Contradiction | null {
  if (unsatisfied.overMs >= FORBIDDEN_COST) return outOfOrder(job, told);
  const links = unsatisfied.zone === null ? [] : negativeCycle(unsatisfied);
  if (links === null) return null;
  const bounds =
    unsatisfied.zone === null
      ? pastDue(rules, job, unsatisfied)
      : fromClock(links).flatMap(boundsOf(rules, job));
  return inTime(job.id, bounds);
}

function outOfOrder(job: ObservedJob, told: readonly CallEvent[]): Contradiction {
  const calls = [...new Set(told)].sort((left, right) => left.sentTick - right.sentTick);
  const seen = calls.map((call) => ({ call: call.call, showed: showedBy(call), atMs: call.sentMs }));
  return { kind: 'order', job: job.id, seen };
}

function showedBy(call: CallEvent): string {
  if (call.reply === null) return 'no answer';
  return statusIn(call) ?? `${call.reply.status}`;
}

/** A cycle has no beginning: it is told from the clock on, if it passes there. */
function fromClock(links: readonly TracedBound[]): readonly TracedBound[] {
  const first = links.findIndex(({ right }) => right === ZERO);
  return first <= 0 ? links : [...links.slice(first), ...links.slice(0, first)];
}

const boundsOf =
  (rules: RuleSet, job: ObservedJob) =>
  (link: TracedBound): readonly Bound[] =>
    link.rule === null ? observed(job, link) : byRule(rules, job, link, link.rule);

function observed(job: ObservedJob, { left, right, ms, op }: TracedBound): readonly Bound[] {
  if (right === ZERO) {
    const call = callAt(job, op, ms, 'byMs');
    return [atMost('clock', NAMES[left], ms, describeObservation(call, 'answered'), null, call)];
  }
  if (left === ZERO) {
    const call = callAt(job, op, -ms, 'fromMs');
    return [atLeast('clock', NAMES[right], -ms, describeObservation(call, 'sent'), null, call)];
  }
  const same = ms === 0 && left !== STARTED && left !== ENDED && right !== STARTED && right !== ENDED;
  if (same) return [atMost(NAMES[right], NAMES[left], 0, 'the same instant')];
  const why = 'the order of its milestones';
  return ms <= 0
    ? [atLeast(NAMES[left], NAMES[right], -ms, why)]
    : [atMost(NAMES[right], NAMES[left], ms, why)];
}

function byRule(rules: RuleSet, job: ObservedJob, link: TracedBound, rule: RequirementId): readonly Bound[] {
  const { left, right, ms, op } = link;
  const lateMs = link.slackMs ?? rules.graceMs;
  const earlyMs = link.slackMs ?? rules.earlyMs;
  const why = quantityOf(rule);
  if (why === WORKER_FREE) {
    if (left === ZERO) return [atLeast('clock', NAMES[right], -ms, 'all workers were busy until then', rule)];
    return [
      atMost('clock', 'worker free', ms - rules.graceMs, why, rule),
      ...lateness('worker free', NAMES[left], rules.graceMs),
    ];
  }
  if (left === ZERO) {
    // The job was still there: the rule's bound and the observation in one.
    const fromMs = op?.fromMs ?? 0;
    const call = op?.call ?? null;
    const seen = nameOfOperation(op);
    return [
      atMost(NAMES[right], 'due', ms + fromMs - lateMs, why, rule),
      ...lateness('due', seen, lateMs),
      atLeast('clock', seen, fromMs, describeObservation(call, 'sent'), null, call),
    ];
  }
  if (right === ZERO) {
    // The job was deleted by then.
    const byMs = op?.byMs ?? 0;
    const call = op?.call ?? null;
    const seen = nameOfOperation(op);
    return [
      atMost('clock', seen, byMs, describeObservation(call, 'answered'), null, call),
      ...rounding(seen, 'due', earlyMs),
      atLeast(NAMES[left], 'due', byMs - ms + earlyMs, why, rule),
    ];
  }
  if (ms >= 0)
    return [atMost(NAMES[right], 'due', ms - lateMs, why, rule), ...lateness('due', NAMES[left], lateMs)];
  return [...rounding(NAMES[right], 'due', earlyMs), atLeast(NAMES[left], 'due', -ms + earlyMs, why, rule)];
}

/** A job is still waiting, although a worker had certainly been free for long enough. */
function pastDue(
  rules: RuleSet,
  job: ObservedJob,
  { last, rule, overMs }: UnsatisfiedBound,
): readonly Bound[] {
  const { op } = last;
  const fromMs = op?.fromMs ?? 0;
  const seen = nameOfOperation(op);
  const dueMs = fromMs - overMs - rules.graceMs;
  return [
    atMost('clock', 'due', dueMs, quantityOf(rule), rule),
    ...lateness('due', seen, rules.graceMs),
    atLeast(
      'clock',
      seen,
      fromMs,
      describeObservation(op?.call ?? job.submitted, 'sent'),
      null,
      op?.call ?? job.submitted,
    ),
  ];
}

const lateness = (from: string, to: string, ms: number): readonly Bound[] => [
  atMost(from, to, ms, 'allowed lateness'),
];

const rounding = (from: string, to: string, ms: number): readonly Bound[] => [
  atMost(from, to, ms, 'allowed for rounding'),
];

const limited =
  (limit: Bound['limit']) =>
  (
    from: string,
    to: string,
    ms: number,
    why: string,
    requirement: RequirementId | null = null,
    call: CallEvent | null = null,
  ): Bound => ({ from, to, limit, ms, why, requirement, call: call?.call ?? null });

const atMost = limited('at-most');
const atLeast = limited('at-least');

const nameOfOperation = (op: JobOperation | null): string =>
  op === null || op.call === null ? (op?.kind ?? 'submitted') : `#${op.call.call}`;

/** The call that an observed bound rests on: the operation's own, or an earlier one. */
function callAt(
  job: ObservedJob,
  op: JobOperation | null,
  ms: number,
  end: 'fromMs' | 'byMs',
): CallEvent | null {
  if (op !== null && op[end] === ms) return op.call;
  const earlier = job.operations.find((one) => one[end] === ms && one.call !== null);
  const submittedMs = end === 'fromMs' ? job.submittedFromMs : job.submittedByMs;
  return submittedMs === ms ? job.submitted : (earlier?.call ?? op?.call ?? null);
}

function describeObservation(call: CallEvent | null, when: 'sent' | 'answered'): string {
  if (call === null) return 'the webhook was called';
  const name = `${call.op ?? call.request.path} #${call.call}`;
  return when === 'sent' ? `${name} was sent: ${showedBy(call)}` : `${name} was answered: ${showedBy(call)}`;
}

/**
 * The negative cycle: the shortest path (Bellman-Ford), in ms and then in links, from the last bound's
 * `left` to its `right`, closed by that bound. It is computed from the logged bounds and not from the
 * zone's matrix, as an independent check. Null if the sum is not negative.
 */
function negativeCycle({ zone, last }: UnsatisfiedBound): readonly TracedBound[] | null {
  if (zone === null) return null;
  const bounds = [...remembered(zone.log)];
  const start = nameOf(zone.node(last.left));
  const goal = nameOf(zone.node(last.right));
  const best = new Map<string, Way>([[start, { ms: 0, links: 0, ruleCount: 0, by: null, from: null }]]);
  // Each round makes the shortest paths one link longer, so that as many rounds as bounds are enough.
  for (let changed = true, rounds = 0; changed && rounds <= bounds.length; rounds += 1) {
    changed = false;
    for (const bound of bounds) {
      const from = nameOf(bound.right);
      const way = best.get(from);
      if (way === undefined) continue;
      const ruleCount = way.ruleCount + Number(bound.rule !== null);
      const next = { ms: way.ms + bound.ms, links: way.links + 1, ruleCount, by: bound, from };
      const to = nameOf(bound.left);
      const known = best.get(to);
      if (known !== undefined && !shorter(next, known)) continue;
      best.set(to, next);
      changed = true;
    }
  }
  const found = best.get(goal);
  if (found === undefined || found.ms + last.ms >= 0) return null;
  const links: TracedBound[] = [last];
  for (let at = goal; at !== start;) {
    const way = best.get(at)!;
    links.unshift(linkOf(way.by!));
    at = way.from!;
  }
  return links;
}

interface Way {
  readonly ms: number;
  readonly links: number;
  readonly ruleCount: number;
  readonly by: LoggedBound | null;
  readonly from: string | null;
}

/**
 * Of equally short paths, the one with fewer links; of these, the one with fewer rules, which rests on
 * observations.
 */
function shorter(left: Way, right: Way): boolean {
  if (left.ms !== right.ms) return left.ms < right.ms;
  return left.links === right.links ? left.ruleCount < right.ruleCount : left.links < right.links;
}

function* remembered(log: LoggedBound | null): Generator<LoggedBound> {
  for (let bound = log; bound !== null; bound = bound.before) yield bound;
}

const nameOf = ({ instant, generation }: Node): string => `${instant}@${generation}`;

function linkOf({ left, right, ms, rule, slackMs, op }: LoggedBound): TracedBound {
  return { left: left.instant, right: right.instant, ms, rule, slackMs, op };
}
