/**
 * The editions that a target can be held to: `document` is the document as written, `runpod` the document
 * with the amendments below, each with its evidence. An amendment never changes the base edition.
 */
import { defaultDialect, type FullDialect, type ReadingId } from './dialect.js';
import type { QuestionId } from './questions/index.js';
import { REQUIREMENTS, type RequirementId } from './requirements/index.js';
import { RUNPOD_AMENDMENTS } from './runpod.js';
import type { Edition, Level, Requirement } from './types.js';

/** `live`: a trace of the service; `src`: read in a client or worker; `run`: measured with a client; `docs`: published. */
type EvidenceGrade = 'live' | 'src' | 'run' | 'docs';

/** The timers to which an edition may allow more lateness. */
export type TimerName = 'ttl' | 'executionTimeout' | 'retention' | 'wait' | 'dispatch' | 'webhook';

type Fix = {
  readonly [Q in QuestionId]: { readonly kind: 'fix'; readonly question: Q; readonly reading: ReadingId<Q> };
}[QuestionId];

type Change =
  /** The requirement does not hold in this edition. */
  | { readonly kind: 'drop'; readonly requirement: RequirementId }
  /** The requirement has another level than in the document. */
  | { readonly kind: 'level'; readonly requirement: RequirementId; readonly level: Level }
  /** The requirement has other words. */
  | { readonly kind: 'reword'; readonly requirement: RequirementId; readonly text: string }
  /** The question has this answer. */
  | Fix
  /** A timer may fire this much late, whatever lateness the run allows otherwise. */
  | { readonly kind: 'allow-lateness'; readonly timer: TimerName; readonly lateMs: number }
  /** Something exists that the document does not have. Nothing in the catalogue judges it. */
  | { readonly kind: 'add'; readonly text: string };

export interface Amendment {
  readonly id: string;
  readonly changes: readonly Change[];
  readonly evidence: readonly { readonly grade: EvidenceGrade; readonly sentence: string }[];
}

export const AMENDMENTS: { readonly [E in Edition]: readonly Amendment[] } = {
  document: [],
  runpod: RUNPOD_AMENDMENTS,
};

function amended(requirement: Requirement, changes: readonly Change[]): Requirement | null {
  let result: Requirement = requirement;
  for (const change of changes) {
    if (!('requirement' in change) || change.requirement !== requirement.id) continue;
    if (change.kind === 'drop') return null;
    if (change.kind === 'level') result = { ...result, level: change.level };
    if (change.kind === 'reword') result = { ...result, text: change.text };
  }
  return result;
}

/** The requirements of an edition, in the document's order, without those that it drops. */
export function requirementsOf(edition: Edition): readonly Requirement[] {
  const all: readonly Requirement[] = REQUIREMENTS;
  const changes = AMENDMENTS[edition].flatMap((amendment) => amendment.changes);
  return all.map((one) => amended(one, changes)).filter((one) => one !== null);
}

/** The default dialect of an edition: its own answers, and the first reading of every other question. */
export function dialectOf(edition: Edition): FullDialect {
  const dialect: { [question: string]: string } = { ...defaultDialect() };
  for (const { changes } of AMENDMENTS[edition]) {
    for (const change of changes) if (change.kind === 'fix') dialect[change.question] = change.reading;
  }
  return dialect as FullDialect;
}

/** How late a timer may fire in an edition, in ms, whatever lateness the run allows; 0 if the edition allows none. */
export function latenessAllowedMs(edition: Edition, timer: TimerName): number {
  const changes = AMENDMENTS[edition].flatMap((amendment) => amendment.changes);
  return Math.max(
    0,
    ...changes.map((change) =>
      change.kind === 'allow-lateness' && change.timer === timer ? change.lateMs : 0,
    ),
  );
}
