/** The value that `report.json` holds; its JSON Schema is `schemas/report.schema.json`. */
import type { Contradiction } from '../oracle/proof/contradiction.js';
import type {
  LatenessFinding,
  QuestionFinding,
  RequirementFinding,
  Verdict,
} from '../oracle/ledger/findings.js';
import type { Capability, Edition } from '../spec/types.js';
import type { ExitCode } from './conclusion.js';
import type { DialectComparison } from './dialect.js';

interface ReportTarget {
  readonly kind: 'simulator' | 'handler' | 'http';
  /** What people call it: its address, or the name of a simulator. */
  readonly name: string;
  /** `{base_url}`; null for a target without an address. */
  readonly url: string | null;
  /** What `runproof replay FILE` needs besides to reach it again; never the key. */
  readonly replayArguments: readonly string[];
  readonly clock: 'virtual' | 'controlled' | 'real';
  readonly capabilities: readonly Capability[];
}

export interface ReportFailure {
  readonly scenario: string;
  /** The file to replay, relative to the report; null when the script is not at hand. */
  readonly script: string | null;
  readonly expected: string;
  readonly actual: string;
  readonly proof: readonly string[];
  /** One line to copy, which plays it again from anywhere; null when the script is not at hand, or too long. */
  readonly replay: string | null;
  /** The call that showed it; null when no single call did. */
  readonly curl: string | null;
  /** Numbers of the calls in `history.ndjson`. */
  readonly calls: readonly number[];
  /** The instant of the history's clock from which `proof` and `contradiction` count, ms. 0 where older reports lack it. */
  readonly originMs?: number;
  /** The proof as data for a drawing; null where a single reply is wrong by itself. */
  readonly contradiction: Contradiction | null;
  /** The smallest part of the history found that shows the same; null where none was looked for. */
  readonly shrunk: ShrunkPart | null;
  /** Played again on the target, made small where that could be done; null where nobody asked for it. */
  readonly confirmed: ConfirmedScript | null;
}

export interface ConfirmedScript {
  /** The file to replay, relative to the report; null where it is the script that failed. */
  readonly script: string | null;
  readonly steps: number;
  /** Steps of the script that failed. */
  readonly of: number;
  /** The known fault of the simulator by which it was made small; null where none shows the same. */
  readonly fault: string | null;
  /** In so many of `plays` it failed in the same way. */
  readonly failed: number;
  readonly plays: number;
}

interface ShrunkPart {
  /** Numbers of the calls in `history.ndjson` whose answers contradict each other, in order of sending. */
  readonly calls: readonly number[];
  /** How many calls the whole history has. */
  readonly of: number;
  /** The file that holds it, relative to the report, for `runproof judge`; null where none was written. */
  readonly history: string | null;
}

export interface ReportRequirement extends Omit<RequirementFinding, 'failures'> {
  /** What the baseline says of a failure that it knows; null where it says nothing. */
  readonly known: string | null;
  /** The first few; `failed` counts them all. */
  readonly failures: readonly ReportFailure[];
}

export type ReportQuestion = QuestionFinding;

export type VerdictCounts = { readonly [verdict in Verdict]: number };

export interface ReportTotals {
  readonly must: VerdictCounts;
  readonly should: VerdictCounts;
  readonly may: VerdictCounts;
  /** Of the `must` that can be decided on this target, how many were; percent, one decimal. */
  readonly coveragePercent: number;
  /** Of the `must` that were decided, how many passed; percent, one decimal. */
  readonly conformancePercent: number;
  readonly scripts: number;
  readonly calls: number;
  /** As the plan had it; null where none was made. */
  readonly callsForeseen: number | null;
  readonly webhooks: number;
}

export interface Report {
  readonly schema: 'runproof-report/1';
  /** Version of the program. */
  readonly runproof: string;
  readonly exitCode: ExitCode;
  /** The verdict as a sentence. */
  readonly verdict: string;
  /** When the run began, ISO 8601; null when it is not to be told. */
  readonly at: string | null;
  readonly target: ReportTarget;
  readonly edition: Edition;
  readonly seed: number;
  readonly requirements: readonly ReportRequirement[];
  readonly openQuestions: readonly ReportQuestion[];
  /** What has drifted from the dialect that the run was held to; null where it was held to none. */
  readonly dialect: DialectComparison | null;
  readonly lateness: { readonly [timer: string]: LatenessFinding };
  /** The ceiling for lateness: a timer that strikes later fails, ms. */
  readonly graceMs: number;
  readonly warnings: readonly string[];
  /** Requirements of the baseline that need its author; null where there is no baseline. */
  readonly baseline: { readonly stale: readonly string[]; readonly expired: readonly string[] } | null;
  readonly totals: ReportTotals;
  readonly time: {
    readonly wallMs: number;
    /** The longest time in which a lane did nothing but wait, on the target's clock. */
    readonly longestWaitMs: number;
    /** The wall time that the plan had foreseen; null where none was made. */
    readonly foreseenMs: number | null;
  };
}
