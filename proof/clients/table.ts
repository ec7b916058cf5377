/** The kill table of clients. */
import { CLIENT_RULES } from '../../src/client/rules/index.js';
import type { CorrectClient } from './correct/index.js';
import type { FaultyClient } from './faulty-client.js';

export interface FaultyRow {
  readonly client: FaultyClient;
  /** Ids of rules. */
  readonly violated: readonly string[];
}

export interface CorrectRow {
  readonly client: CorrectClient;
  /** In words. */
  readonly wrong: readonly string[];
}

export const isCaught = ({ client, violated }: FaultyRow): boolean => ownRules(client, violated).length > 0;

const ownRules = ({ breaks }: FaultyClient, violated: readonly string[]): readonly string[] =>
  violated.filter((id) => (breaks as readonly string[]).includes(id));

/** Rules that no client of these violates, of those that they break. */
export function unbroken(rows: readonly FaultyRow[]): readonly string[] {
  const broken = new Set(rows.flatMap(({ client, violated }) => ownRules(client, violated)));
  return CLIENT_RULES.flatMap(({ id }) => (broken.has(id) ? [] : [id]));
}

export function scoreOf(faulty: readonly FaultyRow[], correct: readonly CorrectRow[]): string {
  const caught = faulty.filter(isCaught).length;
  const accused = correct.filter(({ wrong }) => wrong.length > 0).length;
  return (
    `${caught} of ${faulty.length} faulty clients are caught by a rule that they break; ` +
    `${accused} of ${correct.length} correct clients are accused of something`
  );
}

export function markdownOf(faulty: readonly FaultyRow[], correct: readonly CorrectRow[]): string {
  const code = (ids: readonly string[]): string => ids.map((id) => `\`${id}\``).join(' ') || '–';
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return [
    '# Clients',
    '',
    `${scoreOf(faulty, correct)}.`,
    '',
    '## Faulty clients',
    '',
    '| client | style | what it does | caught by what it breaks | also violated |',
    '| --- | --- | --- | --- | --- |',
    ...faulty.map(({ client, violated }) => {
      const own = ownRules(client, violated);
      const others = violated.filter((id) => !own.includes(id));
      const caught = own.length > 0 ? `✓ ${code(own)}` : `✗ not by ${code(client.breaks)}`;
      return `| \`${client.id}\` | ${client.style} | ${cell(client.text)} | ${caught} | ${code(others)} |`;
    }),
    '',
    '## Correct clients',
    '',
    '| client | how it is made | what was found wrong, in all weathers |',
    '| --- | --- | --- |',
    ...correct.map(
      ({ client, wrong }) =>
        `| \`${client.id}\` | ${cell(client.text)} | ${wrong.length === 0 ? 'nothing' : cell(wrong.join('<br>'))} |`,
    ),
    '',
  ].join('\n');
}
