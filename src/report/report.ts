/** The value that `report.json` holds; its JSON Schema is `schemas/report.schema.json`. */
import type { ClientRule } from '../client/rule.js';
import type { Contradiction } from '../oracle/proof/contradiction.js';
import type {
  LatenessFinding,
  MissingOperation,
  QuestionFinding,
  RequirementFinding,
  SeenTransition,
  Verdict,
} from '../oracle/ledger/findings.js';
import type { Capability, Edition } from '../spec/types.js';
import type { Hint } from '../traffic/hints/hint.js';
import type { ReportedClient } from './client/seen.js';
import type { AnswerTimes } from './answer-times.js';
import type { FailureSign } from './calls/failure-sign.js';
import type { Assumptions } from './assumptions.js';
import type { Cause } from './causes.js';
import type { Condition } from './client/condition.js';
import type { ExitCode } from './conclusion.js';
import type { DialectComparison } from './dialect.js';

/** @internal */
interface ReportTarget {
  readonly kind: 'simulator' | 'handler' | 'http' | 'client';
  /** Its address, the name of a simulator, or the command of a client. */
  readonly name: string;
  /** `{base_url}`; null for a target without an address. */
  readonly url: string | null;
  /** Further arguments of `runproof replay FILE` to reach it again; never the key. */
  readonly replayArguments: readonly string[];
  readonly clock: 'virtual' | 'controlled' | 'real';
  /** How many times as fast as real time a `real` clock ran; absent: 1. */
  readonly speed?: number;
  readonly capabilities: readonly Capability[];
  /** Its clients were recorded; absent: the run made the calls itself. */
  readonly isRecorded?: true;
}

export interface ReportFailure {
  /** Of a client: the id of the condition. */
  readonly scenario: string;
  /** What happens under the condition, in a sentence; absent: it is a scenario. */
  readonly about?: string;
  /** Of a script that was shrunk after the run: how many steps it had before; absent: it is one of the run. */
  readonly stepsBefore?: number;
  /** The script in words, a line for each step and each wait, of a long one for each call that shows the failure; only of the first failure of a requirement. */
  readonly steps?: readonly string[];
  /** The file to replay, relative to the report; null if the script is not available. */
  readonly script: string | null;
  readonly expected: string;
  readonly actual: string;
  readonly proof: readonly string[];
  /** The endpoint of its calls, where `replay` is to make them again; absent: the target's. */
  readonly address?: string;
  /** A command that replays it without a file; null if the script is not available or too long. */
  readonly replay: string | null;
  /** The same calls as a shell script, relative to the report; null or absent if they cannot be told as one. */
  readonly shell?: string | null;
  /**
   * The call that showed it, as a line with `curl`, which submits the job first where the script did; null if no single call
   * did, or nothing is at its address.
   */
  readonly curl: string | null;
  /** Numbers of the calls in `history.ndjson`, or under the condition. */
  readonly calls: readonly number[];
  /** The instant of the history's clock from which `proof` and `contradiction` count, ms. 0 where older reports lack it. */
  readonly originMs?: number;
  /** The proof as data; null if a single reply is wrong by itself or, with no `calls`, if only the whole history shows it. */
  readonly contradiction: Contradiction | null;
  /** By which a merged report finds causes; absent: of no must, or in an older report. */
  readonly sign?: FailureSign;
  /** The smallest part found of the history that shows the failure; null if none was searched for. */
  readonly shrunk: ShrunkPart | null;
  /**
   * The script was run again on the target: with `check --shrink`, where it was shrunk if possible; otherwise only of an
   * intermittent failure. Null: it was not, or it failed each time.
   */
  readonly confirmed: ConfirmedScript | null;
  /** Why the script was not run again, where it may be intermittent: `its script takes 16 s`; absent: it was, or nothing asked for it. */
  readonly notRunAgain?: string;
}

export interface ConfirmedScript {
  /** The file with the shrunk script, relative to the report; null if it could not be shrunk. */
  readonly script: string | null;
  readonly steps: number;
  /** Steps of the original script. */
  readonly of: number;
  /** The known fault of the simulator against which it was shrunk; null if none has the same symptom. */
  readonly fault: string | null;
  /** How many of the `plays` runs failed in the same way; where that is less, the failure is intermittent. */
  readonly failed: number;
  readonly plays: number;
}

interface ShrunkPart {
  /** Numbers of the calls in `history.ndjson` whose answers contradict each other, in sending order. */
  readonly calls: readonly number[];
  /** The number of calls of the whole history. */
  readonly of: number;
  /** The file for `runproof judge`, relative to the report; null if none was written. */
  readonly history: string | null;
}

/** What a rule for clients has besides its id, its level and its text; of how a client exits, less. */
export type RuleFacts = Partial<
  Pick<ClientRule, 'source' | 'decidedBy' | 'harm' | 'isConsequence' | 'weather'>
>;

/** A requirement, or a rule for clients. @internal */
export interface ReportRequirement extends Omit<RequirementFinding, 'failures'> {
  /** Of a rule for clients, which fails a client whatever its level; absent: it is a requirement. */
  readonly rule?: RuleFacts;
  /** Of a broken rule for clients: what the client did, in a line. */
  readonly headline?: string;
  /** False for a requirement that the run was not asked about; absent: it was. */
  readonly selected?: false;
  /** The baseline entry as text if the failure is known; null otherwise. */
  readonly known: string | null;
  /** The first few; `failed` counts them all. */
  readonly failures: readonly ReportFailure[];
}

/** @internal */
export type ReportQuestion = QuestionFinding;

export type VerdictCounts = { readonly [verdict in Verdict]: number };

/** @internal */
export interface ReportTotals {
  readonly must: VerdictCounts;
  readonly should: VerdictCounts;
  readonly may: VerdictCounts;
  /** Decided `must` requirements, in percent of those decidable on this target, one decimal. */
  readonly coveragePercent: number;
  /** Passed `must` requirements, in percent of those decided, one decimal. */
  readonly conformancePercent: number;
  /** Of a client: conditions. */
  readonly scripts: number;
  readonly calls: number;
  /** The estimate of the plan; null without one. */
  readonly callsForeseen: number | null;
  readonly webhooks: number;
}

/** What `--only` and `--skip` name. @internal */
export interface Selectors {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** Of a check that was divided by `--shard`: how many shards it has, and which are in this report. @internal */
export interface Shards {
  readonly of: number;
  readonly played: readonly number[];
  /** In a merged report: those that no part has; absent: there are none. */
  readonly missing?: readonly number[];
}

/** What a check of a server or a run of a client found, as `report.json` holds it. @public */
export interface Report {
  readonly schema: 'runproof-report/1';
  /** What was judged: a client, by rules under conditions; absent: a server, by requirements in scenarios. */
  readonly subject?: 'client';
  /** Version of the program. */
  readonly runproof: string;
  readonly exitCode: ExitCode;
  /** The verdict as a sentence. */
  readonly verdict: string;
  /** Nothing failed, and everything was decided that was asked and applies to the target; absent in older reports. */
  readonly conforms?: boolean;
  /** When the run began, ISO 8601; null if left out. */
  readonly at: string | null;
  readonly target: ReportTarget;
  readonly edition: Edition;
  readonly seed: number;
  /** Of a merged report: the seeds of its parts, where they differ. */
  readonly seeds?: readonly number[];
  /** Of a merged report: the folders of its parts, relative to its own; absent: it has its own calls, or is an older one. */
  readonly parts?: readonly string[];
  /** What `--only` and `--skip` named, of a merged report in any part; absent: neither was given. */
  readonly selectors?: Selectors;
  /** Absent: the check was not divided, or all shards are in this report. */
  readonly shards?: Shards;
  /** Of a client: each rule. */
  readonly requirements: readonly ReportRequirement[];
  /** Of a client: what it did under each condition. */
  readonly conditions?: readonly Condition[];
  /** Of a client: ids of the conditions that were not tried, because the run was interrupted. */
  readonly untried?: readonly string[];
  /** The failed musts that are not known, by cause, the most frequent first; absent in older reports. */
  readonly causes?: readonly Cause[];
  /** Operations that the target does not have while others work; absent: none. */
  readonly missing?: readonly MissingOperation[];
  readonly openQuestions: readonly ReportQuestion[];
  /** The comparison with the dialect given; null without one. */
  readonly dialect: DialectComparison | null;
  readonly lateness: { readonly [timer: string]: LatenessFinding };
  /** Absent in older reports. */
  readonly transitions?: readonly SeenTransition[];
  /** The allowed lateness: a timer that fires later fails, ms. */
  readonly graceMs: number;
  /**
   * How long answers took, for each operation that was answered. Absent under test control and in virtual time, where an
   * answer takes no time of its own; in a merged report, since percentiles cannot be joined; and in older reports.
   */
  readonly answerTimes?: readonly AnswerTimes[];
  readonly warnings: readonly string[];
  /** Of recorded traffic: what is assumed, and what that costs; absent: nothing, or it was not looked for. */
  readonly assumptions?: Assumptions;
  /** Of recorded traffic: statistics that prove nothing; absent: there are none. */
  readonly hints?: readonly Hint[];
  /** Of recorded traffic: its clients, those that broke a rule first; absent: they were not judged. */
  readonly clients?: readonly ReportedClient[];
  /** Entries of the baseline that have to be edited; null without a baseline. */
  readonly baseline: { readonly stale: readonly string[]; readonly expired: readonly string[] } | null;
  readonly totals: ReportTotals;
  readonly time: {
    readonly wallMs: number;
    /** The longest time in which a lane only waited, on the target's clock. */
    readonly longestWaitMs: number;
    /** The wall time that the plan estimated; null without one. */
    readonly foreseenMs: number | null;
  };
}
