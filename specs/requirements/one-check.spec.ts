import { describe, expect, it } from 'vitest';
import { CHECKED_TOGETHER } from './checked-together.js';
import { checkFiles, gluedIds, isUntestable } from './naming.js';
import { sourcesIn } from '../project/sources.js';

const EDIT = 'correct specs/requirements/checked-together.ts';
const files = checkFiles();
const listed = new Map(
  CHECKED_TOGETHER.flatMap(({ by, ids }) => ids.split(/\s+/).map((id) => [id, by] as const)),
);

describe('one place per requirement', () => {
  it('has a check for each that a run can decide', () => {
    const bare = [...files].filter(([id, { length }]) => length === 0 && !isUntestable(id));
    expect(
      bare.map(([id]) => `no file of src/oracle names ${id}: check it there, by its id or by idsFor`),
    ).toEqual([]);
  });

  it('has one file that checks it, save what is listed with its reason', () => {
    const unlisted = [...files].filter(([id, found]) => found.length > 1 && !isSame(found, listed.get(id)));
    expect(
      unlisted.map(
        ([id, found]) => `${id} is named by ${found.join(', ')}: leave it to one of them, or ${EDIT}`,
      ),
    ).toEqual([]);
  });

  it('lists nothing that is checked in one place by now', () => {
    const idle = [...listed].filter(([id, by]) => !isSame(files.get(id) ?? [], by));
    expect(idle.map(([id, by]) => `${id} is not named by ${by.join(', ')} any more: ${EDIT}`)).toEqual([]);
  });
});

const isSame = (found: readonly string[], by: readonly string[] | undefined): boolean =>
  by !== undefined && found.toSorted().join() === by.toSorted().join();

describe('ids', () => {
  it('are not put together from strings: idsFor makes those that differ in one word', () => {
    const glued = sourcesIn('src').flatMap(gluedIds);
    expect(glued.map((place) => `${place}: use idsFor of src/spec/ids.ts`)).toEqual([]);
    const planted = 'const id = `5/missing-key-${op}`;';
    expect(gluedIds({ path: 'x.ts', text: planted })).toEqual(['x.ts:1: `5/missing-key-${op}`']);
  });
});
