/**
 * A failure as one word to copy, for readers who have the text of a report but not its files: `rp1-…`. It
 * contains the scenario, its seed and its limits if these draw the same script again; otherwise the script
 * itself.
 */
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Environment } from '../explore/index.js';
import type { FailureRate } from '../report/failure-file.js';
import type { FailureFile } from '../report/index.js';
import {
  drawOrLeaveOut,
  parseScript,
  ScriptError,
  type Limits,
  type NamedScenario,
  type Script,
} from '../scenario/index.js';
import type { Edition } from '../spec/types.js';
import { shippedSchema } from '../package-files.js';
import { definition, violationOf } from '../util/json-schema.js';
import { UsageError } from '../util/errors.js';
import { inEarlierWords } from '../scenario/earlier-words.js';

const PREFIX = 'rp1-';
/** Longer tokens are too long to copy: use the file instead. */
const LENGTH_MAX = 4_000;
/** No valid token unpacks to more. */
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;

/** Where the explorer found it: the simulated environment and its known fault, if any. */
interface FoundIn {
  readonly world: Environment;
  readonly mutant: string | null;
}

/** A failure to run again, read from a file or a token. */
export interface SavedFailure {
  readonly script: Script;
  /** The requirements that failed; empty for a bare script, where every failure counts. */
  readonly requirements: readonly string[];
  readonly edition: Edition | null;
  /** Of the run in which it failed on the user's target; null: not known. */
  readonly runSeed: number | null;
  /** Words of `check` that chose what was played in that run, besides the seed. */
  readonly choiceWords?: readonly string[] | undefined;
  /** Of an intermittent failure. */
  readonly confirmed?: FailureRate | undefined;
  /** Null if it failed on the user's target. */
  readonly found: (FoundIn & { readonly alone: boolean; readonly seed: number; readonly run: number }) | null;
}

/** The content of a token. Names are short because people copy tokens. */
interface Packed {
  /** Scenario, seed, limits, and the hash of the script that they draw. */
  readonly d?: readonly [scenario: string, seed: number, limits: Limits, hash: string];
  readonly s?: unknown;
  readonly r: readonly string[];
  readonly e: Edition;
  readonly f?: FoundIn;
  /** The seed of the run. */
  readonly n?: number;
  /** The words that chose what was played in it. */
  readonly w?: readonly string[];
  /** Of an intermittent failure: in how many of how many more runs it failed. */
  readonly p?: readonly [failed: number, plays: number];
}

export interface TokenOptions {
  readonly requirements: readonly string[];
  readonly edition: Edition;
  /** Scenarios from which `replay` can draw the script again: the shipped ones. */
  readonly scenarios: readonly NamedScenario[];
  /** The target's limits; null if the script was not drawn for a target. */
  readonly limits: Limits | null;
  readonly found?: FoundIn | undefined;
  readonly runSeed?: number | undefined;
  readonly choiceWords?: readonly string[] | undefined;
  readonly confirmed?: FailureRate | undefined;
}

/** Null if it would be too long. */
export function tokenOf(script: Script, options: TokenOptions): string | null {
  const { requirements, edition, found, runSeed, choiceWords, confirmed } = options;
  const packed: Packed = {
    ...(drawnAgain(script, options) ?? { s: script }),
    r: requirements,
    e: edition,
    ...(found === undefined ? {} : { f: { world: found.world, mutant: found.mutant } }),
    ...(runSeed === undefined ? {} : { n: runSeed }),
    ...(choiceWords?.length && { w: choiceWords }),
    ...(confirmed && { p: [confirmed.failed, confirmed.plays] as const }),
  };
  const token = PREFIX + deflateRawSync(JSON.stringify(packed), { level: 9 }).toString('base64url');
  return token.length <= LENGTH_MAX ? token : null;
}

function drawnAgain(script: Script, { scenarios, limits }: TokenOptions): Pick<Packed, 'd'> | null {
  const scenario = scenarios.find(({ name }) => name === script.scenario);
  if (scenario === undefined || limits === null) return null;
  const drawn = drawOrLeaveOut(scenario, script.seed, limits);
  const same = 'script' in drawn && hashOf(drawn.script) === hashOf(script);
  return same ? { d: [scenario.name, script.seed, limits, hashOf(script)] } : null;
}

export const isToken = (text: string): boolean => text.startsWith(PREFIX);

/** @throws {UsageError} for an incomplete token, and for one whose scenario now draws another script */
export function readToken(text: string, scenarios: readonly NamedScenario[]): SavedFailure {
  const packed = unpack(text);
  const { r: requirements, e: edition, f, n: runSeed = null, w: choiceWords, p } = packed;
  const found = f === undefined ? null : { ...f, alone: true, seed: f.world.seed, run: 0 };
  const confirmed = p && { failed: p[0], plays: p[1] };
  return {
    script: scriptIn(packed, scenarios),
    requirements,
    edition,
    runSeed,
    choiceWords,
    confirmed,
    found,
  };
}

function unpack(text: string): Packed {
  try {
    const bytes = inflateRawSync(Buffer.from(text.slice(PREFIX.length), 'base64url'), {
      maxOutputLength: UNPACKED_BYTES_MAX,
    });
    const value = JSON.parse(bytes.toString('utf8')) as Partial<Packed>;
    const schema = shippedSchema('failure');
    const isWhole =
      violationOf(value, definition(schema, 'token'), schema) === null &&
      (value.d !== undefined || value.s !== undefined);
    if (isWhole) return value as Packed;
  } catch {
    // Reported below.
  }
  throw new UsageError('the token is incomplete: copy all of it, from rp1- to its end');
}

function scriptIn({ d, s }: Packed, scenarios: readonly NamedScenario[]): Script {
  if (d === undefined) {
    try {
      return parseScript(s);
    } catch (error) {
      if (error instanceof ScriptError)
        throw new UsageError(`the token contains no valid script: ${error.message}`);
      throw error;
    }
  }
  const [name, seed, limits, hash] = d;
  const scenario = scenarios.find((each) => each.name === name);
  const drawn = scenario === undefined ? null : drawOrLeaveOut(scenario, seed, limits);
  if (drawn !== null && 'script' in drawn) {
    const { script } = drawn;
    if ([script, inEarlierWords(script)].some((one) => hashOf(one) === hash)) return script;
  }
  throw new UsageError(
    `the token is from another version of Runproof, whose scenario ${name} drew another script: replay the file in the report's failures/ folder instead`,
  );
}

function hashOf({ workers, steps }: Script): string {
  return createHash('sha256')
    .update(JSON.stringify([workers, steps]))
    .digest('hex')
    .slice(0, 8);
}

/** The content of a failure file; one of the explorer also has its environment. */
export type SavedFile = FailureFile & { readonly found?: SavedFailure['found'] };
