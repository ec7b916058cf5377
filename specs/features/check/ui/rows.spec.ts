/** What can be chosen on the page of `--ui`, and what its filter means. */
import { expect, it } from 'vitest';
import { chosenOf, matching, rowsOf } from '../../../../src/features/check/ui/rows.js';
import { select } from '../../../../src/checking/selectors.js';
import { shippedScenarios } from '../../../../src/files/shipped-scenarios.js';
import { REQUIREMENTS } from '../../../../src/spec/index.js';

const scenarios = await shippedScenarios();
const rows = rowsOf({ scenarios, asked: {} });
const all = { rows, settings: { only: [], skip: [] } };
const names = (found: readonly string[]) => found.map((one) => one.replace(/^scenarios\//, ''));

it('has every scenario and every required rule, each by a selector that means it alone', () => {
  expect(rows.filter(({ kind }) => kind === 'scenarios')).toHaveLength(scenarios.length);
  const musts = REQUIREMENTS.filter(({ level }) => level === 'must');
  expect(rows.filter(({ kind }) => kind === 'rules')).toHaveLength(musts.length);
  const [first] = rows.filter(({ kind }) => kind === 'scenarios');
  expect(select([first!.selector], [], REQUIREMENTS, scenarios).scenarios.map(({ name }) => name)).toEqual([
    first!.name,
  ]);
});

it('has no rule that the selection leaves out', () => {
  const selection = select(['2.2/ttl-removes-running'], [], REQUIREMENTS, scenarios);
  const left = rowsOf(selection);
  expect(left.filter(({ kind }) => kind === 'rules').map(({ name }) => name)).toEqual([
    '2.2/ttl-removes-running',
  ]);
  expect(left.filter(({ kind }) => kind === 'scenarios')).toHaveLength(selection.scenarios.length);
});

it.each([
  ['2.6 2.7', ['2.6', '2.7']],
  ['scenarios/2.2/*', ['scenarios/2.2/*']],
  ['ttl running', null],
  ['2.2 nowhere', null],
])('takes "%s" as --only takes it, or as text', (text, only) => {
  expect(matching(text, all, scenarios).only).toEqual(only);
});

it('finds what --only would run, and of text the rows with all its words', () => {
  const selected = select(['2.6'], [], REQUIREMENTS, scenarios);
  const found = matching('2.6', all, scenarios).rows;
  for (const { name } of selected.scenarios) expect(names(found)).toContain(name);
  for (const id of selected.asked.only!) expect(found).toContain(id);
  const byText = matching('TTL Running', all, scenarios).rows;
  expect(byText).toContain('2.2/ttl-removes-running');
  for (const selector of byText) {
    const { name, text } = rows.find((row) => row.selector === selector)!;
    expect(`${name} ${text}`).toMatch(/ttl/i);
  }
  expect(matching('nowhere at all', all, scenarios)).toEqual({ rows: [], only: null });
});

it('plays the rows alone that a command with --only has', () => {
  const left = rowsOf(select(['2.2'], [], REQUIREMENTS, scenarios));
  const settings = { only: ['2.2'], skip: [] };
  const { rows: found, only } = matching('4.6/*', { rows: left, settings }, scenarios);
  expect(only).toBeNull();
  const played = select(found, [], REQUIREMENTS, scenarios).scenarios.map(({ name }) => name);
  expect(played.length).toBeGreaterThan(0);
  const own = left.filter(({ kind }) => kind === 'scenarios').map(({ name }) => name);
  expect(own).toEqual(expect.arrayContaining(played));
});

it('judges no rule that a command with --only leaves out', () => {
  const settings = { only: ['2.2', '4.5'], skip: [] };
  const choice = { rows: rowsOf(select(settings.only, [], REQUIREMENTS, scenarios)), settings };
  const { rows: found, only } = matching('4.5', choice, scenarios);
  const own = select(['4.5'], [], REQUIREMENTS, scenarios);
  const shown = found.filter((one) => one.startsWith('scenarios/'));
  expect(only).toEqual(own.asked.only);
  expect(names(shown).sort()).toEqual(own.scenarios.map(({ name }) => name).sort());
  const some = shown.slice(0, 2);
  const chosen = chosenOf(some, choice, scenarios);
  const { scenarios: played, asked, beside } = select(chosen.only, chosen.skip, REQUIREMENTS, scenarios);
  expect(played.map(({ name }) => name).sort()).toEqual(names(some).sort());
  expect(asked).toEqual({ only: expect.any(Array) });
  for (const id of asked.only!) expect(id).toMatch(/^(2\.2|4\.5)\//);
  expect(beside).toEqual([]);
  expect(chosenOf(some, all, scenarios)).toEqual({ only: some, skip: [] });
});
