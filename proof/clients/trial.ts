/** Runs clients of the proof, and says what rules say of them. */
import { runClient } from '../../src/features/client/run-client.js';
import type { ClientProgram } from '../../src/features/client/programs.js';
import type { WeatherResult } from '../../src/client/report.js';
import { CLIENT_RULES } from '../../src/client/rules/index.js';
import { WEATHERS } from '../../src/client/weather/index.js';
import { accusations, disagreements } from './in-traffic.js';
import { runBase } from './base-client.js';
import { CORRECT_CLIENTS, type CorrectClient } from './correct/index.js';
import { FAULTY_CLIENTS } from './faults/index.js';
import { behaviourOf, type FaultyClient } from './faulty-client.js';

export interface TrialOptions {
  readonly seed: number;
  /** Weathers side by side. */
  readonly atOnce: number;
}

/** A client of the proof, faulty or correct, by its id. */
export interface ClientTask {
  readonly kind: 'client';
  readonly id: string;
  readonly seed: number;
}

const AT_ONCE = 12;

/** Of a faulty one the rules that it violates, of a correct one what is wrong. */
export function tryClient({ id, seed }: ClientTask): Promise<readonly string[]> {
  const options = { seed, atOnce: AT_ONCE };
  const faulty = FAULTY_CLIENTS.find((client) => client.id === id);
  if (faulty !== undefined) return tryFaulty(faulty, weathersFor(faulty), options);
  const correct = CORRECT_CLIENTS.find((client) => client.id === id);
  if (correct === undefined) throw new Error(`there is no client ${id}`);
  return tryCorrect(correct, options);
}

/** Faulty clients give up sooner. Beyond what a receiver of webhooks may take to answer. */
const FAULTY_LIMIT_MS = 12_000;
/** Where a condition lasts for several limits, a client without any deadline takes all of them. */
const LASTING_LIMIT_MS = 5_000;
const CORRECT_LIMIT_MS = 60_000;
const SPEED = 60;

/** The violated rules of a client with a fault. @param weathers ids */
export async function tryFaulty(
  client: FaultyClient,
  weathers: readonly string[],
  options: TrialOptions,
): Promise<readonly string[]> {
  const behaviour = behaviourOf(client);
  const program: ClientProgram = {
    kind: 'function',
    name: client.id,
    run: (environment, signal) => runBase(client.style, behaviour, environment, signal),
  };
  const limitMs = lasts(client.weather) ? LASTING_LIMIT_MS : FAULTY_LIMIT_MS;
  const results = await resultsOf(program, weathers, limitMs, options);
  const wrong = results.flatMap((result) => disagreements(result, client.breaks));
  if (wrong.length > 0)
    throw new Error(`${client.id} is judged differently by its calls: ${wrong.join('; ')}`);
  const violated = new Set(results.flatMap(violatedRules));
  return CLIENT_RULES.flatMap(({ id }) => (violated.has(id) ? [id] : []));
}

/** Everything that is wrong: with the client, with how it ended, with the emulator, and with what its recorded calls say. */
export async function tryCorrect(
  { program }: CorrectClient,
  options: TrialOptions,
): Promise<readonly string[]> {
  const all = WEATHERS.map(({ id }) => id);
  const results = await resultsOf(program, all, CORRECT_LIMIT_MS, options);
  const inTraffic = [
    ...results.flatMap((result) => disagreements(result)),
    ...accusations(results, options.seed),
  ];
  const wrong = results.flatMap(({ session, verdicts, ending, selfCheck, output }) => [
    ...verdicts.flatMap((verdict) =>
      verdict.state === 'violated'
        ? verdict.violations.map(({ text }) => `${session.weather.id}: ${verdict.rule.id}: ${text}`)
        : [],
    ),
    ...(session.end.kind === 'stopped' ? [`${session.weather.id}: it did not end`] : []),
    ...(ending.kind === 'unexpected'
      ? [`${session.weather.id}: ${ending.text}; ${output.stderr.trim().split('\n').at(-1) ?? ''}`]
      : []),
    ...selfCheck.map((text) => `${session.weather.id}: self-check: ${text}`),
  ]);
  return [...wrong, ...inTraffic.map((text) => `in traffic, ${text}`)];
}

async function resultsOf(
  client: ClientProgram,
  weathers: readonly string[],
  limitMs: number,
  { seed, atOnce }: TrialOptions,
): Promise<readonly WeatherResult[]> {
  const { results } = await runClient({
    ...{ client, seed, limitMs, atOnce, speed: SPEED, edition: 'document', startedAt: '' },
    weathers: WEATHERS.filter(({ id }) => weathers.includes(id)),
    expect: new Map(),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return results;
}

const violatedRules = ({ verdicts }: WeatherResult): readonly string[] =>
  verdicts.flatMap(({ state, rule }) => (state === 'violated' ? [rule.id] : []));

/** Those of the rules that it breaks, its own, and the clear one; of those that last for several limits only its own. */
export function weathersFor({ breaks, weather }: FaultyClient): readonly string[] {
  const broken = CLIENT_RULES.filter(({ id }) => (breaks as readonly string[]).includes(id));
  const others = broken.flatMap((rule) => rule.weather).filter((id) => !lasts(id));
  return [...new Set(['clear', weather, ...others])];
}

const lasts = (weather: string): boolean =>
  WEATHERS.some(({ id, limitFactor }) => id === weather && limitFactor !== undefined);

/** Works all of them off, so many at once; the answers are in the order of the tasks. */
export async function inLanes<T, A>(
  tasks: readonly T[],
  lanes: number,
  work: (task: T) => Promise<A>,
): Promise<readonly A[]> {
  const answers: A[] = [];
  const waiting = tasks.map((task, index) => ({ task, index }));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      answers[next.index] = await work(next.task);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
}
