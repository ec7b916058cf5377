/** Runs a client in every weather, side by side, and judges what it did. */
import { setMaxListeners } from 'node:events';
import { judgeSession } from '../../client/judge.js';
import type { ClientRun, WeatherResult } from '../../client/report.js';
import { largest, succeeded } from '../../client/rules/calls.js';
import type { Weather } from '../../client/weather/weather.js';
import type { Json } from '../../history/events.js';
import { parseRule } from '../../server/faults/grammar.js';
import { packageVersion } from '../../package-files.js';
import { endSentence } from '../../report/client/words.js';
import type { HandlerFunction } from '../../server/handlers/handler-api.js';
import type { Edition } from '../../spec/index.js';
import { createRandom } from '../../time/random.js';
import { program } from '../../program-name.js';
import { UsageError } from '../../util/errors.js';
import type { Expected } from './ending.js';
import type { ClientProgram } from './programs.js';
import { runWeather } from './run-weather.js';

export interface ClientRunOptions {
  readonly client: ClientProgram;
  /** In the report. Default: the command. */
  readonly name?: string | undefined;
  /** At least one. */
  readonly weathers: readonly Weather[];
  /** Another seed gives other durations. */
  readonly seed: number;
  /** How many times as fast as real time the endpoint's time runs while a job waits or runs. */
  readonly speed: number;
  /** The longest that one weather lasts, real ms. */
  readonly limitMs: number;
  /** Weathers that run side by side, from 1. */
  readonly atOnce: number;
  readonly edition: Edition;
  readonly handler?: HandlerFunction | undefined;
  /** What jobs return. */
  readonly output?: Json | undefined;
  /** By the id of a weather; `*`: of all others. */
  readonly expect: ReadonlyMap<string, Expected>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ClientProgress) => void;
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface ClientProgress {
  readonly done: number;
  readonly of: number;
  /** Ids of weathers. */
  readonly running: readonly string[];
  /** How much longer those that run may take, real ms; null while others wait, as theirs comes on top. */
  readonly leftAtMostMs: number | null;
  /** Weathers in which a rule was violated, or the client ended in another way than expected. */
  readonly violated: number;
}

/** As long as a timer can be. */
export const LIMIT_MAX_MS = 0x7fff_ffff;
/** Those of others. */
const LISTENERS = 10;
/** A client that has made no call by then makes none, as a rule. Real ms. */
const FIRST_CALL_MS = 10_000;

/** @throws {UsageError} if the command cannot be started, or makes no call */
export async function runClient(options: ClientRunOptions): Promise<ClientRun> {
  const { client, weathers, seed, speed, limitMs, edition, handler, output, expect, signal } = options;
  // Each weather that runs listens to it.
  setMaxListeners(options.atOnce + LISTENERS, signal);
  const beganMs = performance.now();
  const results = new Map<string, WeatherResult>();
  /** By when each ends. */
  const running = new Map<string, number>();
  let violated = 0;
  let jobsWhenClear: number | null = null;
  const tell = (): void => {
    const waits = results.size + running.size < weathers.length;
    const leftAtMostMs = waits ? null : Math.max(0, ...running.values()) - performance.now();
    const [done, of] = [results.size, weathers.length];
    options.onProgress({ done, of, running: [...running.keys()], leftAtMostMs, violated });
  };

  async function run(weather: Weather, firstCallByMs?: number): Promise<WeatherResult | null> {
    const ownLimitMs = Math.min(LIMIT_MAX_MS, limitMs * (weather.limitFactor ?? 1));
    running.set(weather.id, performance.now() + ownLimitMs);
    tell();
    const result = await runWeather({
      ...{ client, weather, speed, edition, handler, output, signal, firstCallByMs, jobsWhenClear },
      limitMs: ownLimitMs,
      chance: createRandom(seed).fork(weather.id).intBetween(0, 1_000) / 1_000,
      expected: expect.get(weather.id) ?? expect.get('*'),
    });
    running.delete(weather.id);
    if (result !== null) {
      results.set(weather.id, result);
      if (isViolated(result)) violated += 1;
    }
    tell();
    return result;
  }

  const [first, ...others] = weathers;
  if (first === undefined)
    throw new UsageError(`no condition is left to run under: "${program()} client --list" names them all`);
  // Alone, so that a client that cannot be judged at all is told so at once.
  const begun = await run(first, client.kind === 'attached' ? undefined : Math.min(FIRST_CALL_MS, limitMs));
  if (begun !== null && begun.session.calls.length === 0 && client.kind !== 'attached')
    if (first.listensAfterMs === undefined) throw new UsageError(whyNoCall(begun));
  // Where it runs under it, this condition is the first.
  if (begun !== null && first.id === 'clear' && succeeded(begun.session))
    jobsWhenClear = begun.session.jobs.length;
  // Those that last longest begin first.
  const waiting = [...others].sort((left, right) => lasts(right) - lasts(left));
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next === undefined) return;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, lane));
  return {
    runproof: packageVersion(),
    client: options.name ?? nameOf(client),
    startedAt: options.startedAt,
    wallMs: Math.round(performance.now() - beganMs),
    ...{ seed, speed, edition },
    results: patiently(weathers.flatMap(({ id }) => results.get(id) ?? [])),
    untried: weathers.flatMap(({ id }) => (results.has(id) ? [] : [id])),
  };
}

/** Judges again with what is known at the end: how long the client waits for its job before it gives up. */
function patiently(results: readonly WeatherResult[]): readonly WeatherResult[] {
  const never = results.find(({ session }) => session.weather.id === 'job-never-starts')?.session;
  if (never?.end.kind !== 'ended') return results;
  // Where the ttl that it gave its job has ended the wait, it says how long the client would have waited.
  const ttlsMs = never.jobs.flatMap(({ state, ttlMs }) => (state === 'GONE' ? ttlMs : []));
  const patienceMs = largest([never.end.atMs, ...ttlsMs]);
  return results.map((result) => {
    const session = { ...result.session, patienceMs };
    return { ...result, session, verdicts: judgeSession(session) };
  });
}

/** How long, in limits, as far as it is known. */
function lasts({ forEver, faults = [], job, limitFactor }: Weather): number {
  const isLong =
    forEver === true ||
    job?.queueMs === null ||
    faults.some((fault) => parseRule(fault).share.kind === 'time');
  return limitFactor ?? (isLong ? 1 : 0);
}

const isViolated = ({ verdicts, ending }: WeatherResult): boolean =>
  ending.kind === 'unexpected' || verdicts.some(({ state }) => state === 'violated');

function nameOf(client: ClientProgram): string {
  if (client.kind === 'command') return client.command.join(' ');
  return client.kind === 'function' ? client.name : 'attached';
}

function whyNoCall({ session: { end }, output }: WeatherResult): string {
  const last = `${output.stderr}\n${output.stdout}`.trim().split('\n').slice(-5);
  return [
    `the client made no call: ${endSentence(end)}.`,
    'It has to call the address in RUNPROOF_ENDPOINT_URL (or RUNPROOF_URL, without /v2/ID), with the key in RUNPROOF_API_KEY;',
    'RUNPOD_ENDPOINT_BASE_URL, RUNPOD_ENDPOINT_ID and RUNPOD_API_KEY are also set.',
    ...(last.join('') === '' ? [] : ['Its last output:', ...last.map((line) => `  ${line}`)]),
  ].join('\n');
}
