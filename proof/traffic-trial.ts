/**
 * One fault, met by an ordinary application: it submits jobs, waits for them in the usual ways, now and then cancels, retries
 * and looks at the queue, and makes no mistakes. Its calls are recorded as traffic and judged.
 */
import { rulesFor } from '../src/core/rules.js';
import { MUTANTS } from '../src/mutants/index.js';
import { judge } from '../src/oracle/index.js';
import { finishScript } from '../src/scenario/finish-script.js';
import { flatten, steps, type StepTree } from '../src/scenario/steps.js';
import type { PlanStep, Script } from '../src/scenario/script.js';
import type { Capture } from '../src/history/capture.js';
import type { HistoryEvent, Json } from '../src/history/events.js';
import { packageVersion } from '../src/package-files.js';
import { runEvent } from '../src/target/run-scripts.js';
import { simulatorTarget } from '../src/target/simulator/simulator-target.js';
import { createRandom, type RandomStream } from '../src/time/random.js';
import { Parts, Traffic } from '../src/traffic/index.js';
import { runOf, trafficOf } from './passive-trial.js';

export interface TrafficTask {
  readonly kind: 'traffic';
  /** Null: no fault. */
  readonly mutant: string | null;
  readonly seed: number;
  /** Other clients may be there. */
  readonly isOpen: boolean;
}

/** By requirement that failed, what was seen. */
export type TrafficAnswer = { readonly [requirement: string]: string };

const SESSIONS = 125;
const JOBS_PER_SESSION = 8;
const GRACE_MS = 2_000;
const LATENCY = { requestMs: { fromMs: 2, toMs: 30 }, replyMs: { fromMs: 2, toMs: 30 } };

export function tryTraffic({ mutant: id, seed, isOpen }: TrafficTask): TrafficAnswer {
  const base = rulesFor({}, 'document');
  const mutant = MUTANTS.find((one) => one.id === id);
  const rules = mutant?.rules(base) ?? base;
  const target = simulatorTarget({ seed, rules, graceMs: GRACE_MS, arrivals: 'hidden', latency: LATENCY });
  const events: HistoryEvent[] = [
    runEvent(target, { seed, edition: 'document', runproof: packageVersion() }),
  ];
  const random = createRandom(seed).fork('application');
  const scripts = Array.from({ length: SESSIONS }, (_, nth) => sessionOf(random.fork(String(nth)), nth));
  target.runSynchronously(scripts, { append: (event) => events.push(event) });
  // Its owner runs the workers, too.
  const capture: Capture = { others: isOpen, complete: true, crashes: false };
  const file = trafficOf(events, { keeps: () => true }, random)!;
  const run = runOf(events, capture);
  const failed: { [requirement: string]: string } = {};
  for (const part of new Parts(run).of(new Traffic([file]).events(run)))
    for (const { id: requirement, level, failures } of judge(part, { failuresMax: 1 }).requirements)
      for (const { actual } of level === 'must' ? failures : []) failed[requirement] ??= actual;
  return failed;
}

/** Some minutes, hours or days of three clients of one endpoint with two workers. */
function sessionOf(random: RandomStream, nth: number): Script {
  const tree = Array.from({ length: JOBS_PER_SESSION }, (_, job) =>
    steps.lane(`client-${job % 3}`, ...jobOf(`j${job}`, random)),
  );
  const operator = random.intBetween(0, 4) === 0 ? [steps.lane('operator', ...operatorOf(random))] : [];
  const about = { scenario: 'application', title: `session ${nth}`, seed: 0, workers: 2 };
  return finishScript(
    { ...about, needs: ['scripted-worker', 'worker-count-known'] },
    flatten([tree, operator]),
  );
}

const operatorOf = (random: RandomStream): readonly StepTree[] => [
  steps.health({ at: steps.wait(random.intBetween(500, 5_000)) }),
  ...(random.intBetween(0, 2) === 0 ? [steps.purge({ at: steps.wait(random.intBetween(100, 5_000)) })] : []),
  steps.health({ at: steps.wait(random.intBetween(100, 5_000)) }),
];

function jobOf(job: string, random: RandomStream): readonly StepTree[] {
  const chance = (percent: number): boolean => random.intBetween(0, 99) < percent;
  const workMs = random.pick([200, 1_000, 3_000, 8_000, 20_000, 60_000]);
  const streams = chance(20);
  const fails = chance(12);
  const plan: readonly PlanStep[] = [
    ...(streams
      ? [{ stream: { token: 1 } }, { sleepMs: workMs }, { stream: { token: 2 } }]
      : [{ sleepMs: workMs }]),
    fails ? { fail: 'out of memory' } : chance(30) ? { echo: true } : { return: random.pick(OUTPUTS) },
  ];
  const policy = policyOf(random, workMs);
  const submitted = { plan, planOnRetry: steps.works(500), ...(policy && { policy }) };
  const begin = steps.wait(random.intBetween(0, 4_000));
  if (chance(30)) {
    const wait = chance(30) ? { wait: random.pick([2_000, 10_000, 300_000]) } : {};
    return [
      steps.runsync(job, { ...submitted, ...wait, at: begin }),
      steps.await(job, steps.ended, { everyMs: 1_000 }),
    ];
  }
  const polls = steps.await(job, [...steps.ended, 'GONE'], {
    everyMs: random.pick([500, 1_000, 2_000]),
    withinMs: 120_000,
  });
  const soon = () => ({ at: steps.wait(random.intBetween(20, 2_000)) });
  const kept = chance(8)
    ? [
        steps.status(job, { ...soon(), ttl: random.pick([20_000, 120_000]) }),
        steps.status(job, { at: steps.wait(60_000) }),
      ]
    : [];
  const later = chance(15)
    ? [steps.status(job, { at: steps.wait(random.pick([60_000, 20 * 60_000, 40 * 60_000, 25 * 3_600_000])) })]
    : [];
  const cancelled = chance(12)
    ? [steps.cancel(job, { at: steps.wait(random.intBetween(100, 6_000)) }), steps.status(job, soon()), polls]
    : [];
  const read = streams
    ? [steps.stream(job, { at: steps.wait(300) }), steps.stream(job, { at: steps.wait(700) })]
    : [];
  const retried = fails && chance(60) ? [steps.retry(job, soon()), steps.status(job, soon()), polls] : [];
  return [
    steps.run(job, { ...submitted, at: begin }),
    ...(cancelled.length > 0 ? cancelled : [...read, polls, ...retried]),
    ...(streams ? [steps.stream(job)] : []),
    ...kept,
    ...later,
  ];
}

/** What its workers return. */
const OUTPUTS: readonly Json[] = [
  { text: 'done', usage: { tokens: 17 } },
  ['a', 'b'],
  'plain text',
  {},
  [],
  '',
  0,
  null,
  false,
  { text: 'ä€😀', nested: [{ n: 1.5 }] },
];

/** Null: the application leaves it to the endpoint. */
function policyOf(
  random: RandomStream,
  workMs: number,
): { readonly [name: string]: number | boolean } | null {
  const kind = random.intBetween(0, 9);
  if (kind < 5) return null;
  if (kind < 7) return { executionTimeout: Math.max(5_000, workMs * 3) };
  if (kind < 8) return { executionTimeout: random.pick([5_000, 30_000]) };
  return kind < 9 ? { ttl: random.pick([10_000, 30_000, 3_600_000]) } : { lowPriority: true };
}
