import { describe, expect, it } from 'vitest';
import { conditionOf } from '../../../src/report/client/condition.js';
import { excerptOf, excerptText } from '../../../src/report/client/timeline.js';
import { endSentence, lastLines } from '../../../src/report/client/words.js';
import { answered, asksOn, call, polls, result, submission } from './sample.js';

const textOf = (made: ReturnType<typeof result>, calls: readonly number[]): readonly string[] =>
  excerptText(excerptOf(conditionOf(made, String), calls, 12));

describe('an excerpt', () => {
  it('shows the named calls, what was right around them, and how many are like them', () => {
    const lines = textOf(
      asksOn('job-fails'),
      polls(18).map(({ id }) => id),
    );
    expect(lines).toEqual([
      '    0.100 s  POST /run        200 IN_QUEUE',
      '>   0.200 s  GET /status/abc  200 FAILED            (+0.10 s)',
      '>   0.300 s  GET /status/abc  200 FAILED            (+0.10 s)',
      '            … 15 more like these',
      '>   1.900 s  GET /status/abc  200 FAILED            (+0.10 s)',
      '   30.000 s  the end          stopped at the limit  (+28.1 s)',
    ]);
  });

  it('says how many calls lie between those that it shows', () => {
    const made = result('clear', { calls: [submission, ...polls(20, 'IN_QUEUE')] });
    const lines = textOf(made, [1, 20]);
    expect(lines.filter((line) => line.startsWith('>'))).toHaveLength(2);
    expect(lines).toContain('            … 16 more');
  });

  it('has no more than its lines, and counts all that it leaves out', () => {
    const mixed = Array.from({ length: 50 }, (_, index) =>
      call(index + 1, index * 10, { reply: answered(index % 2 === 0 ? 429 : 500) }),
    );
    const lines = textOf(
      result('clear', { calls: mixed }),
      mixed.map(({ id }) => id),
    );
    expect(lines).toHaveLength(12);
    // Fifty calls and the end.
    expect(lines.filter((line) => /^.\s+\d/.test(line))).toHaveLength(11);
    expect(lines).toContain('            … 40 more');
  });

  it('has no time that goes back where a call was taken in after the end', () => {
    const late = call(100, 30_050, { reply: answered(404) });
    const end = { kind: 'stopped' as const, atMs: 30_000 };
    const lines = textOf(result('job-fails', { calls: [submission, late], end }), [100]);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^> {2}30\.050 s /),
      expect.stringMatching(/^ {3}30\.050 s {2}the end /),
    ]);
  });

  it('shows the end where no call is named', () => {
    const lines = textOf(result('clear', { calls: [submission, ...polls(20, 'IN_QUEUE')] }), []);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toContain('the end');
  });

  it('has webhooks in between, and what a reply has told', () => {
    const webhook = {
      ...{ number: 1, job: 'abc', address: 'http://127.0.0.1/', startedMs: 150, endedMs: null, status: null },
      ...{ fate: 'delivered' as const, state: 'COMPLETED' as const },
    };
    const calls = [
      submission,
      call(2, 200, { reply: { kind: 'answer', status: 503, retryAfterMs: 2_000 } }),
      call(3, 300, { operation: 'stream', reply: answered(200, [{ output: 1 }]) }),
      call(4, 400, { reply: { kind: 'lost', why: 'half' } }),
    ];
    const lines = textOf(result('clear', { calls, session: { webhooks: [webhook] } }), [1, 2, 3, 4]);
    const words = lines.map((line) => line.slice(13).replace(/\s{2,}/g, ', '));
    expect(words.slice(1, 5)).toEqual([
      'webhook COMPLETED, not answered, (+0.05 s)',
      'GET /status/abc, 503, Retry-After 2 s, (+0.05 s)',
      'GET /status/abc, 200 1 chunk, (+0.10 s)',
      'GET /status/abc, half a reply, (+0.10 s)',
    ]);
  });

  it('shows of a query that may have a key nothing but wait', () => {
    const calls = [
      call(1, 0, {
        query: { api_key: 'secret', wait: '5000' },
        key: { header: 'missing', elsewhere: 'the query' },
      }),
    ];
    const [line] = textOf(result('clear', { calls }), [1]);
    expect(line).toContain('GET /status/abc?api_key=[redacted]&wait=5000');
  });
});

describe('the last lines of an output', () => {
  it('begin at the error that is told in it', () => {
    const stack = ['TypeError: it broke', ...[1, 2, 3, 4, 5, 6].map((line) => `    at line ${line}`)];
    expect(lastLines(['begun', ...stack, 'Node.js v20', ''].join('\n'), 3)).toEqual(stack.slice(0, 3));
  });

  it('are the last where no error is told, or the error is among them', () => {
    expect(lastLines('a\nb\n\nc\n', 2)).toEqual(['b', 'c']);
    expect(lastLines('a\nb\nKeyError: "id"\n', 2)).toEqual(['b', 'KeyError: "id"']);
  });
});

it.each([
  ['exit code 3', 'it ended with exit code 3'],
  ['ended by SIGSEGV', 'it was ended by SIGSEGV'],
  ['rejected: no\u0007', 'its promise was rejected: no\\u0007'],
])('an end is a sentence: %j', (how, sentence) => {
  expect(endSentence({ kind: 'ended', success: false, how, atMs: 1 })).toBe(sentence);
});
