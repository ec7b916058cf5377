import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultText, FaultSyntaxError, parseEffects, parseRule } from '../../../src/server/faults/grammar.js';

const ALWAYS = { kind: 'chance', perMille: 1000 };
const NO_DELAY = [0, 0];

describe('parseRule', () => {
  it.each([
    [
      'status:5%=503',
      'call',
      ['status'],
      { kind: 'chance', perMille: 50 },
      NO_DELAY,
      { kind: 'status', status: 503, retryAfterS: null },
    ],
    [
      'run,runsync:0.5%=lost-reply',
      'call',
      ['run', 'runsync'],
      { kind: 'chance', perMille: 5 },
      NO_DELAY,
      { kind: 'lost-reply' },
    ],
    [
      'run:#3=429',
      'call',
      ['run'],
      { kind: 'numbers', first: 3, last: 3 },
      NO_DELAY,
      { kind: 'status', status: 429, retryAfterS: 1 },
    ],
    [
      'run:#1-2=429:1500ms',
      'call',
      ['run'],
      { kind: 'numbers', first: 1, last: 2 },
      NO_DELAY,
      { kind: 'status', status: 429, retryAfterS: 2 },
    ],
    [
      'run:#2-=429:none',
      'call',
      ['run'],
      { kind: 'numbers', first: 2, last: Infinity },
      NO_DELAY,
      { kind: 'status', status: 429, retryAfterS: null, html: false },
    ],
    [
      'run:10s=502:html:3s',
      'call',
      ['run'],
      { kind: 'time', forMs: 10_000 },
      NO_DELAY,
      { kind: 'status', status: 502, retryAfterS: 3, html: true },
    ],
    [
      'run=200:html',
      'call',
      ['run'],
      ALWAYS,
      NO_DELAY,
      { kind: 'status', status: 200, retryAfterS: null, html: true },
    ],
    ['run=slow-reply:2s', 'call', ['run'], ALWAYS, NO_DELAY, { kind: 'slow-reply', overMs: 2_000 }],
    ['status=+300ms', 'call', ['status'], ALWAYS, [300, 300], null],
    [
      ' status = +0.1s..2s , truncated-reply ',
      'call',
      ['status'],
      ALWAYS,
      [100, 2000],
      { kind: 'truncated-reply' },
    ],
    ['worker:10%=crash', 'worker', null, { kind: 'chance', perMille: 100 }, NO_DELAY, { kind: 'crash' }],
    ['worker=+1h,fail', 'worker', null, ALWAYS, [3_600_000, 3_600_000], { kind: 'fail' }],
    ['webhook:#1=lost', 'webhook', null, { kind: 'numbers', first: 1, last: 1 }, NO_DELAY, { kind: 'lost' }],
    ['webhook=+2s,duplicate', 'webhook', null, ALWAYS, [2_000, 2_000], { kind: 'duplicate' }],
  ])('%s', (text, place, operations, share, delayMs, effect) => {
    const rule = parseRule(text);
    expect(rule).toMatchObject({ text: text.trim(), place, share, delayMs, effect });
    expect(rule.operations === null ? null : [...rule.operations]).toEqual(operations);
  });

  it('* is every operation', () => {
    expect([...(parseRule('*=500').operations ?? [])]).toEqual(
      expect.arrayContaining([
        'run',
        'runsync',
        'status',
        'stream',
        'cancel',
        'retry',
        'purge-queue',
        'health',
      ]),
    );
  });

  it.each([
    ['status', 'must have the form WHAT:SHARE=EFFECT, such as status:5%=503'],
    ['', 'must have the form'],
    ['stauts:5%=503', '"stauts" is not an operation; write runsync, run, status'],
    [
      'status:5=503',
      'the share "5" is not known; write 5% or 0.5% (from 0.1% to 100%), #3 for the third, #1-3',
    ],
    ['status:0%=503', 'the share "0%"'],
    ['status:101%=503', 'the share "101%"'],
    ['status:0.05%=503', 'the share "0.05%"'],
    ['status:#0=503', 'the share "#0"'],
    ['status:#3-1=503', 'the share "#3-1"'],
    ['status:0s=503', 'the share "0s"'],
    ['status=slow-reply', 'the effect "slow-reply" is not known'],
    ['status=slow-reply:5m', 'the effect "slow-reply:5m"'],
    ['worker=slow-reply:1s', 'the effect "slow-reply:1s"'],
    ['status=html', 'the effect "html"'],
    [
      'status=200',
      'the effect "200" is not known; write a status code such as 503, 429:5s (with Retry-After), 429:none (without), 502:html or 200:html, lost-request',
    ],
    ['status=200', 'status codes are 400 to 599'],
    ['status=503:5', 'the effect "503:5"'],
    ['status=crash', 'the effect "crash" is not known; write a status code'],
    ['worker=503', 'the effect "503" is not known; write crash, fail, or +2s'],
    ['webhook=crash', 'the effect "crash" is not known; write lost, duplicate, or +2s'],
    ['status=', 'the effect "" is not known'],
    ['status=503,500', '"503,500" has two effects; write one of them, and perhaps a delay'],
    ['status=+1s,+2s', '"+1s,+2s" has two delays; write one of them, and perhaps an effect'],
    ['status=+300', 'the delay "+300" is not known; write +300ms, +2s or +100ms..2s, at most +4m'],
    ['status=+5m', 'at most +4m'],
    ['worker=+25h', 'at most +24h'],
    ['status=+2s..1s', 'the delay "+2s..1s"'],
  ])('%j: %s', (text, complaint) => {
    expect(() => parseRule(text)).toThrow(FaultSyntaxError);
    expect(() => parseRule(text)).toThrow(complaint);
    expect(() => parseRule(text)).toThrow(JSON.stringify(text));
  });

  it('any other text is refused by a FaultSyntaxError, and nothing else is thrown', () => {
    const piece = fc.constantFrom(
      'status',
      'worker',
      'webhook',
      ':',
      '=',
      '%',
      '#',
      '+',
      '..',
      ',',
      '503',
      '5',
      'ms',
      '\n',
      '-',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        try {
          parseRule(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(FaultSyntaxError);
        }
      }),
    );
  });
});

describe('faultText', () => {
  it.each([
    ...[
      '503',
      '429:2s',
      '429:none',
      '502:html',
      '503:html:2s',
      '200:html',
      '+300ms',
      '+2s',
      '+300ms,lost-reply',
    ],
    ...['truncated-reply', 'closed-after-reply', 'slow-reply:2s', 'slow-reply:150ms'],
  ])('shows %s as it is written', (text) => {
    const { delayMs, effect } = parseEffects(text, 'call');
    expect(faultText(delayMs[0], effect)).toBe(text);
  });
});
