import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faceBreaches, importBreaches, TABLE } from './import-table.js';
import { importsOf } from './imports.js';
import { ROOT, sourcesIn } from '../sources.js';

const breachesOf = (path: string, text: string) => importBreaches({ path, text });

describe('import table', () => {
  it('is kept by every file of src', () => {
    const edit = 'move the code, or extend the row of the room in specs/project/imports/import-table.ts';
    expect(sourcesIn('src').flatMap(importBreaches), edit).toEqual([]);
  });

  it('has a row for every room of src', () => {
    const rooms = readdirSync(join(ROOT, 'src'));
    const missing = rooms.filter((room) => TABLE[room] === undefined);
    expect(missing, 'add rows to TABLE in specs/project/imports/import-table.ts').toEqual([]);
  });

  it('keeps the oracle apart from everything that could make it agree by construction', () => {
    const strangers = sourcesIn('src/oracle').flatMap((source) =>
      importsOf(source)
        .filter(({ from }) => from === null || !/^src\/(oracle|spec|history|util)\//.test(from))
        .map(({ place, from }) => `${place} ${from}`),
    );
    expect(strangers, 'the oracle must stay independent: remove these imports').toEqual([]);
  });

  it.each([
    ['a value', 'oracle', `import { createService } from '../core/service.js';`],
    ['a type', 'oracle', `import type { Service } from '../core/api.js';`],
    ['a type said inline', 'oracle', `import { type Service } from '../sim/simulation.js';`],
    ['a re-export', 'oracle', `export { createRandom } from '../time/random.js';`],
    ['everything of a room', 'oracle', `export * from '../runner/player.js';`],
    ['a name of its own', 'oracle', `import * as scenario from '../scenario/index.js';`],
    ['a side effect', 'oracle', `import '../target/port.js';`],
    ['an import at run time', 'oracle', `const core = await import('../core/service.js');`],
    ['a computed import', 'oracle', `const core = await import('../../core/' + name);`],
    ['a type written out', 'oracle', `let service: import('../core/api.js').Service;`],
    ['a detour', 'oracle', `import { x } from '../oracle/../core/service.js';`],
    ['a scenario file', 'oracle', `import { named } from '../../../scenarios/index.js';`],
    ['a part of Node', 'core', `import { randomUUID } from 'node:crypto';`],
    ['a package', 'core', `import fc from 'fast-check';`],
    ['a value where a type is allowed', 'explore', `import { runScripts } from '../target/run-scripts.js';`],
    ['a type beside the one allowed', 'core', `import type { CallEvent, Json } from '../history/events.js';`],
    ['a file beside the rooms', 'core', `import { packageVersion } from '../package-files.js';`],
  ])('finds a planted breach: %s', (_what, room, text) => {
    expect(breachesOf(`src/${room}/planted.ts`, text)).toHaveLength(1);
  });

  it.each([
    ['its own room', 'core', `import { x } from './state.js'; import { y } from '../core/queue.js';`],
    ['a room of its row', 'oracle', `import { REQUIREMENTS } from '../spec/index.js';`],
    ['a type of its row', 'core', `import type { Json } from '../history/events.js';`],
    ['a type under another name', 'worker', `import type { WorkerReport as Report } from '../core/api.js';`],
    ['a package of its row', 'server', `import { serve } from '@hono/node-server/utils/response';`],
  ])('lets pass %s', (_what, room, text) => {
    expect(breachesOf(`src/${room}/planted.ts`, text)).toEqual([]);
  });

  it('keeps features apart from each other, and the rooms below from all of them', () => {
    const text = `import { judge } from '../judge/index.js';`;
    expect(breachesOf('src/features/proxy/planted.ts', text)).toHaveLength(1);
    expect(breachesOf('src/features/judge/planted.ts', text)).toEqual([]);
    expect(
      breachesOf('src/cli/planted.ts', `import { judge } from '../features/judge/index.js';`),
    ).toHaveLength(1);
  });

  it('shows others of a feature its face alone, which is small, as are those of rooms', () => {
    const from = (file: string): string => `import { judge } from '../features/judge/${file}.js';`;
    expect(breachesOf('src/shell/planted.ts', from('judge-command'))).toHaveLength(1);
    expect(breachesOf('src/shell/planted.ts', from('index'))).toEqual([]);
    expect(sourcesIn('src').flatMap(faceBreaches)).toEqual([]);
    const planted = (count: number): string =>
      Array.from({ length: count }, (_, n) => `export type T${n} = ${n};`).join('\n');
    const exported = (text: string) => faceBreaches({ path: 'src/features/judge/index.ts', text });
    expect(faceBreaches({ path: 'src/traffic/index.ts', text: planted(21) })).toHaveLength(1);
    expect(exported(planted(20))).toEqual([]);
    expect(exported(`${planted(19)}\nexport { a, b } from './c.js';`)).toHaveLength(1);
    expect(exported(`export * from './c.js';`)).toHaveLength(1);
  });

  it.each([
    [
      'options before they are read',
      'features/judge',
      `import type { RawOptions } from '../../cli/option.js';`,
    ],
    ['a second reading', 'cli', `import { settingsOf } from './option.js';`],
    ['all of it', 'features/judge', `import * as option from '../../cli/option.js';`],
    ['the arguments that yargs reads', 'cli', `import type { Arguments } from 'yargs';`],
  ])('leaves %s to the parser', (_what, folder, text) => {
    expect(breachesOf(`src/${folder}/planted.ts`, text)).toHaveLength(1);
  });

  it('wants a row before it lets a new room in', () => {
    expect(breachesOf('src/cellar/index.ts', '')).toHaveLength(1);
  });
});
