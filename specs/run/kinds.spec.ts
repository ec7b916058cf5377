import { expect, test } from 'vitest';
import { globsOf, kindOf, KINDS } from './kinds.js';
import { specFiles } from './parts.js';

const matches = (globs: readonly string[], file: string): boolean =>
  globs.some((glob) => file.startsWith('specs/') && file.endsWith(glob.slice('specs/**/*'.length)));

test('the name says the kind', () => {
  expect(
    ['a.spec.ts', 'a.own.spec.ts', 'a.waits.spec.ts', 'a.own.waits.spec.ts', 'a.long.spec.ts'].map(kindOf),
  ).toEqual(['pure', 'pure', 'waits', 'waits', 'long']);
});

test('each spec file belongs to one project', () => {
  const projects = KINDS.flatMap((kind) => [globsOf(kind, false), globsOf(kind, true)]);
  const homeless = specFiles().filter(
    (file) =>
      projects.filter(({ include, exclude }) => matches(include, file) && !matches(exclude, file)).length !==
      1,
  );
  expect(homeless).toEqual([]);
});
