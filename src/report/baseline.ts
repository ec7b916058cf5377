/** A baseline lists failures that are known: they are reported, and do not fail the run until they expire. */
import type { RequirementFinding } from '../oracle/ledger/findings.js';

export const BASELINE_SCHEMA = 'runproof-baseline/1';

export interface KnownFailure {
  /** Id of the requirement that is known to fail. */
  readonly requirement: string;
  /** Why it is put up with. */
  readonly reason: string;
  /** Where the work on it is told. */
  readonly ticket?: string;
  /** The last day on which it is put up with, `YYYY-MM-DD`; without it there is none. */
  readonly expires?: string;
}

export interface Baseline {
  readonly schema: typeof BASELINE_SCHEMA;
  readonly known: readonly KnownFailure[];
}

/** What a baseline means for one run. Entries that the run could not decide are in neither list. */
export interface BaselineMatch {
  /** Failed as foretold, by requirement. */
  readonly known: ReadonlyMap<string, KnownFailure>;
  /** Passed: the entry has to go. */
  readonly stale: readonly KnownFailure[];
  /** Past their day, whatever the run says. */
  readonly expired: readonly KnownFailure[];
}

export const NO_BASELINE: BaselineMatch = { known: new Map(), stale: [], expired: [] };

const REASON_UNKNOWN = 'not looked into yet';

export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MEMBERS = ['requirement', 'reason', 'ticket', 'expires'];

/** @throws {BaselineError} that says which entry is wrong, and how */
export function parseBaseline(value: unknown): Baseline {
  const { schema, known } = (value ?? {}) as { readonly schema?: unknown; readonly known?: unknown };
  if (schema !== BASELINE_SCHEMA || !Array.isArray(known))
    throw new BaselineError(`it has to be {"schema": "${BASELINE_SCHEMA}", "known": […]}`);
  const entries = known.map(parseEntry);
  const twice = entries.find(
    ({ requirement }, index) => entries.findIndex((other) => other.requirement === requirement) !== index,
  );
  if (twice !== undefined) throw new BaselineError(`${twice.requirement} is there twice`);
  return { schema, known: entries };
}

function parseEntry(value: unknown, index: number): KnownFailure {
  const entry = (value ?? {}) as { readonly [member: string]: unknown };
  const name = typeof entry['requirement'] === 'string' ? entry['requirement'] : `entry ${index + 1}`;
  const wrong = (what: string): BaselineError => new BaselineError(`${name}: ${what}`);
  if (typeof entry['requirement'] !== 'string') throw wrong('"requirement" has to be a requirement id');
  if (typeof entry['reason'] !== 'string' || entry['reason'].trim() === '')
    throw wrong('"reason" has to say why the failure is put up with');
  if (entry['ticket'] !== undefined && typeof entry['ticket'] !== 'string')
    throw wrong('"ticket" has to be a text');
  if (entry['expires'] !== undefined && !DAY.test(String(entry['expires'])))
    throw wrong('"expires" has to be a day such as 2027-01-31');
  // A member that nobody reads would be a date that never comes.
  const odd = Object.keys(entry).find((member) => !MEMBERS.includes(member));
  if (odd !== undefined) throw wrong(`there is no "${odd}"; members are ${MEMBERS.join(', ')}`);
  return entry as unknown as KnownFailure;
}

/** `today` as `YYYY-MM-DD`. */
export function matchBaseline(
  { known }: Baseline,
  requirements: readonly RequirementFinding[],
  today: string,
): BaselineMatch {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const isExpired = ({ expires }: KnownFailure): boolean => expires !== undefined && expires < today;
  const current = known.filter((entry) => !isExpired(entry));
  const failing = current.filter(({ requirement }) => verdicts.get(requirement) === 'fail');
  return {
    known: new Map(failing.map((entry) => [entry.requirement, entry])),
    stale: current.filter(({ requirement }) => verdicts.get(requirement) === 'pass'),
    expired: known.filter(isExpired),
  };
}

/**
 * The baseline as this run would have it: what passed is gone, what failed and should not is new. What was not decided
 * stays, and so does what has expired: a day is for people to put off.
 */
export function updatedBaseline(
  { known }: Pick<Baseline, 'known'>,
  requirements: readonly RequirementFinding[],
): Baseline {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const kept = known.filter(({ requirement }) => verdicts.get(requirement) !== 'pass');
  const fresh = requirements
    .filter(({ id, level, verdict }) => level === 'must' && verdict === 'fail' && !hasEntry(known, id))
    .map(({ id }) => ({ requirement: id, reason: REASON_UNKNOWN }));
  return { schema: BASELINE_SCHEMA, known: [...kept, ...fresh] };
}

const hasEntry = (known: readonly KnownFailure[], id: string): boolean =>
  known.some(({ requirement }) => requirement === id);

/** `not looked into yet, TICKET-1, until 2027-01-31`. */
export function formatKnownFailure({ reason, ticket, expires }: KnownFailure): string {
  return [
    reason,
    ...(ticket === undefined ? [] : [ticket]),
    ...(expires === undefined ? [] : [`until ${expires}`]),
  ].join(', ');
}
