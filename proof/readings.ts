/** Every reading of every open question: does a check of an endpoint that follows it say so, and nothing wrong of others? */
import { named } from '../scenarios/index.js';
import { NOT_MADE } from '../src/core/editions.js';
import { LEGAL_VARIANTS, ONLY_OVER_HTTP } from '../src/mutants/index.js';
import { QUESTIONS } from '../src/spec/index.js';
import type { OpenQuestion } from '../src/spec/types.js';
import { chosen } from './matches-selection.js';
import type { Wish } from './proof-options.js';
import { workOff } from './pool.js';
import type { ReadingRow, ReadingTask } from './trials/reading-trial.js';

const questions: readonly OpenQuestion[] = QUESTIONS;

export type Outcome = 'told' | 'silent' | 'wrong' | 'cannot be told';

/** Scenarios that answer nothing cheaply: bursts of thousands, there for their rates. */
const HEAVY = /^8\/(concurrency|rate-of-(run|runsync|status|stream|openai)$)/;

export async function readings({ seed, threads, only, http, brief, say, write }: Wish): Promise<boolean> {
  const over = http ? 'http' : 'simulator';
  const ids = ['document', 'runpod', ...LEGAL_VARIANTS.map(({ id }) => id)]
    .filter((id) => chosen(id, only))
    // Of these a simulator shows nothing.
    .filter((id) => http || !ONLY_OVER_HTTP.includes(id));
  const asked = brief ? await askedBy(seed, threads) : null;
  const tasks = ids.map((variant): ReadingTask => ({
    kind: 'reading',
    variant,
    over,
    seed,
    scenarios: asked?.(variant) ?? null,
  }));
  const rows = await workOff(tasks, threads, (_, row) => {
    if (outcomeOf(row) !== 'told' || wrongOf(row).length > 0 || row.failed.length > 0) say(lineOf(row));
  });
  write(
    `readings-${over}.json`,
    `${JSON.stringify({ schema: 'runproof-readings/1', over, seed, rows }, null, 2)}\n`,
  );
  write(`readings-${over}.md`, markdownOf(rows, over));
  say(scoreOf(rows, over));
  return rows.every(
    (row) =>
      ['told', 'cannot be told'].includes(outcomeOf(row)) &&
      row.failed.length === 0 &&
      wrongOf(row).length === 0,
  );
}

/** Which scenarios answer a question on the plain endpoint, and those of its section. */
async function askedBy(
  seed: number,
  threads: number | null,
): Promise<(variant: string) => readonly string[] | null> {
  const tasks = named
    .filter(({ name }) => !HEAVY.test(name))
    .map(({ name }): ReadingTask => ({
      kind: 'reading',
      variant: 'document',
      over: 'simulator',
      seed,
      scenarios: [name],
    }));
  const rows = await workOff(tasks, threads, () => {});
  return (variant) => {
    const [question = '', reading] = variant.split('=');
    if (reading === undefined) return null;
    const section = question.slice(0, question.indexOf('/') + 1);
    return tasks.flatMap(({ scenarios }, index) => {
      const name = scenarios![0]!;
      return name.startsWith(section) || rows[index]!.answered.includes(question) ? [name] : [];
    });
  };
}

export function outcomeOf({ question, reading, observed }: ReadingRow): Outcome {
  if (question === null || (observed.length === 1 && observed[0] === reading)) return 'told';
  if (cannotBeTold(question, reading)) return 'cannot be told';
  return observed.length === 0 ? 'silent' : 'wrong';
}

/** Why no run can tell this reading; null where one can. */
function cannotBeTold(question: string, reading: string | null): string | null {
  const known = questions.find(({ id }) => id === question);
  return known?.unobservable ?? known?.readings.find(({ id }) => id === reading)?.unseen ?? null;
}

/** Of readings that cannot be told from others nothing wrong is said. */
function wrongOf(row: ReadingRow): ReadingRow['misreported'] {
  return row.misreported.filter(({ question, is }) => cannotBeTold(question, is) === null);
}

function lineOf(row: ReadingRow): string {
  const { variant, observed, failed } = row;
  const told = wrongOf(row).map(({ question, told: other, is }) => `${question}: ${other} instead of ${is}`);
  return [
    `${outcomeOf(row).padEnd(14)} ${variant}`,
    ...(outcomeOf(row) === 'told' ? [] : [`observed ${observed.join(', ') || 'nothing'}`]),
    ...(told.length === 0 ? [] : [`misreports ${told.join('; ')}`]),
    ...(failed.length === 0 ? [] : [`FAILED ${failed.join(' ')}`]),
  ].join('  ');
}

export function scoreOf(rows: readonly ReadingRow[], over: 'simulator' | 'http'): string {
  const asked = rows.filter(({ question }) => question !== null);
  const count = (outcome: Outcome): number => asked.filter((row) => outcomeOf(row) === outcome).length;
  const misreports = rows.reduce((sum, row) => sum + wrongOf(row).length, 0);
  const how = over === 'http' ? 'over HTTP under test control' : 'on the simulator';
  return (
    `${count('told')} of ${asked.length - count('cannot be told')} readings told exactly, ${count('wrong')} wrong, ` +
    `${count('silent')} not observed, ${misreports} misreports of other questions (${how}); ` +
    `${count('cannot be told')} cannot be told by any run`
  );
}

function markdownOf(rows: readonly ReadingRow[], over: 'simulator' | 'http'): string {
  const lines = rows
    .filter(({ question }) => question !== null)
    .map((row) => {
      const others = wrongOf(row).map(({ question, told }) => `\`${question}\` ${told}`);
      const why = outcomeOf(row) === 'cannot be told' ? cannotBeTold(row.question!, row.reading) : '';
      return `| \`${row.question}\` | ${row.reading} | ${outcomeOf(row)} | ${row.observed.join(', ') || '–'} | ${others.join('; ') || why || ''} |`;
    });
  const notMade = NOT_MADE.map(
    ({ question, reading, why }) => `| \`${question}\` | ${reading} | not made | – | ${why} |`,
  );
  return [
    '# Readings',
    '',
    'Each endpoint that answers one open question otherwise than by default, checked: which reading did the report name?',
    '',
    `${scoreOf(rows, over)}.`,
    '',
    '| question | the endpoint reads it as | outcome | observed | misreported, or why |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    ...notMade,
    '',
  ].join('\n');
}
