import { describe, expect, it } from 'vitest';
import { ROOMY } from './size-exceptions.js';
import { roomOf, sourcesIn, type Source } from './sources.js';

const LINES_MAX = 300;
/** Below the limit, so that a file around it does not leave and re-enter the list. */
const REASON_KEPT_FROM = 250;

const all: readonly Source[] = ['src', 'specs', 'scenarios', 'proof', 'bench'].flatMap(sourcesIn);
const linesOf = ({ text }: Source): number => text.split('\n').length - 1;
const large = all.filter((source) => linesOf(source) > LINES_MAX);

describe('sizes and names', () => {
  it(`has no file of more than ${LINES_MAX} lines without a reason`, () => {
    const unexplained = large.filter(({ path }) => !ROOMY.some((entry) => path.startsWith(entry.path)));
    const found = unexplained.map((source) => `${source.path}: ${linesOf(source)} lines`);
    expect(
      found,
      'split the file by idea, or add it with a reason to specs/project/size-exceptions.ts',
    ).toEqual([]);
  });

  it('has no reason for a file that is small', () => {
    const clearlyLarge = all.filter((source) => linesOf(source) > REASON_KEPT_FROM);
    const idle = ROOMY.filter((entry) => !clearlyLarge.some(({ path }) => path.startsWith(entry.path)));
    expect(idle, 'remove these from specs/project/size-exceptions.ts').toEqual([]);
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
