/** `client`: runs a client of the API in one weather after the other, and judges what it did. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientProgram } from './programs.js';
import { LIMIT_MAX_MS, runClient, type ClientRunOptions } from './run-client.js';
import { atOnceHere, LIMIT_MS, SPEED } from './defaults.js';
import { variablesOf } from './environment.js';
import { UsageError } from '../../util/errors.js';
import { makeFolder } from '../../make-folder.js';
import { whyUnusable } from '../../files/user-file.js';
import { SEED_MAX } from '../../checking/plan/seed.js';
import type { ClientRun } from '../../client/report.js';
import { CLIENT_RULES } from '../../client/rules/index.js';
import { ENDING } from '../../report/client/condition.js';
import { withoutKeys } from '../../report/client/keys.js';
import { quoteForShell } from '../../report/escape.js';
import { clientReport, judgedByBaseline } from '../../report/client/build.js';
import { createRedactor, type Baseline, type ExitCode, type Report } from '../../report/index.js';
import { updatedBaseline } from '../../report/compare/baseline.js';
import { FORMATS_DEFAULT } from '../../report/formats/names.js';
import type { HandlerFunction } from '../../server/handlers/handler-api.js';
import { loadHandler } from '../../server/handlers/load-handler.js';
import { program } from '../../program-name.js';
import { possibleKeys } from '../../cli/options/api-key.js';
import { baselineFile } from '../../cli/report/baseline-file.js';
import { CLIENT_OPTIONS } from './options.js';
import type { ClientSettings } from './index.js';
import { clientList } from './list-conditions.js';
import { createClientProgress } from './progress.js';
import { expectations, selectedWeathers } from './chosen-weathers.js';
import { wantsColour, type Io } from '../../cli/io.js';
import { wordsOf, type Given } from '../../cli/options/option.js';
import { printReport } from '../../cli/report/print-report.js';
import { writeReport } from '../../cli/report/write-report.js';

export async function client(given: ClientSettings, io: Io, spelt: Given): Promise<ExitCode> {
  if (given.list) {
    io.out(clientList(io.columns, wantsColour(io)));
    return 0;
  }
  const { command } = spelt;
  checkCommand(given, command);
  const weathers = selectedWeathers(given);
  checkTogether(given, weathers.length);
  const judged = programOf(given, command, io);
  const known = baselineFile(given, io, [...CLIENT_RULES.map(({ id }) => id), ENDING]);
  const seed = given.seed ?? Math.floor(Math.random() * SEED_MAX);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const progress = createClientProgress(io);
  const options: ClientRunOptions = {
    ...{ client: judged, name: given.name, weathers, seed, speed: given.speed, output: given.output },
    limitMs: given.limitMs ?? (given.attach ? LIMIT_MAX_MS : LIMIT_MS),
    atOnce: given.atOnce ?? atOnceHere(),
    edition: given.edition ?? 'document',
    handler: await handlerOf(given, io),
    expect: expectations(given.expect),
    signal: stop.signal,
    onProgress: given.attach ? () => {} : progress.show,
    startedAt: io.timestamp(),
  };
  // Whether it can be written shows now, and not after the run.
  if (given.out !== undefined) await inFolder(given.out, async () => makeFolder(resolve(io.cwd, given.out!)));
  try {
    const run = await runClient(options);
    progress.stop();
    return await conclude(run, repeatOf(given, seed, spelt), given, known, io);
  } finally {
    progress.stop();
    forget();
  }
}

/** First, because a command without `--` looks like a weather. */
function checkCommand({ attach }: ClientSettings, command: readonly string[]): void {
  if (attach && command.length > 0)
    throw new UsageError('--attach starts no command: leave out what follows --');
  if (!attach && command.length === 0)
    throw new UsageError(
      `the command of the client is missing: ${program()} client -- COMMAND…; or add --attach, to judge a program that you start yourself`,
    );
}

function checkTogether({ attach, formats, out }: ClientSettings, weathers: number): void {
  if (attach && weathers > 1)
    throw new UsageError('--attach is for one condition: name one with --only, such as --only job-fails');
  if (out === undefined && formats?.some((format) => format !== 'terminal') === true)
    throw new UsageError('--format requires a folder: add --out FOLDER');
}

function programOf({ attach, input }: ClientSettings, command: readonly string[], io: Io): ClientProgram {
  if (!attach) return { kind: 'command', command, cwd: io.cwd, env: io.env, input: inputOf(input, io) };
  return {
    kind: 'attached',
    onReady(environment) {
      for (const [name, value] of Object.entries(variablesOf(environment)))
        if (name !== 'RUNPROOF_LIMIT_MS' || environment.limitMs < LIMIT_MAX_MS)
          io.out(`export ${name}=${quoteForShell(value)}\n`);
      io.note(
        `condition ${environment.weather}: let your client call this address; Ctrl-C ends it with a report\n`,
      );
    },
  };
}

function inputOf(file: string | undefined, { cwd }: Io): Buffer | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file === '-' ? 0 : resolve(cwd, file));
  } catch (error) {
    throw new UsageError(`--input ${file} ${whyUnusable(error)}`);
  }
}

async function handlerOf({ handler }: ClientSettings, { cwd }: Io): Promise<HandlerFunction | undefined> {
  if (handler === undefined) return undefined;
  const file = resolve(cwd, handler);
  if (!existsSync(file)) throw new UsageError(`--handler ${handler} does not exist`);
  return loadHandler(file).catch((error: Error) => {
    throw new UsageError(error.message);
  });
}

/** Options that change what happens in a weather. */
const REPEATED = ['limit', 'edition', 'output', 'handler', 'input', 'expect'] as const;

function repeatOf(
  { speed, attach }: ClientSettings,
  seed: number,
  spelt: Given,
): (weathers: readonly string[]) => string {
  const names = [...(speed === SPEED ? [] : (['speed'] as const)), ...REPEATED];
  const options = wordsOf(
    spelt,
    names.map((name) => [name, CLIENT_OPTIONS[name]]),
  );
  const end = attach ? ['--attach'] : ['--', ...spelt.command];
  return (weathers) =>
    [
      program(),
      ...['client', '--only', weathers.join(','), '--seed', `${seed}`, ...options, ...end].map(quoteForShell),
    ].join(' ');
}

/** Prints the report and writes it, and updates the baseline. */
async function conclude(
  run: ClientRun,
  repeat: (conditions: readonly string[]) => string,
  given: ClientSettings,
  known: ReturnType<typeof baselineFile>,
  io: Io,
): Promise<ExitCode> {
  // Keys of the emulator, and of the user: a client may print what it finds in its environment.
  const redactor = createRedactor([...possibleKeys([], io.env), io.env['RUNPOD_API_KEY'] ?? '']);
  const reportWith = (entries: Baseline | undefined): Report => {
    const baseline = entries && { entries, today: run.startedAt.slice(0, 10) };
    return redactor.value(clientReport(withoutKeys(run), repeat, { baseline }));
  };
  let report = reportWith(known.baseline);
  if (known.baseline && known.onBaseline && run.untried.length === 0) {
    const { requirements, conditions = [] } = report;
    const updated = updatedBaseline(known.baseline, judgedByBaseline(requirements, conditions));
    known.onBaseline(updated);
    report = reportWith(updated);
  }
  const { formats, out, quiet, verbose } = given;
  if (out !== undefined)
    await inFolder(out, () =>
      writeReport(report, [], formats ?? FORMATS_DEFAULT, resolve(io.cwd, out), io.cwd),
    );
  return printReport(
    report,
    { redactor, folder: out ?? null },
    { formats: formats && [...formats, 'terminal'], quiet, verbose, open: false },
    io,
  );
}

async function inFolder(folder: string, does: () => Promise<unknown>): Promise<void> {
  try {
    await does();
  } catch (error) {
    throw new UsageError(`--out ${folder} ${whyUnusable(error)}: choose another folder`);
  }
}
