import { describe, expect, it } from 'vitest';
import { select } from '../../src/checking/selectors.js';
import { isSelected } from '../../src/history/selection.js';
import { nearest } from '../../src/util/suggest.js';
import type { NamedScenario } from '../../src/scenario/index.js';
import type { Requirement } from '../../src/spec/types.js';

const requirements = ['2.2/ttl-removes', '2.2/ttl-kept', '2.10/other', '4.6/retry'].map(
  (id) => ({ id, section: id.split('/')[0] }) as Requirement,
);
const scenarios = [
  ['2.2/ttl-of-a-job', ['2.2/ttl-removes', '4.6/retry']],
  ['2.2/kept', ['2.2/ttl-kept']],
  ['4.6/retry-twice', ['4.6/retry']],
  ['2.10/other-one', ['2.10/other']],
].map(([name, exercises]) => ({ name, exercises }) as unknown as NamedScenario);

function selected(only: readonly string[], skip: readonly string[] = []): string {
  const { scenarios: names, asked } = select(only, skip, requirements, scenarios);
  const ids = requirements.map(({ id }) => id).filter((id) => isSelected(asked, id));
  return `${names.map(({ name }) => name).join(' ')} | ${ids.join(' ')}`;
}

const ALL = '2.2/ttl-removes 2.2/ttl-kept 2.10/other 4.6/retry';

describe('a selection', () => {
  it.each([
    [[], [], `2.2/ttl-of-a-job 2.2/kept 4.6/retry-twice 2.10/other-one | ${ALL}`],
    [['2.2/ttl-kept'], [], '2.2/kept | 2.2/ttl-kept'],
    [['2.2'], [], '2.2/ttl-of-a-job 2.2/kept | 2.2/ttl-removes 2.2/ttl-kept'],
    [['§2.2'], [], '2.2/ttl-of-a-job 2.2/kept | 2.2/ttl-removes 2.2/ttl-kept'],
    [['2'], [], '2.2/ttl-of-a-job 2.2/kept 2.10/other-one | 2.2/ttl-removes 2.2/ttl-kept 2.10/other'],
    [['*ttl*'], [], '2.2/ttl-of-a-job 2.2/kept | 2.2/ttl-removes 2.2/ttl-kept'],
    [['4.6/retry'], [], '2.2/ttl-of-a-job 4.6/retry-twice | 4.6/retry'],
    [['4.6/retry-twice'], [], `4.6/retry-twice | ${ALL}`],
    [['scenarios/4.6/retry-twice.ts'], [], `4.6/retry-twice | ${ALL}`],
    [['2.2'], ['2.2/ttl-kept'], '2.2/ttl-of-a-job | 2.2/ttl-removes'],
    [[], ['4.6'], '2.2/ttl-of-a-job 2.2/kept 2.10/other-one | 2.2/ttl-removes 2.2/ttl-kept 2.10/other'],
    [[], ['scenarios/2.2/kept'], `2.2/ttl-of-a-job 4.6/retry-twice 2.10/other-one | ${ALL}`],
  ])('--only %j --skip %j', (only, skip, meaning) => expect(selected(only, skip)).toBe(meaning));

  it.each([
    [
      ['2.2/ttl-kpet'],
      [],
      '--only "2.2/ttl-kpet" matches no requirement, section or scenario. Did you mean 2.2/ttl-kept',
    ],
    [[], ['9.9'], '--skip "9.9" matches no'],
    [['2.2/ttl-kept'], ['2.2'], 'no scenario is left for 2.2/ttl-kept'],
  ])('--only %j --skip %j is an error', (only, skip, message) => {
    expect(() => selected(only, skip)).toThrow(message);
  });
});

describe('the nearest words', () => {
  it.each([
    ['chekc', ['check', 'judge'], ['check']],
    ['ttl-removes', ['2.2/ttl-removes', '4.6/retry'], ['2.2/ttl-removes']],
    ['xyzzy', ['check', 'judge'], []],
    ['lsit', ['list', 'judge'], ['list']],
    ['lsit', ['list', 'list', 'judge', 'list'], ['list']],
  ])('%s', (wish, words, near) => expect(nearest(wish, words)).toEqual(near));
});
