import { describe, expect, it } from 'vitest';
import { publicApi, type PublicExport } from './public-api.js';

const exported = [...publicApi().values()].flat();

/** Their docstrings show how they are used; `specs/examples/` runs that. */
const WITH_EXAMPLE = [
  'checkTarget',
  'createApp',
  'fetchTarget',
  'httpTarget',
  'judge',
  'runScriptedWorker',
  'runScripts',
  'scenario',
  'scriptArbitrary',
  'simulatorTarget',
  'startServer',
];

describe('the public API', () => {
  it('has a docstring for every export', () => {
    expect(exported.length).toBeGreaterThan(50);
    expect(exported.filter(({ doc }) => doc === '').map(named), 'write what it means, in which unit').toEqual(
      [],
    );
  });

  it('marks every export as public or internal', () => {
    expect(exported.filter((one) => !isMarked(one)).map(named), 'add @public or @internal').toEqual([]);
    expect(isMarked({ tags: ['throws'] })).toBe(false);
  });

  it('exports every type that a signature names, or marks it as internal', () => {
    const names = new Set(exported.map(({ name }) => name));
    const unseen = exported.flatMap(({ name, mentions }) =>
      mentions
        .filter((type) => !names.has(type.name) && !type.isInternal)
        .map((type) => `${type.file}: ${type.name}, named by ${name}`),
    );
    expect(unseen, 'export it in src/index.ts, or add @internal to its docstring').toEqual([]);
    expect(exported.find(({ name }) => name === 'Target')?.mentions.map(({ name }) => name)).toContain(
      'Script',
    );
  });

  it('shows by an example how the main functions are used', () => {
    const without = WITH_EXAMPLE.filter(
      (name) => !exported.some((one) => one.name === name && one.examples.length === 1),
    );
    expect(without, 'add an @example to its docstring').toEqual([]);
  });
});

const named = ({ file, name }: PublicExport): string => `${file}: ${name}`;

const isMarked = ({ tags }: Pick<PublicExport, 'tags'>): boolean =>
  tags.includes('public') !== tags.includes('internal');
