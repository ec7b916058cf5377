/** Why recorded traffic leaves musts open, counted. */
import type { OpenBecause } from '../oracle/ledger/findings.js';
import type { Report } from './report.js';
import { pluralize } from './formatting.js';

const WORDS: { readonly [because in OpenBecause]: string } = {
  'never-occurs': 'never occur in this traffic',
  'not-judged': 'are not judged in recorded traffic (limits, keys, counts, webhooks, what workers do)',
  'closed-world': 'need --world closed',
  'no-crashes': 'need --crashes no',
  'all-calls': 'need a recording with all calls',
  'all-of-these': 'need several assumptions together',
  otherwise: 'are undecided for another reason',
};

/** How many undecided musts have each reason, in the order of the words above. */
export function openMusts({ requirements }: Pick<Report, 'requirements'>): ReadonlyMap<OpenBecause, number> {
  const counts = new Map<OpenBecause, number>((Object.keys(WORDS) as OpenBecause[]).map((why) => [why, 0]));
  for (const { level, verdict, openBecause = 'otherwise' } of requirements)
    if (level === 'must' && (verdict === 'inconclusive' || verdict === 'not-exercised'))
      counts.set(openBecause, counts.get(openBecause)! + 1);
  return counts;
}

/** `304 required rules are undecided: 226 never occur in this traffic, …`; null: none is, or no traffic was recorded. */
export function openMustsLine(report: Report): string | null {
  const open = [...openMusts(report)].filter(([, count]) => count > 0);
  const all = open.reduce((sum, [, count]) => sum + count, 0);
  if (report.target.isRecorded !== true || all === 0) return null;
  const together = report.assumptions?.costs.find(({ assumed }) => assumed.length > 1)?.instead ?? null;
  const words = together === null ? WORDS : { ...WORDS, 'all-of-these': `need ${together}` };
  return `${pluralize(all, 'required rule')} ${all === 1 ? 'is' : 'are'} undecided: ${open.map(([why, count]) => `${count} ${inNumber(words[why], count)}`).join(', ')}`;
}

const inNumber = (words: string, count: number): string =>
  count === 1
    ? words.replace(/^(are|need|never occur)\b/, (verb) => (verb === 'are' ? 'is' : `${verb}s`))
    : words;
