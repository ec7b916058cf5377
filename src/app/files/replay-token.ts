/**
 * A failure as one word to copy, for readers who have the report's text but not its files: `rp1-…`. It names the
 * scenario, its seed and the limits it was drawn under, where these give the same script again; else it holds the
 * script itself.
 */
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Environment } from '../../explore/index.js';
import type { FailureFile } from '../../report/index.js';
import {
  drawOrLeaveOut,
  parseScript,
  ScriptError,
  type Limits,
  type NamedScenario,
  type Script,
} from '../../scenario/index.js';
import type { Edition } from '../../spec/types.js';
import { UsageError } from '../errors.js';

const PREFIX = 'rp1-';
/** A line longer than this is nothing to copy: the file has to do. */
const LENGTH_MAX = 4_000;
/** Nothing that was made here unpacks to more. */
const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;

/** Where the explorer found it: the simulator's world, and the known fault that stood in it, if any. */
interface FoundIn {
  readonly world: Environment;
  readonly mutant: string | null;
}

/** A failure to play again, wherever it was kept. */
export interface SavedFailure {
  readonly script: Script;
  /** The requirements that failed; empty for a bare script, which fails by any. */
  readonly requirements: readonly string[];
  readonly edition: Edition | null;
  /** Null for one that was seen on a target of the user's. */
  readonly found: (FoundIn & { readonly alone: boolean; readonly seed: number; readonly run: number }) | null;
}

/** How a token is packed; short names, since people copy it. */
interface Packed {
  /** Scenario, seed, limits, and a hash of the script that has to come of them. */
  readonly d?: readonly [scenario: string, seed: number, limits: Limits, hash: string];
  readonly s?: unknown;
  readonly r: readonly string[];
  readonly e: Edition;
  readonly f?: FoundIn;
}

export interface TokenOptions {
  readonly requirements: readonly string[];
  readonly edition: Edition;
  /** Scenarios by which `replay` can draw the script again: the shipped ones. */
  readonly scenarios: readonly NamedScenario[];
  /** What the target could bear; null where the script was not drawn for a target. */
  readonly limits: Limits | null;
  readonly found?: FoundIn;
}

/** Null where it would be too long. */
export function tokenOf(script: Script, options: TokenOptions): string | null {
  const { requirements, edition, found } = options;
  const packed: Packed = {
    ...(drawnAgain(script, options) ?? { s: script }),
    r: requirements,
    e: edition,
    ...(found === undefined ? {} : { f: { world: found.world, mutant: found.mutant } }),
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

/** @throws {UsageError} for a token that is cut short, or whose scenario draws something else by now */
export function readToken(text: string, scenarios: readonly NamedScenario[]): SavedFailure {
  const packed = unpack(text);
  const { r: requirements, e: edition, f } = packed;
  const found = f === undefined ? null : { ...f, alone: true, seed: f.world.seed, run: 0 };
  return { script: scriptIn(packed, scenarios), requirements, edition, found };
}

function unpack(text: string): Packed {
  try {
    const bytes = inflateRawSync(Buffer.from(text.slice(PREFIX.length), 'base64url'), {
      maxOutputLength: UNPACKED_BYTES_MAX,
    });
    const value = JSON.parse(bytes.toString('utf8')) as Partial<Packed>;
    if (Array.isArray(value.r) && (value.d !== undefined || value.s !== undefined)) return value as Packed;
  } catch {
    // Told below.
  }
  throw new UsageError('this token is not whole: copy it from rp1- to its end');
}

function scriptIn({ d, s }: Packed, scenarios: readonly NamedScenario[]): Script {
  if (d === undefined) {
    try {
      return parseScript(s);
    } catch (error) {
      if (error instanceof ScriptError) throw new UsageError(`this token holds no script: ${error.message}`);
      throw error;
    }
  }
  const [name, seed, limits, hash] = d;
  const scenario = scenarios.find((each) => each.name === name);
  const drawn = scenario === undefined ? null : drawOrLeaveOut(scenario, seed, limits);
  if (drawn !== null && 'script' in drawn && hashOf(drawn.script) === hash) return drawn.script;
  throw new UsageError(
    `this token is of another version of Runproof, whose scenario ${name} drew another script: replay the file in the report's failures/ instead`,
  );
}

function hashOf({ workers, steps }: Script): string {
  return createHash('sha256')
    .update(JSON.stringify([workers, steps]))
    .digest('hex')
    .slice(0, 8);
}

/** What a failure file holds; a file of the explorer's tells its world as well. */
export type SavedFile = FailureFile & { readonly found?: SavedFailure['found'] };
