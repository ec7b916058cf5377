/** Reports on one client under several conditions, as if they had been one run. */
import { BASELINE_SCHEMA, type KnownFailure } from '../baseline.js';
import type { Report } from '../report.js';
import { reportOnClient, type ClientReportOptions } from './build.js';

/** What a rule comes to under the conditions of all parts is concluded anew. */
export function mergeClientReports(
  reports: readonly Report[],
  startedAt: string | null,
  baseline: ClientReportOptions['baseline'],
): Report {
  const [first] = reports;
  const conditions = reports.flatMap((report) => report.conditions ?? []);
  const tried = conditions.map(({ weather }) => weather.id);
  const untried = new Set(reports.flatMap((report) => report.untried ?? []));
  const { runproof, seed, edition, target } = first!;
  // A part that was interrupted at once has no rules.
  const rules = new Map(
    reports.flatMap(({ requirements }) =>
      requirements.map(({ id, level, text, rule }) => [id, { id, level, text, ...rule }] as const),
    ),
  );
  return reportOnClient(
    {
      ...{ runproof, seed, edition, startedAt, client: target.name, speed: target.speed ?? 1 },
      wallMs: Math.max(...reports.map(({ time }) => time.wallMs)),
      untried: [...untried].filter((id) => !tried.includes(id)),
    },
    [...rules.values()],
    conditions,
    { baseline },
  );
}

const YESTERDAY = '0001-01-01';
const TODAY = '0001-01-02';

/**
 * The entries of a baseline that the parts tell of: a failure is known where each part in which it shows knows it.
 *
 * @param old entries that had to be edited in any of the parts
 */
export function knownBefore(
  reports: readonly Report[],
  old: { readonly stale: readonly string[]; readonly expired: readonly string[] },
): ClientReportOptions['baseline'] {
  if (reports.every(({ baseline }) => baseline === null)) return undefined;
  const failing = reports
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'fail');
  const isKnown = (id: string): boolean => failing.every((one) => one.id !== id || one.known !== null);
  const entries: readonly KnownFailure[] = [
    ...failing
      .filter(({ id }) => isKnown(id))
      .map(({ id, known }) => ({ requirement: id, reason: known ?? '' })),
    ...old.stale.map((requirement) => ({ requirement, reason: '' })),
    ...old.expired.map((requirement) => ({ requirement, reason: '', expires: YESTERDAY })),
  ];
  const byId = new Map(entries.map((entry) => [entry.requirement, entry]));
  return { entries: { schema: BASELINE_SCHEMA, known: [...byId.values()] }, today: TODAY };
}
