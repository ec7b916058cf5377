/** Parses the command line, runs the command, and reports its errors. */
import yargs, { type Argv } from 'yargs';
import type { ExitCode } from '../report/conclusion.js';
import { createRedactor } from '../report/redact.js';
import { escapeControls, escapeLines, quoteForShell } from '../report/escape.js';
import { possibleKeys } from '../cli/options/api-key.js';
import { completes } from './completion.js';
import { readConfig } from './config-file.js';
import {
  camelCase,
  givenIn,
  settingsOf,
  type OptionTable,
  type RawOptions,
  type Settings,
} from '../cli/options/option.js';
import { whyUnusable } from '../files/user-file.js';
import { InterruptedError, UnreachableError, UsageError } from '../util/errors.js';
import type { Io } from '../cli/io.js';
import { CONFIG, GENERAL, GENERAL_OPTIONS } from '../cli/options/option-table.js';
import { packageVersion } from '../package-files.js';
import { didYouMean } from '../util/suggest.js';
import { program } from '../program-name.js';
import { nameOf, rowsOf, type Command } from '../cli/options/command.js';
import { CHECK_CONFIG } from '../features/check/index.js';
import { COMMANDS } from './commands.js';
import { exitCodeLines } from '../cli/options/exit-codes.js';

const NAMES = COMMANDS.map(nameOf);

/** Runs one command line and returns its exit code. Never throws, never exits. */
export async function runCli(args: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    return reportError(error, args, io);
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<ExitCode> {
  if (await completes(args, io)) return 0;
  const { own, command: foreign } = withoutCommand(withDashed(args));
  let chosen: { command: Command; raw: RawOptions } | null = null;
  const parser = createParser(
    own.length === 0 || own.some(asksForHelp) ? io.columns : null,
    (command, raw) => {
      chosen = { command, raw };
    },
  );
  let printed = '';
  let problem: Error | null = null;
  await parser.parseAsync([...own], {}, (error: Error | null | undefined, _argv: unknown, output: string) => {
    problem ??= error ?? null;
    printed ||= output;
  });
  if (problem !== null) throw usageErrorOf(problem, own);
  if (printed !== '') {
    io.out(`${printed.trimEnd()}\n`);
    return 0;
  }
  if (chosen === null) {
    // Without a command nothing was done: a script that lost it has to notice.
    io.err(`${(await parser.getHelp()).trimEnd()}\n`);
    return 2;
  }
  const { command, raw: named } = chosen as { command: Command; raw: RawOptions };
  const fromFile = command.configured === undefined ? {} : await configured(command.configured, named, io);
  const raw = { ...fromFile, ...named };
  const settings = settingsOf(rowsOf(command), raw, io.cwd);
  const given = givenIn(raw, Object.keys(fromFile), foreign ?? []);
  return command.run(settings, withGeneralOptions(settings, io), given);
}

/** `--help`, `-h`, also among other letters, and `help` as yargs takes it; of some others it is not known. */
const asksForHelp = (arg: string): boolean => /^(help$|--h|-[^-]*h)/.test(arg);

/** Divides the arguments at the first `--`, where the command takes a command line. Null: there is none. */
function withoutCommand(args: readonly string[]): {
  readonly own: readonly string[];
  readonly command: readonly string[] | null;
} {
  const at = args.indexOf('--');
  const own = at === -1 ? args : args.slice(0, at);
  const takesOne = commandIn(own)?.takesCommand === true;
  return at === -1 || !takesOne ? { own: args, command: null } : { own, command: args.slice(at + 1) };
}

/** Joins an option to its value by `=`, where the value begins with a dash and the option takes such values. */
function withDashed(args: readonly string[]): readonly string[] {
  const options = commandIn(args)?.options ?? {};
  const takes = (arg = ''): boolean => arg.startsWith('--') && options[arg.slice(2)]?.dashed === true;
  return args.flatMap((arg, at) => {
    const [before, after = ''] = [args[at - 1], args[at + 1]];
    if (takes(arg) && /^-[^-]/.test(after)) return [`${arg}=${after}`];
    return takes(before) && /^-[^-]/.test(arg) ? [] : [arg];
  });
}

function commandIn(args: readonly string[]): Command | undefined {
  const first = args.find((arg) => !arg.startsWith('-'));
  return COMMANDS.find((one) => nameOf(one) === first);
}

/** What the options do that every command has. */
function withGeneralOptions({ quiet, noColor }: Settings<OptionTable>, io: Io): Io {
  return {
    ...io,
    ...(quiet === true ? { note: () => {} } : {}),
    ...(noColor === true ? { env: { ...io.env, NO_COLOR: '1' } } : {}),
  };
}

/** What the configuration file says of these rows, and the command line does not. */
async function configured(rows: OptionTable, named: RawOptions, io: Io): Promise<RawOptions> {
  const { config, quiet } = settingsOf({ ...CONFIG, ...GENERAL_OPTIONS }, named, io.cwd);
  const note = (line: string): void => {
    if (!quiet) io.note(`${escapeControls(line)}\n`);
  };
  // Several commands read the file, so it may contain any option of `check`.
  const found = await readConfig(config, io, CHECK_CONFIG, note);
  const taken = new Set(Object.keys(rows).map(camelCase));
  return Object.fromEntries(
    Object.entries(found).filter(([name]) => taken.has(name) && named[name] === undefined),
  );
}

/** @param columns for the help; null: no help is asked for. Yargs writes it all the same, a tenth of a second for nothing. */
function createParser(columns: number | null, onChosen: (command: Command, raw: RawOptions) => void): Argv {
  let parser = yargs()
    .scriptName(program())
    .usage(
      '$0 <command>\n\nTests servers and clients of a job API (/run, /status, …), and emulates such a server.',
    )
    .locale('en')
    .updateStrings({ 'Positionals:': 'Arguments:' })
    .version(packageVersion())
    .help()
    .alias('help', 'h')
    .strict()
    .exitProcess(false)
    .parserConfiguration({
      'boolean-negation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .group(['help', 'version'], GENERAL)
    .epilogue(`"$0 <command> --help" shows the options, exit codes and examples of a command.${TERMS}`)
    .wrap(columns === null ? null : Math.min(100, columns));
  for (const command of COMMANDS) {
    parser = parser.command({
      command: command.usage,
      describe: command.describe,
      builder: (argv: Argv) => describeCommand(argv, command, columns === null),
      handler: (argv: { readonly [name: string]: unknown }) => onChosen(command, rawOptionsOf(argv, command)),
    });
  }
  return parser;
}

function describeCommand(argv: Argv, command: Command, hidden: boolean): Argv {
  const more = command.takesCommand === true ? ' [options] -- COMMAND…' : '';
  let described = argv
    .usage(`$0 ${command.usage}${more}\n\n${command.describe}`)
    .options(
      Object.fromEntries(
        Object.entries(withCommandsTyped(command.options)).map(([name, option]) => [
          name,
          { ...option, hidden },
        ]),
      ),
    );
  for (const [name, { describe, defaultDescription }] of Object.entries(command.arguments))
    described = described.positional(name, { type: 'string', describe, defaultDescription });
  return described.epilogue(`${examplesOf(command)}\n\n${exitCodeLines(command.exits)}${TERMS}`);
}

const TERMS = '\n\nTerms: docs/glossary.md';

/** Commands in our own texts, as the user types them. */
const typed = (text: string): string => text.replace(/\brunproof(?= [a-z])/g, () => program());

const withCommandsTyped = (options: OptionTable): OptionTable =>
  Object.fromEntries(
    Object.entries(options).map(([name, { describe = '', ...option }]) => [
      name,
      { ...option, describe: typed(describe) },
    ]),
  );

/** Not as yargs examples, which would be broken into columns and could not be copied. */
function examplesOf({ examples }: Command): string {
  return ['Examples:', ...examples.map(([line, meaning]) => `  # ${typed(meaning)}\n  ${typed(line)}`)].join(
    '\n',
  );
}

/** What is set, by camelCase name. */
function rawOptionsOf(argv: { readonly [name: string]: unknown }, command: Command): RawOptions {
  const names = [...Object.keys(command.options), ...Object.keys(command.arguments)];
  const set = names.filter((name) => argv[name] !== undefined);
  const raw = Object.fromEntries(set.map((name) => [camelCase(name), argv[name]])) as RawOptions;
  return 'url' in command.arguments && raw['url'] === undefined ? withUrl(raw) : raw;
}

/** If a list of selectors, or an option whose value may be left out, has taken in the address, it is put back. */
function withUrl(raw: RawOptions): RawOptions {
  for (const name of ['only', 'skip', 'requireConforms']) {
    const given = raw[name];
    const isList = Array.isArray(given);
    const last: unknown = isList ? given.at(-1) : given;
    if (typeof last === 'string' && /^https?:\/\//.test(last))
      return { ...raw, url: last, [name]: isList ? given.slice(0, -1) : '' };
  }
  return raw;
}

function usageErrorOf(problem: Error, args: readonly string[]): UsageError {
  const first = args.find((arg) => !arg.startsWith('-'));
  const command = commandIn(args);
  const unknown = /^Unknown (?:arguments?|commands?): (.+)$/.exec(problem.message)?.[1]?.split(', ') ?? [];
  if (unknown.length > 0 && first !== undefined && command === undefined) {
    return new UsageError(
      `there is no command "${first}".${didYouMean(first, NAMES)} "${program()} --help" shows them all`,
    );
  }
  // yargs reports an unknown option in both spellings.
  const option = unknown[0];
  if (option !== undefined && command !== undefined) {
    const isOption = args.some(
      (arg) => arg.startsWith('-') && arg.replace(/^-+/, '').split('=')[0] === option,
    );
    if (!isOption && command.takesCommand === true)
      return new UsageError(
        `the command to run begins after --: ${program()} ${first ?? ''} -- ${unknown.map(quoteForShell).join(' ')}`,
      );
    if (!isOption)
      return new UsageError(`unexpected argument "${option}": ${first ?? ''} takes no more arguments`);
    const near = didYouMean(option, Object.keys(command.options)).replace(
      /(mean |, | or )(?=[a-z])/g,
      '$1--',
    );
    return new UsageError(`${first ?? ''} has no option --${option}.${near}`);
  }
  const lacking = /^Not enough arguments following: (.+)$/.exec(problem.message)?.[1];
  if (lacking !== undefined) return new UsageError(`--${lacking} requires a value`);
  if (problem.message.startsWith('Not enough non-option arguments') && command !== undefined) {
    return new UsageError(`an argument is missing. Usage: ${program()} ${command.usage}`);
  }
  return new UsageError(problem.message);
}

function reportError(error: unknown, args: readonly string[], io: Io): ExitCode {
  // Messages may quote options that contain keys.
  const redact = createRedactor(possibleKeys(args, io.env)).text;
  const message = error instanceof Error ? error.message : String(error);
  const lines = escapeLines(message);
  if (error instanceof UsageError || error instanceof UnreachableError) {
    io.err(redact(`runproof: ${lines}\n`));
    return error instanceof UsageError ? 2 : 3;
  }
  if (error instanceof InterruptedError) {
    io.err(`runproof: ${lines}\n`);
    return 130;
  }
  if (isFileError(error)) {
    const place = `${escapeControls(error.path)} ${whyUnusable(error)}`;
    io.err(redact(`runproof: ${place}: choose another place\n`));
    return 2;
  }
  io.err(
    redact(
      `runproof: internal error: ${lines}\nThis is a bug of Runproof: please report it with the command line and the version ${packageVersion()}.\n`,
    ),
  );
  const verbose = args.includes('--verbose') || args.includes('-v');
  if (verbose && error instanceof Error) io.err(redact(`${error.stack ?? ''}\n`));
  else io.err('--verbose shows the stack.\n');
  return 4;
}

/** The system refuses a file or a folder, which the user has chosen or the machine lacks. */
function isFileError(error: unknown): error is { readonly [member in 'path' | 'syscall' | 'code']: string } {
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  return [code, syscall, path].every((each) => typeof each === 'string') && syscall !== 'listen';
}
