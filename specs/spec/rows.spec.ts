import { describe, expect, it } from 'vitest';
import { SUBMISSIONS } from '../../src/spec/index.js';
import { family, inSection, inTurn } from '../../src/spec/requirements/rows.js';

const ROW = { level: 'must', text: 'The answer of /* is short.', quote: 'short' } as const;

describe('the rows of a section', () => {
  it('say once what its requirements have in common', () => {
    const [one] = inSection('7', [{ id: '7/short', ...ROW, code: 400, undecided: 'never' }]);
    expect(Object.entries(one!)).toEqual([
      ['id', '7/short'],
      ['section', '7'],
      ['level', 'must'],
      ['text', 'The answer of /* is short.'],
      ['code', 400],
      ['quote', 'short'],
      ['needs', []],
      ['waitMs', 0],
      ['undecided', 'never'],
    ]);
  });

  it('have ids of that section', () => {
    // @ts-expect-error: the id begins with another section
    expect(inSection('7', [{ id: '8/short', ...ROW }])).toHaveLength(1);
  });

  it('have ids that the type checker knows', () => {
    const ids: readonly ('7/short-run' | '7/short-runsync')[] = inSection(
      '7',
      family('7/short-*', SUBMISSIONS, ROW),
    ).map(({ id }) => id);
    expect(ids).toEqual(['7/short-run', '7/short-runsync']);
    // @ts-expect-error: no family makes this id
    expect(ids).not.toContain('7/short-status' satisfies (typeof ids)[number]);
  });
});

describe('a family', () => {
  it('has a row for each word, which stands in the id and in the text', () => {
    const rows = family('7/short-*', SUBMISSIONS, (op) => ({ ...ROW, waitMs: op === 'run' ? 1 : 2 }));
    expect(rows.map(({ id, text, waitMs }) => [id, text, waitMs])).toEqual([
      ['7/short-run', 'The answer of /run is short.', 1],
      ['7/short-runsync', 'The answer of /runsync is short.', 2],
    ]);
  });

  it('takes turns with others', () => {
    const rows = inTurn(family('7/short-*', SUBMISSIONS, ROW), family('7/*-is-brief', SUBMISSIONS, ROW));
    expect(rows.map(({ id }) => id)).toEqual([
      '7/short-run',
      '7/run-is-brief',
      '7/short-runsync',
      '7/runsync-is-brief',
    ]);
  });
});
