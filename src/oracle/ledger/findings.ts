/**
 * `oracle/` promises to judge a history by its own reading of the document: for every requirement, whether it
 * was kept, how often that could be decided, and why not. It never imports the core, the simulator or a target.
 */
import type { RequirementId } from '../../spec/index.js';
import type { Edition } from '../../spec/types.js';
import type { Contradiction } from '../proof/contradiction.js';

export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'not-exercised' | 'untestable' | 'not-applicable';

/** One proven breach of one requirement. */
export interface Failure {
  readonly requirement: string;
  readonly script: number;
  readonly scenario: string;
  /** What the document asks for in this situation, in words. */
  readonly expected: string;
  /** What was observed. */
  readonly actual: string;
  /** The contradiction, line by line, with times. */
  readonly proof: readonly string[];
  /** Numbers of the calls in the history that contradict each other; the last is the one that showed it. */
  readonly calls: readonly number[];
  /** The same as data; absent where a single reply is wrong by itself. */
  readonly contradiction?: Contradiction;
  /** The instant of the run's clock that times in words and in the contradiction count from, ms. */
  readonly originMs: number;
}

export interface RequirementFinding {
  readonly id: string;
  readonly section: string;
  readonly level: 'must' | 'should' | 'may';
  readonly text: string;
  readonly verdict: Verdict;
  /** How many observations decided it, failures included. */
  readonly decided: number;
  readonly failed: number;
  /** Why it is neither pass nor fail. */
  readonly reason: string | null;
  readonly failures: readonly Failure[];
}

export interface QuestionFinding {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  /** Ids of the readings observed, most frequent first. */
  readonly readings: readonly string[];
  readonly counts: { readonly [reading: string]: number };
  /** False when a question that wants one answer got several. */
  readonly stable: boolean;
}

export interface LatenessFinding {
  /** How late the timer was seen to strike, at the least; 0 when never late. */
  readonly maxMs: number;
  readonly samples: number;
  /** How often it was seen how late it struck at the most. */
  readonly strikes: number;
  /** At the most so late it struck in nine of ten of these; null without any. */
  readonly usualMs: number | null;
}

export interface Findings {
  readonly schema: 'runproof-findings/1';
  readonly edition: Edition;
  /** Every requirement of the catalogue, in its order. */
  readonly requirements: readonly RequirementFinding[];
  readonly openQuestions: readonly QuestionFinding[];
  /** By timer: `ttl`, `executionTimeout`, `retention`, `wait`, `dispatch`, `webhook`, `webhookPause`, `rateWindow`. */
  readonly lateness: { readonly [timer: string]: LatenessFinding };
  /** The ceiling: a timer that strikes later fails, ms. */
  readonly graceMs: number;
  /** Doubts about the run itself: nothing was queued, every call was refused, scripts were aborted… */
  readonly warnings: readonly string[];
}

export interface JudgeOptions {
  /** Hold the target to this edition; default: what the history's first line says. */
  readonly edition?: Edition;
  /** Ceiling for lateness, ms; default: what the history's first line says. */
  readonly graceMs?: number;
  /** Of each requirement so many failures are told at the most, further ones only counted; default: 20. */
  readonly failuresMax?: number;
  /** Of a job's life these are not asked: the proof that each is needed (`npm run rows`); default: none. */
  readonly without?: readonly RequirementId[];
}
