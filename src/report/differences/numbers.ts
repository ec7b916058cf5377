/** What was expected and what was seen as numbers, and what their difference is as long as. */
import type { CallEvent } from '../../history/events.js';
import { exactDuration } from '../../util/duration.js';
import { isObject } from '../../util/json.js';
import { pluralize } from '../formatting.js';
import { chainsOf } from '../html/drawings/proof-chains.js';
import type { ReportFailure } from '../report.js';
import { isSubmission, statusIn, type ScriptCalls } from './facts.js';

export interface Numbers {
  readonly expected: string;
  readonly seen: string;
  readonly difference: string;
}

/** Null: the failure is none of numbers. Times count from the same instant as those of the proof. */
export function numbersOf({ contradiction }: ReportFailure): Numbers | null {
  if (contradiction?.kind === 'number') {
    const { least, most, told } = contradiction;
    return {
      expected: least === most ? `${least}` : `${least} to ${most}`,
      seen: `${told}`,
      difference: told > most ? `${told - most} too many` : `${least - told} too few`,
    };
  }
  if (contradiction?.kind !== 'time') return null;
  const { mostMs, leastMs, verdict } = chainsOf(contradiction, 0);
  if (verdict === 'impossible') return null;
  const late = verdict === 'too late';
  const [due, was] = late ? [mostMs, leastMs] : [leastMs, mostMs];
  return {
    expected: `at ${exactDuration(due)} at the ${late ? 'latest' : 'earliest'}`,
    seen: `at ${exactDuration(was)} at the ${late ? 'earliest' : 'latest'}`,
    difference: `at least ${exactDuration(leastMs - mostMs)} ${verdict}`,
  };
}

/** A time between two bounds, ms. */
type Span = readonly [leastMs: number, mostMs: number];

/** A shorter time may be as long as another by chance. */
const SPAN_MIN_MS = 1_000;
/** The bounds of a time that says something are this near to each other, as a share of it. */
const SHARPNESS = 0.1;

/** `13 s too early: as long as the job had waited in the queue, in 4 of 5 failures`; null: it is as long as nothing known. */
export function readingOf(
  failure: ReportFailure,
  failures: readonly ReportFailure[],
  calls: ScriptCalls,
): string | null {
  const spans = [failure, ...failures.filter((one) => one !== failure)].flatMap((one) => {
    const found = offBy(one, calls);
    return found === null || !isSharp(found.span) ? [] : [{ one, ...found, like: likeIn(found) }];
  });
  const [first] = spans;
  if (first?.one !== failure) return null;
  const alike = first.like
    .map((name) => ({ name, times: spans.filter(({ like }) => like.includes(name)).length }))
    .toSorted((one, other) => other.times - one.times)
    // One failure may be as long as something by chance.
    .filter(({ times }) => 2 * times >= spans.length && (times > 1 || spans.length === 1));
  const [best] = alike;
  if (best === undefined) return null;
  const names = alike.filter(({ times }) => times === best.times).map(({ name }) => name);
  const often = spans.length === 1 ? '' : `, in ${best.times} of ${pluralize(spans.length, 'failure')}`;
  const [leastMs, mostMs] = first.span;
  const span = [...new Set([leastMs, mostMs])].map(exactDuration).join(' to ');
  return `${span} ${first.verdict}: as long as ${names.slice(0, 2).join(', or ')}${often}`;
}

const isSharp = ([leastMs, mostMs]: Span): boolean =>
  leastMs >= SPAN_MIN_MS && mostMs - leastMs <= SHARPNESS * leastMs;

interface Off {
  readonly span: Span;
  readonly verdict: string;
  readonly own: readonly CallEvent[];
  readonly shown: CallEvent;
}

/** By how much what the job did was too late or too early, tolerances aside, by all reads of it. */
function offBy(
  { contradiction, calls: numbers, originMs = 0 }: ReportFailure,
  calls: ScriptCalls,
): Off | null {
  const shown = calls.call(numbers.at(-1));
  if (shown === null || contradiction?.kind !== 'time' || contradiction.job === null) return null;
  const { atMost, mostMs, leastMs, verdict } = chainsOf(contradiction, 0);
  if (verdict === 'impossible') return null;
  const own = calls.ofJob(shown.script, contradiction.job);
  if (own[0] === undefined || !isSubmission(own[0])) return null;
  const isAlike = (one: CallEvent): boolean => stateIn(one) === stateIn(shown);
  const reads = own.filter(({ op, reply }) => op === 'status' && reply !== null);
  const before = reads.findLast((one) => one.sentTick < shown.sentTick && !isAlike(one));
  if (verdict === 'too early') {
    const fromMs = (before?.sentMs ?? own[0].sentMs) - originMs;
    return { span: [leastMs - mostMs, leastMs - fromMs], verdict, own, shown };
  }
  const allowed = atMost.filter(
    ({ bound }) => bound.requirement === null && bound.call === null && bound.from !== 'clock',
  );
  const dueMs = mostMs - allowed.reduce((total, { bound }) => total + bound.ms, 0);
  // It was still as before, or it had changed by then.
  const isStill = reads.some((one) => one.sentTick < shown.sentTick && isAlike(one));
  const changed = isStill ? reads.find((one) => one.sentTick > shown.sentTick && !isAlike(one)) : shown;
  const still = reads.findLast(
    (one) => isStill && isAlike(one) && (changed === undefined || one.sentTick < changed.sentTick),
  );
  const fromMs = Math.max(leastMs, (still?.sentMs ?? 0) - originMs);
  return {
    span: [fromMs - dueMs, (changed?.receivedMs ?? Infinity) - originMs - dueMs],
    verdict,
    own,
    shown,
  };
}

const stateIn = (call: CallEvent): string => statusIn(call) ?? `${call.reply?.status}`;

/** The times of the job that are as long; those until a read only where no other is: reads come when a scenario looks for it. */
function likeIn({ span, own, shown }: Off): readonly string[] {
  const like = (all: readonly Named[]): readonly string[] =>
    all.flatMap(([name, known]) =>
      isSharp(known) && known[0] <= span[1] && known[1] >= span[0] ? [name] : [],
    );
  const [times, reads] = timesOf(own, shown);
  return [times, reads].map(like).find((names) => names.length > 0) ?? [];
}

type Named = readonly [name: string, known: Span];

function timesOf(
  own: readonly CallEvent[],
  shown: CallEvent,
): readonly [times: readonly Named[], reads: readonly Named[]] {
  const [submitted] = own;
  const { body } = submitted!.request;
  const value = body.as === 'json' && isObject(body.value) ? body.value : {};
  const policy = isObject(value['policy']) ? value['policy'] : {};
  const exactly = (ms: unknown): Span => (typeof ms === 'number' ? [ms, ms] : [0, 0]);
  const until = (call: CallEvent | undefined): Span =>
    call === undefined
      ? [0, 0]
      : [
          call.sentMs - (submitted!.receivedMs ?? submitted!.sentMs),
          (call.receivedMs ?? call.sentMs) - submitted!.sentMs,
        ];
  const before = own.filter(({ sentTick }) => sentTick < shown.sentTick);
  const reads = own.filter(({ op }) => op === 'status');
  const left = reads.findIndex((one) => statusIn(one) !== 'IN_QUEUE');
  const waited: Span = left < 0 ? [0, 0] : [until(reads[left - 1] ?? submitted)[0], until(reads[left])[1]];
  const reported = own.map(({ reply }) =>
    reply?.body.as === 'json' && isObject(reply.body.value) ? reply.body.value : {},
  );
  const last = (name: string): Span =>
    exactly(reported.findLast((one) => typeof one[name] === 'number')?.[name]);
  return [
    [
      ['the job had waited in the queue', isSharp(waited) ? waited : last('delayTime')],
      ['its run, as reported', last('executionTime')],
      ['its ttl', exactly(policy['ttl'])],
      ['its executionTimeout', exactly(policy['executionTimeout'])],
      ['it took until /retry', until(before.findLast(({ op }) => op === 'retry'))],
      ['it took until /cancel', until(before.findLast(({ op }) => op === 'cancel'))],
      [
        'it took until it was seen to have ended',
        until(before.find((one) => ENDED.has(statusIn(one) ?? ''))),
      ],
    ],
    [
      ['it took until it was first read', until(reads[0])],
      ['it took until it was read before that', until(before.findLast(({ op }) => op === 'status'))],
    ],
  ];
}

const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
