/** Random small histories: each by its number, so that a part of a sample is the same in each run. */
import { createRandom, type RandomStream } from '../../../src/time/random.js';
import { drawnByCommit } from '../../support/whole.js';
import { answered, begun, until, type SmallCall, type SmallWorld } from './reference.js';
import { answersOf, JOBS, LATE_MS, OPS } from './told.js';

export type History = readonly [SmallWorld, readonly SmallCall[]];
type Planned = Omit<SmallCall, 'answer'>;

/** The random streams of a sample, or of the part of it that the commit draws. */
export const sample = (name: string, size: number, parts: number): readonly RandomStream[] =>
  drawnByCommit(
    Array.from({ length: size }, (_, nth) => nth),
    parts,
  ).map((nth) => createRandom(1).fork(`${name} ${nth}`));

/** Answers that a right service may give, one call after the other; of the last call any answer, if so told. */
function answersTo(
  random: RandomStream,
  world: SmallWorld,
  calls: readonly Planned[],
  isLastOpen: boolean,
): readonly SmallCall[] {
  let ways = begun(world);
  return calls.map((call, nth) => {
    const before = until(world, ways, call.atMs);
    const all = answersOf(call.op, world.jobs.length);
    const right = all.filter((answer) => answered(before, { ...call, answer }).length > 0);
    const answer = random.pick(isLastOpen && nth === calls.length - 1 ? all : right);
    ways = answered(before, { ...call, answer });
    return { ...call, answer };
  });
}

/** Three calls at some of these instants. Whatever goes on from an illegal history is illegal, so only the last is open. */
export function threeCalls(random: RandomStream, world: SmallWorld, instants: readonly number[]): History {
  const chosen = random.shuffle(instants).slice(0, 3);
  const calls = chosen
    .toSorted((left, right) => left - right)
    .map((atMs) => ({ atMs, op: random.pick(OPS), job: random.intBetween(0, world.jobs.length - 1) }));
  return [world, answersTo(random, world, calls, true)];
}

/** Up to `most` jobs on up to two workers. */
export function drawnWorld(random: RandomStream, most: number): SmallWorld {
  const jobs = Array.from({ length: random.intBetween(1, most) }, (_, nth) => ({
    ...random.pick(JOBS),
    atMs: nth * random.pick([0, 500, 2_500]),
  }));
  return { workers: random.pick([0, 1, 1, 1, 2]), lateMs: LATE_MS, jobs };
}

/** Calls after all jobs were sent. */
export function drawnCalls(
  random: RandomStream,
  { jobs }: SmallWorld,
  gapsMs: readonly number[],
  most: number,
): readonly Planned[] {
  let atMs = Math.max(...jobs.map((job) => job.atMs));
  return Array.from({ length: random.intBetween(2, most) }, () => {
    atMs += random.pick(gapsMs);
    const op = random.pick(['status', 'status', 'status', ...OPS] as const);
    return { atMs, op, job: random.intBetween(0, jobs.length - 1) };
  });
}

/** A history of several jobs that a right service may have, whose calls take time and overlap. */
export function drawnLife(random: RandomStream): History {
  const world = drawnWorld(random, 3);
  const calls = drawnCalls(random, world, [10, 300, 1_700, 3_300, 9_700, 30_700], 6).map((call) => ({
    ...call,
    endMs: call.atMs + random.pick([0, 0, 20, 350, 1_900]),
  }));
  // Each has its effect when it begins or ends, or when another one does meanwhile.
  const instants = calls.flatMap(({ atMs, endMs }) => [atMs, endMs]);
  const effects = calls
    .map((call, nth) => {
      const possible = instants.filter((ms) => ms >= call.atMs && ms <= call.endMs);
      return { call: { ...call, atMs: random.pick(possible) }, nth };
    })
    .toSorted((left, right) => left.call.atMs - right.call.atMs);
  const answers = answersTo(
    random,
    world,
    effects.map(({ call }) => call),
    false,
  );
  const answerOf = (nth: number) => answers[effects.findIndex((one) => one.nth === nth)]!;
  return [world, calls.map((call, nth) => ({ ...call, answer: answerOf(nth).answer }))];
}

/** The same history with another answer to one call. */
export function changed(random: RandomStream, [{ jobs }, calls]: History): readonly SmallCall[] {
  const at = random.intBetween(0, calls.length - 1);
  const others = answersOf(calls[at]!.op, jobs.length).filter((answer) => answer !== calls[at]!.answer);
  return calls.map((call, nth) => (nth === at ? { ...call, answer: random.pick(others) } : call));
}
