/**
 * One fault, met by an ordinary application: it submits jobs, waits for them in the usual ways, now and then cancels, retries
 * and looks at the queue, and makes no mistakes. Its calls are recorded as traffic and judged.
 */
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { judgeParts } from '../../src/oracle/index.js';
import { finishScript } from '../../src/scenario/finish-script.js';
import { flatten, steps, type StepTree } from '../../src/scenario/steps.js';
import type { PlanStep, Script } from '../../src/scenario/script.js';
import type { Capture } from '../../src/history/capture.js';
import type { HistoryEvent, Json } from '../../src/history/events.js';
import { packageVersion } from '../../src/package-files.js';
import { runEvent } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { DAY_MS, EXECUTION_TIMEOUT_DEFAULT_MS, HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';
import { createRandom, type RandomStream } from '../../src/time/random.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Parts } from '../../src/traffic/index.js';
import { runOf, trafficOf } from './passive-trial.js';

export interface TrafficTask {
  readonly kind: 'traffic';
  /** Null: no fault. */
  readonly mutant: string | null;
  readonly seed: number;
  /** Other clients may be there. */
  readonly isOpen: boolean;
  /** Workers may crash; default: none does. */
  readonly mayCrash?: boolean;
  /** Each of eight jobs; default 125. */
  readonly sessions?: number;
}

/** By requirement that failed, what was seen. */
export type TrafficAnswer = { readonly [requirement: string]: string };

const SESSIONS = 125;
const JOBS_PER_SESSION = 8;
const GRACE_MS = 2_000;
const LATENCY = { requestMs: { fromMs: 2, toMs: 30 }, replyMs: { fromMs: 2, toMs: 30 } };

/** What passes between the clients and the endpoint. */
export function trafficWith(id: string | null, seed: number, sessions: number): readonly HistoryEvent[] {
  const base = rulesFor({}, 'document');
  const mutant = MUTANTS.find((one) => one.id === id);
  const rules = mutant?.rules(base) ?? base;
  const target = simulatorTarget({ seed, rules, graceMs: GRACE_MS, arrivals: 'hidden', latency: LATENCY });
  const events: HistoryEvent[] = [
    runEvent(target, { seed, edition: 'document', runproof: packageVersion() }),
  ];
  const random = createRandom(seed).fork('application');
  const scripts = Array.from({ length: sessions }, (_, nth) => sessionOf(random.fork(String(nth)), nth));
  target.runSynchronously(scripts, { append: (event) => events.push(event) });
  return events;
}

export function tryTraffic({
  mutant,
  seed,
  isOpen,
  mayCrash = false,
  sessions = SESSIONS,
}: TrafficTask): TrafficAnswer {
  const events = trafficWith(mutant, seed, sessions);
  const random = createRandom(seed).fork('application');
  const capture: Capture = { others: isOpen, complete: true, ...(!mayCrash && { crashes: false }) };
  const file = trafficOf(events, { keeps: () => true }, random)!;
  const run = runOf(events, capture);
  const failed: { [requirement: string]: string } = {};
  const parts = new Parts(run).of(new Traffic([file]).events(run));
  const findings = judgeParts(parts, { failuresMax: 1 });
  for (const { id: requirement, level, failures } of findings?.requirements ?? [])
    for (const { actual } of level === 'must' ? failures : []) failed[requirement] ??= actual;
  return failed;
}

/** Some minutes, hours or days of a few clients of one endpoint with two workers. In some, a release is bad: most jobs fail. */
function sessionOf(random: RandomStream, nth: number): Script {
  const isBad = random.chance(120);
  const clients = random.intBetween(2, 6);
  const tree = Array.from({ length: JOBS_PER_SESSION }, (_, job) =>
    steps.lane(`client-${job % clients}`, ...jobOf(`j${job}`, random, isBad ? 70 : 12)),
  );
  const operator = isBad || random.chance(200) ? [steps.lane('operator', ...operatorOf(random, isBad))] : [];
  const about = { scenario: 'application', title: `session ${nth}`, seed: 0, workers: 2 };
  return finishScript(
    { ...about, needs: ['scripted-worker', 'worker-count-known'] },
    flatten([tree, operator]),
  );
}

/** The operator looks after the queue, and clears it now and then: after a bad release, as often as it fills again. */
function operatorOf(random: RandomStream, isBad: boolean): readonly StepTree[] {
  const purges = isBad ? random.intBetween(1, 3) : random.chance(330) ? 1 : 0;
  return [
    steps.health({ at: steps.wait(random.intBetween(500, 5_000)) }),
    ...Array.from({ length: purges }, () =>
      steps.purge({ at: steps.wait(random.intBetween(5_000, 20_000)) }),
    ),
    steps.health({ at: steps.wait(random.intBetween(100, 5_000)) }),
  ];
}

/** How long its jobs take, ms: most some seconds, a few some minutes, and hardly any more than a day. */
function workOf(random: RandomStream): number {
  const kind = random.intBetween(0, 99);
  if (kind < 93) return random.pick([200, 1_000, 3_000, 8_000, 20_000, 60_000]);
  return kind < 99 ? random.pick([6, 15]) * MINUTE_MS : 30 * HOUR_MS;
}

function jobOf(job: string, random: RandomStream, failPercent: number): readonly StepTree[] {
  const chance = (percent: number): boolean => random.intBetween(0, 99) < percent;
  const workMs = workOf(random);
  const streams = chance(20);
  const fails = chance(failPercent);
  const plan: readonly PlanStep[] = [
    ...(streams ? [tokenOf(random, 1), { sleepMs: workMs }, tokenOf(random, 2)] : [{ sleepMs: workMs }]),
    fails ? { fail: 'out of memory' } : chance(30) ? { echo: true } : { return: random.pick(OUTPUTS) },
  ];
  const policy = policyOf(random, workMs);
  const isTimedOut = (policy?.executionTimeout ?? EXECUTION_TIMEOUT_DEFAULT_MS) < workMs;
  const failsAgain = chance(25);
  const onRetryMs = Math.min(workOf(random), 60_000);
  const planOnRetry: readonly PlanStep[] = failsAgain
    ? [{ sleepMs: onRetryMs }, { fail: 'out of memory' }]
    : steps.works(onRetryMs);
  const submitted = { plan, ...((fails || isTimedOut) && { planOnRetry }), ...(policy && { policy }) };
  const begin = steps.wait(random.intBetween(0, 4_000));
  const later = Array.from({ length: chance(25) ? random.intBetween(1, 2) : 0 }, () =>
    steps.status(job, { at: steps.wait(random.pick(LATER_MS)) }),
  );
  const polls = steps.await(job, [...steps.ended, 'GONE'], {
    everyMs: workMs > 60_000 ? workMs / 60 : random.pick([500, 1_000, 2_000]),
    withinMs: 2 * Math.max(60_000, workMs),
  });
  const soon = () => ({ at: steps.wait(random.intBetween(20, 2_000)) });
  // It gives up after some attempts.
  const attempts = (fails || isTimedOut) && chance(60) ? (failsAgain ? random.intBetween(1, 3) : 1) : 0;
  const retried = Array.from({ length: attempts }, () => [
    steps.retry(job, { at: steps.wait(random.intBetween(200, 4_000)) }),
    steps.status(job, soon()),
    polls,
  ]);
  if (chance(30)) {
    const wait = chance(30) ? { wait: random.pick([2_000, 10_000, 300_000]) } : {};
    return [steps.runsync(job, { ...submitted, ...wait, at: begin }), polls, ...retried, ...later];
  }
  const cancelled = chance(12)
    ? [steps.cancel(job, { at: steps.wait(random.intBetween(100, 6_000)) }), steps.status(job, soon()), polls]
    : [];
  const read = streams
    ? [steps.stream(job, { at: steps.wait(300) }), steps.stream(job, { at: steps.wait(700) })]
    : [];
  const lives = chance(8) && workMs < HOUR_MS ? livesOf(job, random) : [];
  return [
    steps.run(job, { ...submitted, at: begin }),
    ...(cancelled.length > 0 ? cancelled : [...read, ...lives, polls, ...retried]),
    ...(streams ? [steps.stream(job)] : []),
    ...later,
  ];
}

/** Some of its workers say how it went, too. */
const tokenOf = (random: RandomStream, token: number): PlanStep =>
  random.chance(500)
    ? { stream: { token } }
    : { streamWithMetrics: { output: { token }, metrics: { tokensPerSecond: 31.5, model: 'small' } } };

/** When it looks at a result once more. */
const LATER_MS = [5_000, 20_000, 60_000, 20 * MINUTE_MS, 40 * MINUTE_MS, 25 * HOUR_MS];

/** It decides by /status how long the job may live: no longer than that, or a minute more as long as it asks for it. */
function livesOf(job: string, random: RandomStream): readonly StepTree[] {
  const begin = steps.wait(random.intBetween(20, 2_000));
  if (random.chance(500)) return [steps.status(job, { ttl: random.pick([20_000, 120_000]), at: begin })];
  return Array.from({ length: random.intBetween(2, 4) }, (_, nth) => [
    steps.status(job, { ttl: (nth + 1) * MINUTE_MS, ...(nth === 0 && { at: begin }) }),
    steps.await(job, [...steps.ended, 'GONE'], { everyMs: 2_000, withinMs: 20_000 }),
  ]);
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
): { readonly executionTimeout?: number; readonly ttl?: number; readonly lowPriority?: boolean } | null {
  const kind = random.intBetween(0, 9);
  // As the document asks for jobs that may take longer than a day.
  if (workMs > DAY_MS || kind < 1) return { executionTimeout: 2 * DAY_MS, ttl: 3 * DAY_MS };
  if (kind < 5) return null;
  if (kind < 7) return { executionTimeout: Math.max(5_000, workMs * 3) };
  if (kind < 8) return { executionTimeout: random.pick([5_000, 30_000]) };
  if (kind < 9) return { ttl: random.pick([10_000, 30_000, 3_600_000]) };
  return { lowPriority: random.chance(700), ...(random.chance(500) && { executionTimeout: 30_000 }) };
}
