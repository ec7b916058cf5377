/** `judgeClient`, which is `runproof client` in process: for a client that is a function, in a test. */
import type { Json } from '../../history/events.js';
import { program } from '../../program-name.js';
import { causesFirst } from '../../report/causes.js';
import { withoutKeys } from '../../report/client/keys.js';
import { conditionsBreaking } from '../../report/client/rows.js';
import { violationsIn } from '../../report/client/condition.js';
import { clientReport } from '../../report/client/build.js';
import { renderTerminal } from '../../report/terminal/terminal.js';
import type { HandlerFunction } from '../../server/handlers/handler-api.js';
import type { Edition } from '../../spec/index.js';
import { RunproofError } from '../../util/runproof-error.js';
import type { ClientEnvironment } from './environment.js';
import { isCount } from '../../util/json.js';
import { isSpeed, SPEED_RANGE } from '../../util/speed.js';
import { UsageError } from '../../util/errors.js';
import { atOnceHere, LIMIT_MS, SPEED } from './defaults.js';
import { runClient } from './run-client.js';
import { weatherIds, weathersFor } from './select-weathers.js';

/** In which weathers a client is judged, and how. Every option has a default. @public */
export interface JudgeClientOptions {
  /** `'all'`, or ids of weathers, or patterns such as `read-*`; `runproof client --list` has them. Default `'all'`. */
  readonly weather?: 'all' | readonly string[] | undefined;
  /** Another seed gives other durations: a safe integer. Default 1. */
  readonly seed?: number | undefined;
  /** How many times as fast as real time jobs wait and run, 0.1 to 10,000. Default 60. */
  readonly speed?: number | undefined;
  /** The longest that one weather lasts, real ms; then the signal is aborted. Default 30 s. */
  readonly limitMs?: number | undefined;
  /** Weathers side by side, from 1. Default: 4 for each core, at most 32. */
  readonly atOnce?: number | undefined;
  /** Default `document`. A client that is made for RunPod wants `runpod`. */
  readonly edition?: Edition | undefined;
  /** What jobs return. Default: `{ echo: input }`. */
  readonly output?: Json | undefined;
  /** Makes the outputs of jobs. Default: `output`. */
  readonly handler?: HandlerFunction | undefined;
  /** By the id of a weather, or `*` for all others: how the client ends. Default: as the weather leads to. */
  readonly expect?: { readonly [weather: string]: 'success' | 'failure' | 'either' } | undefined;
  /** Its name in the report. Default `client`. */
  readonly name?: string | undefined;
  /** Ends the run early. */
  readonly signal?: AbortSignal | undefined;
}

/** What was found of a client. @public */
export interface JudgedClient {
  /** No rule was violated, and in each weather it ended as the weather leads to. */
  readonly survived: boolean;
  /** One sentence: what is wrong, the gravest first. */
  readonly cause: string;
  /** The gravest first. */
  readonly violations: readonly ClientViolation[];
  /** What `runproof client` prints. */
  readonly text: string;
  /** @throws {RunproofError} `does-not-conform`, with the text as its message, unless it survived */
  assertSurvived(): void;
}

/** A rule that a client has violated in a weather. @public */
export interface ClientViolation {
  /** Such as `client/stops-at-failed`. */
  readonly rule: string;
  /** The id of the weather. */
  readonly weather: string;
  /** What it did, in words. */
  readonly text: string;
}

const COLUMNS = 110;

export async function judgeClient(
  run: (environment: ClientEnvironment, signal: AbortSignal) => unknown,
  options: JudgeClientOptions,
): Promise<JudgedClient> {
  const { weather = 'all', name = 'client', expect = {} } = options;
  checkOptions(options);
  const given = await runClient({
    client: { kind: 'function', name, run },
    weathers: weathersFor(weather === 'all' ? [] : weather, []),
    seed: options.seed ?? 1,
    speed: options.speed ?? SPEED,
    limitMs: options.limitMs ?? LIMIT_MS,
    atOnce: options.atOnce ?? atOnceHere(),
    edition: options.edition ?? 'document',
    handler: options.handler,
    output: options.output,
    expect: new Map(Object.entries(expect)),
    signal: options.signal ?? new AbortController().signal,
    onProgress: () => undefined,
    startedAt: new Date().toISOString(),
  });
  // A client may print its key.
  const report = clientReport(
    withoutKeys(given),
    (ids) => `judgeClient(run, { weather: ['${ids.join("', '")}'], seed: ${given.seed} })`,
  );
  const text = renderTerminal(report, {
    ...{ colour: false, verbose: false, titles: new Map(), quotes: new Map() },
    ...{ columns: COLUMNS, program: program(), directory: null },
  });
  const survived = report.exitCode === 0;
  return {
    survived,
    cause: report.verdict,
    violations: causesFirst(report).flatMap(({ id, rule }) =>
      conditionsBreaking({ id, ...rule }, report.conditions ?? []).map((condition) => ({
        rule: id,
        weather: condition.weather.id,
        text: violationsIn(condition, id)[0]?.text ?? '',
      })),
    ),
    text,
    assertSurvived() {
      if (!survived) throw new RunproofError('does-not-conform', text);
    },
  };
}

/** @throws {UsageError} */
function checkOptions({
  seed = 1,
  speed = SPEED,
  limitMs = 1,
  atOnce = 1,
  expect = {},
}: JudgeClientOptions): void {
  if (!Number.isSafeInteger(seed)) throw new UsageError(`the seed is an integer, not ${seed}`);
  if (!isSpeed(speed)) throw new UsageError(`the speed of time is ${SPEED_RANGE}, not ${speed}`);
  if (!isCount(limitMs) || limitMs < 1) throw new UsageError(`limitMs is an integer from 1, not ${limitMs}`);
  if (!isCount(atOnce) || atOnce < 1) throw new UsageError(`atOnce is an integer from 1, not ${atOnce}`);
  // One that is misspelt would expect nothing.
  for (const id of Object.keys(expect)) if (id !== '*') weatherIds(id);
}
