/** The options of `client`. */
import { SPEED } from './defaults.js';
import { UsageError } from '../../util/errors.js';
import { readUserJson } from '../../files/user-file.js';
import type { Json } from '../../history/events.js';
import {
  duration,
  flag,
  grouped,
  integer,
  many,
  parsed,
  text,
  withDefault,
} from '../../cli/options/option.js';
import { FORMAT_NAMES } from '../../report/formats/names.js';
import { BASELINE, EDITION, out, OUTPUT, RUN, SCOPE, SEED } from '../../cli/options/option-table.js';
import { apart, listOf, speedIn } from '../../cli/options/values.js';

/** Names that are completed, loaded where one is asked for. */
const weathers = async (): Promise<readonly string[]> =>
  (await import('../../client/weather/index.js')).WEATHERS.map(({ id }) => id);

/** What a client is expected to end with in the weathers that the pattern names. */
export interface Expectation {
  readonly weathers: string;
  readonly expected: 'success' | 'failure' | 'either' | number;
}

const ENDS = ['success', 'failure', 'either'] as const;
const EXIT_CODE_MAX = 255;

/** `job-fails=3`, `read-*=either`, or `any`. @throws {UsageError} */
function expectationIn(value: string): Expectation {
  if (value === 'any') return { weathers: '*', expected: 'either' };
  const [, pattern, end] = /^([^=]+)=(.+)$/.exec(value.trim()) ?? [];
  const word = ENDS.find((one) => one === end);
  const code = /^\d{1,3}$/.test(end ?? '') ? Number(end) : EXIT_CODE_MAX + 1;
  if (pattern === undefined || (word === undefined && code > EXIT_CODE_MAX))
    throw new UsageError(
      `--expect requires CONDITION=success, CONDITION=failure, CONDITION=either, CONDITION=CODE, or any, not "${value}"`,
    );
  return { weathers: pattern, expected: word ?? code };
}

const AT_ONCE_MAX = 256;
/** A client whose first call takes longer than this cannot be judged. */
const LIMIT_MIN_MS = 1_000;

export const CLIENT_OPTIONS = {
  list: flag('Describe every condition and rule, and run nothing'),
  attach: flag('Start no program; judge any client that calls the printed address, until Ctrl-C or --limit'),
  ...grouped(SCOPE, {
    only: many('Run only these conditions: ids, or patterns such as read-*', { values: weathers }, apart),
    skip: many('Run all conditions except these', { values: weathers }, apart),
    expect: many(
      'Expected exit under a condition: CONDITION=success, =failure, =either or =CODE (may be repeated), or any to ignore exit codes',
      { nargs: 1, defaultDescription: 'code 0 if the job completes, another code if not' },
      (values) => values.map(expectationIn),
    ),
    ...EDITION,
  }),
  ...grouped(RUN, {
    seed: { ...SEED.seed, describe: 'Number that sets the random durations; reuse it to repeat them' },
    speed: withDefault(parsed(speedIn, "Speed of the emulator's clock: 0.1 to 10000 times real time"), SPEED),
    limit: duration(
      'Time limit of the client under a condition; three times as long if /runsync answers late, seven times if a reply or a worker never comes',
      { as: 'limitMs', defaultDescription: '30s; with --attach none' },
      LIMIT_MIN_MS,
    ),
    'at-once': integer(1, AT_ONCE_MAX, 'Number of conditions to run at the same time', {
      defaultDescription: '4 for each core, at most 32',
    }),
    output: parsed(
      (file, option, cwd) => jsonOrFile(file, option, cwd),
      'Output of the jobs, as JSON or as the name of a JSON file',
    ),
    handler: text('Module whose default export processes the jobs'),
    input: text('File for the standard input of the client; - uses the standard input of this command', {
      defaultDescription: 'no input',
    }),
  }),
  ...grouped(OUTPUT, {
    name: text("Name of the client in reports and in report matrix, such as 'my-sdk 1.2'", {
      defaultDescription: 'the command',
    }),
    ...out('no report is written'),
    format: many(
      `With --out: report formats, separated by commas: ${FORMAT_NAMES.join(', ')}`,
      { nargs: 1, as: 'formats', values: FORMAT_NAMES, defaultDescription: 'json,html' },
      (values, option) => (values.length === 0 ? undefined : listOf(option, values, FORMAT_NAMES)),
    ),
    ...BASELINE,
  }),
};

function jsonOrFile(value: string, option: string, cwd: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    if (/^[[{"]/.test(value.trim())) throw new UsageError(`--${option} is not JSON`);
    return readUserJson(value, cwd, option) as Json;
  }
}
