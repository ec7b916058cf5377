import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../src/history/body.js';

describe('body of a history', () => {
  it.each([null, ''])('is none for %j', (text) => {
    expect(bodyOf(text)).toEqual({ as: 'none' });
  });

  it('is JSON wherever it can be read as JSON, measured in bytes', () => {
    expect(bodyOf('{"é":[1]}')).toEqual({ as: 'json', value: { é: [1] }, bytes: 10 });
    expect(bodyOf('null')).toEqual({ as: 'json', value: null, bytes: 4 });
  });

  it('is otherwise the beginning of the text, with the original size', () => {
    expect(bodyOf('{"cut":')).toEqual({ as: 'text', text: '{"cut":', bytes: 7 });
    const long = bodyOf(`<${'x'.repeat(9_999)}`);
    expect(long).toMatchObject({ as: 'text', bytes: 10_000 });
    expect(long.as === 'text' && long.text.length).toBe(2_000);
  });

  it('does not keep the whole text in memory', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapMb = (): number => {
      collect();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const before = heapMb();
    const kept = Array.from({ length: 12 }, (_, index) => [
      bodyOf(Buffer.alloc(10_000_000, 'a').toString()),
      bodyOf(
        Buffer.from(
          `{"status":"${'s'.repeat(3_000)}","more":"${'yz'.repeat(5_000_000)}${index}"}`,
        ).toString(),
      ),
    ]);
    expect(heapMb() - before).toBeLessThan(30);
    expect(kept).toHaveLength(12);
  });
});
