import { describe, expect, it } from 'vitest';
import { canBeNamed, segmentOf } from '../../src/history/job-path.js';
import { shortened } from '../../src/history/long-text.js';

describe("a job's id in a path", () => {
  it.each([
    ['0f-1a_2.b~c', '0f-1a_2.b~c'],
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['100%', '100%25'],
    ['%2e', '%252e'],
    ['.', '%2E'],
    ['..', '%2E%2E'],
    ['...', '...'],
    ['a\u0000b\r\n', 'a%00b%0D%0A'],
    ['日本🎉', '%E6%97%A5%E6%9C%AC%F0%9F%8E%89'],
  ])('%j', (id, segment) => {
    expect(canBeNamed(id)).toBe(true);
    expect(segmentOf(id)).toBe(segment);
    expect(decodeURIComponent(segment)).toBe(id);
  });

  it.each([
    ['nothing', ''],
    ['half a character', 'a\ud800'],
    ['the other half', '\udc00b'],
    ['a megabyte', 'x'.repeat(2 ** 20)],
    ['what is kept of a long one', shortened('xy'.repeat(5_000))],
  ])('cannot stand there if it is %s, which is no error', (_what, id) => {
    expect(canBeNamed(id)).toBe(false);
    expect(() => segmentOf(id)).not.toThrow();
  });

  it('has U+FFFD for half a character', () => {
    expect(segmentOf('a\ud800b')).toBe('a%EF%BF%BDb');
  });
});
