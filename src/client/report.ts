/** What a run of a client came to: plain data, from which its report is made. */
import type { RuleVerdict } from './judge.js';
import type { Session } from './session.js';

export interface ClientRun {
  readonly runproof: string;
  /** The command, or a name for what ran in process, or `attached`. */
  readonly client: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** How long all of it took, real ms. */
  readonly wallMs: number;
  readonly seed: number;
  /** How many times as fast as real time jobs wait and run. */
  readonly speed: number;
  readonly edition: 'document' | 'runpod';
  readonly results: readonly WeatherResult[];
  /** Ids of the weathers that were not tried, because the run was interrupted. */
  readonly untried: readonly string[];
}

export interface WeatherResult {
  readonly session: Session;
  readonly verdicts: readonly RuleVerdict[];
  readonly ending: Ending;
  readonly output: ClientOutput;
  /** What the oracle found wrong with the emulator's half, in words: errors of Runproof, not of the client. */
  readonly selfCheck: readonly string[];
}

/** Whether the client ended as the weather leads to. */
export type Ending =
  | { readonly kind: 'as-expected' }
  /** The weather allows both, `--expect` said so, or nothing is known of it. */
  | { readonly kind: 'not-judged'; readonly why: string }
  | { readonly kind: 'unexpected'; readonly text: string };

/** What the client wrote. */
export interface ClientOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that are left out of the middle of either. */
  readonly leftOutBytes: number;
}
