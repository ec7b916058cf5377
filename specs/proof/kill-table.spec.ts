import { expect, it } from 'vitest';
import { markdownOf, rowOf, scoreOf, tableOf } from '../../proof/kill-table.js';
import { chosen } from '../../proof/matches-selection.js';
import { MUTANTS } from '../../src/mutants/index.js';

const mutant = MUTANTS.find(({ id }) => id === 'ttl-spares-ended')!;
const [first] = mutant.breaks;
const row = (...failed: string[]) => rowOf(mutant, new Map(failed.map((id) => [id, 'a/scenario'])));

it('tells what catches a fault from what merely fails beside it', () => {
  expect(row(first, '1/elsewhere')).toMatchObject({
    fate: 'own',
    own: [{ requirement: first, scenario: 'a/scenario' }],
    others: [{ requirement: '1/elsewhere' }],
  });
  expect(row('1/elsewhere').fate).toBe('other');
  expect(row().fate).toBe('survived');
});

it('counts, and names what a fault breaks without being caught there', () => {
  const table = tableOf([row(first), row('1/elsewhere'), row()], { over: 'http', seed: 7, runs: 2 });
  expect(scoreOf(table)).toBe(
    '1 of 3 faults caught by a requirement they break, 1 by another only, 1 by nothing (over HTTP under test control)',
  );
  const lines = markdownOf(table).split('\n');
  expect(lines.filter((line) => line.startsWith(`| \`${mutant.id}\``))).toHaveLength(3);
  expect(lines.find((line) => line.includes(`| \`${first}\` | – |`))).toContain(`\`${mutant.breaks[1]}\``);
});

it('chooses by id or by its beginning', () => {
  expect(chosen('ttl-shared', [])).toBe(true);
  expect(chosen('ttl-shared', ['ttl-*'])).toBe(true);
  expect(chosen('ttl-shared', ['ttl'])).toBe(false);
});
