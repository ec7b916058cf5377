/** Help, version and completion load no command: start-up time is what users of completion feel. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** All files that are loaded with this one, and the packages that they import. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, kind, from] of text.matchAll(/^(?:import|export)\s(type\s)?[^;]*?from '([^']+)';/gm)) {
    if (kind !== undefined || from === undefined) continue;
    if (from.startsWith('.')) loadedWith(normalize(join(dirname(file), from.replace(/\.js$/, '.ts'))), seen);
    else seen.add(from);
  }
  return seen;
}

describe('the library', () => {
  const packages = [...loadedWith('src/index.ts')].filter(
    (name) => !name.startsWith('src/') && !name.startsWith('node:'),
  );

  it('loads no client, no faked timers and no metrics before it needs them', () => {
    expect(packages.sort()).toEqual([
      '@hono/node-server',
      '@hono/node-server/utils/response',
      'fast-check',
      'hono',
    ]);
  });
});

describe('before a command runs', () => {
  const loaded = [...loadedWith('src/shell/main.ts')];

  it.each(['index.ts', 'shell/main.ts'])(
    '%s loads the faces of features, and nothing that they do',
    (file) => {
      const ofFeatures = [...loadedWith(`src/${file}`)].filter((name) => name.startsWith('src/features/'));
      expect(ofFeatures).toContain('src/features/client/index.ts');
      expect(ofFeatures.filter((name) => !/\/(index|options|defaults)\.ts$/.test(name))).toEqual([]);
    },
  );

  it('of the packages only yargs is loaded', () => {
    expect(loaded.filter((name) => !name.startsWith('src/') && !name.startsWith('node:'))).toEqual(['yargs']);
  });

  it('no oracle, target, server, core or scenario is loaded', () => {
    const rooms = new Set(loaded.filter((name) => name.startsWith('src/')).map((name) => name.split('/')[1]));
    expect(
      [...rooms].filter((room) => /^(oracle|target|server|core|scenario|explore|sim|mutants)$/.test(room!)),
    ).toEqual([]);
    expect(rooms).toContain('cli');
  });

  it('no requirement of the document is loaded, nor what reports are made of', () => {
    const unneeded = /^src\/(spec\/(requirements|questions)\/|report\/(causes|conclusion)\.)/;
    expect(loaded.filter((name) => unneeded.test(name))).toEqual([]);
  });

  it.each(['features/check/check-command', 'features/serve/serve-command', 'cli/open-target'])(
    'no fault is loaded by %s before one is named',
    (file) => {
      expect([...loadedWith(`src/${file}.ts`)]).not.toContain('src/mutants/index.ts');
    },
  );

  it('would be noticed', () => {
    expect([...loadedWith('src/features/replay/replay-command.ts')]).toContain('src/mutants/index.ts');
    expect([...loadedWith('src/features/check/check-command.ts')].length).toBeGreaterThan(100);
  });
});
