/** A failed requirement in one line: what the target does, not the smallest case that proves it. */
import { isRequirementId, requirement as inCatalogue } from '../spec/index.js';
import { causesIn, type Cause } from './causes.js';
import { capitalized, formatDuration, pluralize } from './formatting.js';
import type { Report, ReportRequirement } from './report.js';

/** From this many decisions on, all of which failed, it is said to be never so. */
const NEVER_FROM = 3;

/**
 * ``Running jobs are never deleted when their `ttl` ends (still IN_PROGRESS up to 6 d 23 h later, in 27 of 27 cases)``.
 *
 * @param answer the wrong answer that all its failures have in common, as in `Cause`; default: none
 */
function headline(
  { id, level, text, decided, failed, latest }: ReportRequirement,
  answer: Cause['answer'] = null,
): string {
  const broken = isRequirementId(id) ? inCatalogue(id).broken : undefined;
  const cases = `${Math.max(failed, 1)} of ${pluralize(Math.max(decided, 1), 'case')}`;
  const what = latest === undefined ? answer : lateness(latest, failed);
  // Without a job that was seen after its time, the failures say something else.
  if (broken === undefined || latest === undefined) {
    const [rule, not] = level === 'must' ? ['Rule', 'Violated'] : ['Advice', 'Not followed'];
    return `${rule}: ${text.replace(/\.$/u, '')}. ${not} in ${cases}${what === null ? '' : `: ${what}`}`;
  }
  const isNever = failed === decided && failed >= NEVER_FROM && latest.after === null;
  const not = isNever ? 'never' : failed < decided ? 'not always' : 'not';
  return `${broken.replace('{not}', not)} (${what}, in ${cases})`;
}

const ofClient = ({ headline: text }: ReportRequirement): string | undefined =>
  text === undefined ? undefined : capitalized(text);

/** The longest of all cases: a smaller one may be proved below it. */
const lateness = (
  { still, lateMs, after }: NonNullable<ReportRequirement['latest']>,
  failed: number,
): string =>
  `still ${still} ${failed > 1 ? 'up to ' : ''}${formatDuration(lateMs)} later${after === null ? '' : `, then ${after}`}`;

/** By failed requirement: its headline; of one that is no cause also why it fails: `fails because of 2.2/ttl-removes-running`. */
export function headlines(
  report: Pick<Report, 'causes' | 'missing' | 'requirements'>,
): ReadonlyMap<string, readonly [headline: string, ...why: string[]]> {
  const causes = causesIn(report);
  const answers = new Map(
    causes.flatMap(({ requirement, answer, sameAnswer }) =>
      [requirement, ...sameAnswer].map((id) => [id, answer] as const),
    ),
  );
  const why = new Map<string, readonly string[]>(
    causes.flatMap(({ requirement: cause, sameAnswer, consequences }) => [
      ...sameAnswer.map((id) => [id, [`fails in the same way as ${cause}`]] as const),
      ...consequences.map((id) => [id, [`fails because of ${cause}`]] as const),
    ]),
  );
  // Of a missing operation, the answer says all.
  const ofMissing = (id: string): string | null =>
    (report.missing?.some(({ requirement }) => requirement === id) && answers.get(id)) || null;
  return new Map<string, readonly [string, ...string[]]>(
    report.requirements
      .filter(({ verdict }) => verdict === 'fail')
      .map((one) => [
        one.id,
        [
          ofClient(one) ?? ofMissing(one.id) ?? headline(one, answers.get(one.id)),
          ...(why.get(one.id) ?? []),
        ],
      ]),
  );
}
