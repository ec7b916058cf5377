/**
 * Scripts in which many clients use one job at the same time: they poll it, read its stream, and some change
 * it.
 */
import type { PlanStep, Script, Step, When } from '../scenario/script.js';
import { EXPLORED_NEED } from './explored.js';
import type { RandomSource, Weighted } from './random-source.js';
import { finishScript } from '../scenario/finish-script.js';

/** Number of clients of the job, each with its own lane. */
const CLIENTS = { least: 8, most: 30 } as const;
const CALLS_EACH_MAX = 3;
/** Short enough to be run in real time, too. */
const LASTS_MS = 4_000;

export function concurrencyBurstScript(random: RandomSource, seed: number): Script {
  const clients = random.between(CLIENTS.least, CLIENTS.most);
  const workMs = random.pick([0, 300, 1_500, 2_500]);
  const plan = random.pick<readonly PlanStep[]>([
    [{ sleepMs: workMs }, { return: { ok: true } }],
    [{ stream: 'first' }, { sleepMs: workMs }, { stream: 'last' }],
    [{ stream: 'first' }, { sleepMs: workMs }, { fail: 'broken' }],
    [{ sleepMs: workMs }, { fail: 'broken' }],
    [{ hang: true }],
  ]);
  const submit: Step = {
    do: 'run',
    job: 'job',
    plan,
    ...(random.chance(50) ? { policy: { ttl: 10_000, executionTimeout: 5_000 } } : {}),
    ...(random.chance(30) ? { webhook: [{ status: 500 }, { status: 200 }] } : {}),
  };
  const calls = callsOf(random);
  const steps: Step[] = [submit];
  for (let client = 0; client < clients; client += 1) {
    const lane = `client-${client}`;
    const fromMs = random.between(0, LASTS_MS);
    for (let call = random.between(1, CALLS_EACH_MAX); call > 0; call -= 1) {
      const at: When = { job: 'job', milestone: 'submitted', side: 'latest', plusMs: fromMs };
      steps.push({ ...random.weighted(calls)!, lane, at });
    }
  }
  // After the end: also after the deadlines of jobs that have any.
  const look = (plusMs: number): Step => ({
    do: 'status',
    job: 'job',
    at: { job: 'job', milestone: 'submitted', side: 'latest', plusMs },
  });
  return finishScript(
    { scenario: 'crowd', title: `${clients} clients of one job`, seed, workers: 1, needs: EXPLORED_NEED },
    [...steps, look(2 * LASTS_MS), look(4 * LASTS_MS)],
  );
}

/** What the clients of one script do: all of them read, and in some scripts many try one kind of change. */
function callsOf(random: RandomSource): readonly Weighted<Step>[] {
  const some = (perCent: number, weight: number): number => (random.chance(perCent) ? weight : 0);
  return [
    { item: { do: 'status', job: 'job' }, weight: 12 },
    { item: { do: 'stream', job: 'job' }, weight: some(60, 4) },
    { item: { do: 'cancel', job: 'job' }, weight: some(40, random.pick([0.5, 4])) },
    { item: { do: 'retry', job: 'job' }, weight: some(50, random.pick([0.5, 4])) },
    { item: { do: 'status', job: 'job', ttl: 12_000 }, weight: some(15, 0.5) },
    { item: { do: 'purge-queue' }, weight: some(15, 0.3) },
  ];
}
