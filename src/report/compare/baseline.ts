/** A baseline lists known failures: they are reported, and do not fail the run until they expire. */
import type { RequirementFinding } from '../../oracle/ledger/findings.js';
import { isBinding } from '../formatting.js';
import type { ReportRequirement } from '../report.js';

export const BASELINE_SCHEMA = 'runproof-baseline/1';

/** @internal */
export interface KnownFailure {
  /** Id of the requirement that is known to fail, or of the rule that a client is known to break. */
  readonly requirement: string;
  /** Why it is tolerated. */
  readonly reason: string;
  /** The ticket for it. */
  readonly ticket?: string;
  /** The last day on which it is tolerated, `YYYY-MM-DD`; default: for ever. */
  readonly expires?: string;
}

/** The failures of a target that are known and accepted for now. @public */
export interface Baseline {
  readonly schema: typeof BASELINE_SCHEMA;
  readonly known: readonly KnownFailure[];
}

/** A baseline compared with one run. Entries that the run did not decide are in neither list. */
export interface BaselineMatch {
  /** Entries that failed, by requirement. */
  readonly known: ReadonlyMap<string, KnownFailure>;
  /** Entries that passed and have to be removed. */
  readonly stale: readonly KnownFailure[];
  /** Entries past their day, whatever the verdict. */
  readonly expired: readonly KnownFailure[];
}

export const NO_BASELINE: BaselineMatch = { known: new Map(), stale: [], expired: [] };

/** What of a requirement's finding matters here. */
type Judged = Pick<RequirementFinding, 'id' | 'level' | 'verdict'> & Pick<ReportRequirement, 'rule'>;

const REASON_UNKNOWN = 'not looked into yet';

export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MEMBERS = ['requirement', 'reason', 'ticket', 'expires'];

/** @throws {BaselineError} with the entry and what is wrong with it */
export function parseBaseline(value: unknown): Baseline {
  const { schema, known } = (value ?? {}) as { readonly schema?: unknown; readonly known?: unknown };
  if (schema !== BASELINE_SCHEMA || !Array.isArray(known))
    throw new BaselineError(`the file must be {"schema": "${BASELINE_SCHEMA}", "known": […]}`);
  const entries = known.map(parseEntry);
  const twice = entries.find(
    ({ requirement }, index) => entries.findIndex((other) => other.requirement === requirement) !== index,
  );
  if (twice !== undefined) throw new BaselineError(`${twice.requirement} occurs twice`);
  return { schema, known: entries };
}

function parseEntry(value: unknown, index: number): KnownFailure {
  const entry = (value ?? {}) as { readonly [member: string]: unknown };
  const name = typeof entry['requirement'] === 'string' ? entry['requirement'] : `entry ${index + 1}`;
  const wrong = (what: string): BaselineError => new BaselineError(`${name}: ${what}`);
  if (typeof entry['requirement'] !== 'string') throw wrong('"requirement" must be a requirement id');
  if (typeof entry['reason'] !== 'string' || entry['reason'].trim() === '')
    throw wrong('"reason" must say why the failure is tolerated');
  if (entry['ticket'] !== undefined && typeof entry['ticket'] !== 'string')
    throw wrong('"ticket" must be a string');
  if (entry['expires'] !== undefined && !DAY.test(String(entry['expires'])))
    throw wrong('"expires" must be a day such as 2027-01-31');
  // Ignoring a misspelt "expires" would tolerate the failure for ever.
  const odd = Object.keys(entry).find((member) => !MEMBERS.includes(member));
  if (odd !== undefined) throw wrong(`unknown member "${odd}"; known are ${MEMBERS.join(', ')}`);
  return entry as unknown as KnownFailure;
}

/** `today` as `YYYY-MM-DD`. */
export function matchBaseline(
  { known }: Baseline,
  requirements: readonly Judged[],
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
 * The baseline after this run: without entries that passed, with new failures. Undecided entries stay, and so do expired
 * ones: only people extend a day.
 */
export function updatedBaseline(
  { known }: Pick<Baseline, 'known'>,
  requirements: readonly Judged[],
): Baseline {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const kept = known.filter(({ requirement }) => verdicts.get(requirement) !== 'pass');
  const fresh = requirements
    .filter((one) => isBinding(one) && one.verdict === 'fail' && !hasEntry(known, one.id))
    .map(({ id }) => ({ requirement: id, reason: REASON_UNKNOWN }));
  return { schema: BASELINE_SCHEMA, known: [...kept, ...fresh] };
}

const hasEntry = (known: readonly KnownFailure[], id: string): boolean =>
  known.some(({ requirement }) => requirement === id);

/** The entries that have to be edited, as a report holds them. */
export const toEdit = ({ stale, expired }: BaselineMatch): { stale: string[]; expired: string[] } => ({
  stale: stale.map(({ requirement }) => requirement),
  expired: expired.map(({ requirement }) => requirement),
});

/** The row as the baseline knows it. */
export function withKnown<R extends ReportRequirement>(row: R, { known }: BaselineMatch): R {
  const entry = known.get(row.id);
  return { ...row, known: entry === undefined ? null : formatKnownFailure(entry) };
}

/** `not looked into yet, TICKET-1, until 2027-01-31`. */
export function formatKnownFailure({ reason, ticket, expires }: KnownFailure): string {
  return [
    reason,
    ...(ticket === undefined ? [] : [ticket]),
    ...(expires === undefined ? [] : [`until ${expires}`]),
  ].join(', ');
}
