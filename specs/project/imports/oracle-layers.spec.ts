import { describe, expect, it } from 'vitest';
import { isAcyclic, layerBreaches } from './oracle-layers.js';
import { sourcesIn } from '../sources.js';

describe('layers of the oracle', () => {
  it('are kept by every file, types included: if this fails, edit the file named or specs/project/imports/oracle-layers.ts', () => {
    const edit = 'remove these imports, or change the layers in specs/project/imports/oracle-layers.ts';
    expect(sourcesIn('src/oracle').flatMap(layerBreaches), edit).toEqual([]);
  });

  it('have no circle', () => {
    expect(isAcyclic()).toBe(true);
  });

  it.each([
    ['a layer above', 'src/oracle/model/planted.ts', `import { judgeCalls } from '../calls/judge-calls.js';`],
    ['a type of it', 'src/oracle/observed/planted.ts', `import type { Zone } from '../model/zone.js';`],
    ['what joins them all', 'src/oracle/calls/planted.ts', `import { judge } from '../judge.js';`],
    ['a folder without a row', 'src/oracle/cellar/planted.ts', ''],
  ])('find a planted breach: %s', (_what, path, text) => {
    expect(layerBreaches({ path, text })).toHaveLength(1);
  });

  it('let a file import its own folder and those beneath', () => {
    const text = `import { answerOf } from '../observed/reading.js'; import { judgeKey } from './keys.js';`;
    expect(layerBreaches({ path: 'src/oracle/calls/planted.ts', text })).toEqual([]);
  });
});
