import { describe, expect, it } from 'vitest';
import { LONG, ROOMY } from './size-exceptions.js';
import { longFunctionsIn, OWN_LINES_MAX } from './own-lines.js';
import { roomOf, sourcesIn, type Source } from './sources.js';

const FILES_MAX = 25;

const all: readonly Source[] = ['src', 'specs', 'scenarios', 'proof', 'bench'].flatMap(sourcesIn);
/** The stories of a spec are as long as they are; what specs share is code like any other. */
const code = all.filter(({ path }) => !path.endsWith('.spec.ts'));

describe('sizes and names', () => {
  it(`has no function of more than ${OWN_LINES_MAX} lines without a reason`, () => {
    const found = code.flatMap(longFunctionsIn);
    const unexplained = found.filter(({ place }) => !LONG.some(({ path }) => place.startsWith(path)));
    const edit =
      'take the function apart by what it does, or add its file with a reason to size-exceptions.ts';
    expect(unexplained, edit).toEqual([]);
    const idle = LONG.filter(({ path }) => !found.some(({ place }) => place.startsWith(path)));
    expect(idle, 'remove these from specs/project/size-exceptions.ts').toEqual([]);
  });

  it('counts the lines of a function without those of the functions in it, comments and blank lines', () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, n) => `  f(${n});`).join('\n');
    const found = (text: string): number => longFunctionsIn({ path: 'src/planted.ts', text }).length;
    expect(found(`function long() {\n${lines(OWN_LINES_MAX - 1)}\n}`)).toBe(1);
    expect(found(`function short() {\n${lines(OWN_LINES_MAX - 2)}\n\n// Why.\n}`)).toBe(0);
    expect(
      found(`const outer = () => {\n  const inner = () => {\n${lines(40)}\n  };\n${lines(40)}\n};`),
    ).toBe(0);
  });

  it(`has no folder of more than ${FILES_MAX} files without a reason`, () => {
    const found = foldersOf(all).filter(({ files }) => files > FILES_MAX);
    const unexplained = found.filter(({ folder }) => !ROOMY.some(({ path }) => path === folder));
    expect(unexplained, 'divide the folder by idea, or add it with a reason to size-exceptions.ts').toEqual(
      [],
    );
    const idle = ROOMY.filter(({ path }) => !found.some(({ folder }) => folder === path));
    expect(idle, 'remove these from specs/project/size-exceptions.ts').toEqual([]);
    const planted = Array.from({ length: FILES_MAX + 1 }, (_, n) => ({ path: `src/full/${n}.ts`, text: '' }));
    expect(foldersOf(planted)).toEqual([{ folder: 'src/full', files: FILES_MAX + 1 }]);
  });

  it('names files in lower case, words joined by hyphens', () => {
    const odd = all.filter(
      ({ path }) => !/^([a-z0-9.-]+\/)+[a-z0-9-]+((\.own)?(\.waits|\.long)?\.spec|\.d)?\.tsx?$/.test(path),
    );
    expect(
      odd.map(({ path }) => path),
      'rename these files',
    ).toEqual([]);
  });

  it('has named exports only, except in scenario files', () => {
    const unnamed = all.filter(({ path, text }) => !path.startsWith('scenarios/') && isDefault(text));
    expect(
      unnamed.map(({ path }) => path),
      'give the default export a name',
    ).toEqual([]);
    expect(isDefault('export default function f() {}')).toBe(true);
  });

  it('says in every room what the room promises', () => {
    const sources = sourcesIn('src').filter(({ path }) => !roomOf(path).endsWith('.ts'));
    const rooms = new Set(sources.map(({ path }) => roomOf(path)));
    const silent = [...rooms].filter(
      (room) => !sources.some(({ path, text }) => roomOf(path) === room && promises(room, text)),
    );
    expect(silent, 'begin the first file of the room with "`room/` promises …"').toEqual([]);
  });
});

const isDefault = (text: string): boolean => /^export default /m.test(text);

/** A file of the room that begins by saying what the room promises. */
function promises(room: string, text: string): boolean {
  const beginning = text.slice(0, 600);
  return beginning.startsWith('/**') && beginning.includes(`\`${room}/\` promises`);
}

/** Each folder with the number of sources in it, not counting those in its folders. */
function foldersOf(
  sources: readonly Source[],
): readonly { readonly folder: string; readonly files: number }[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, files]) => ({ folder, files }));
}
