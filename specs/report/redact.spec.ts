import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../src/history/body.js';
import { SHORT_FORM_MARK, shortened } from '../../src/history/long-text.js';
import { createRedactor } from '../../src/report/index.js';
import { authorizationOf } from '../../src/target/authorization.js';
import { HISTORY } from './sample-report.js';

const KEY = 'sk-"<&>-0123456789';

describe('a redactor', () => {
  const redactor = createRedactor([KEY]);

  it.each([
    ['as it is', KEY],
    ['in JSON', JSON.stringify({ key: KEY })],
    ['in markup', 'sk-&quot;&lt;&amp;&gt;-0123456789'],
    ['in an address', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64')],
  ])('masks the key %s', (_where, text) => {
    expect(redactor.text(`before ${text} after`)).toContain('[redacted]');
    expect(redactor.text(`before ${text} after`)).not.toContain('0123456789');
  });

  it('masks the key in the address at which the run listens', () => {
    const [run] = HISTORY;
    const masked = redactor.event({
      ...run,
      webhooksAt: `https://${encodeURIComponent(KEY)}@host/`,
    } as never);
    expect(JSON.stringify(masked)).not.toContain('0123456789');
  });

  /** What may be left of the key: it tells nothing. */
  const LEFT_MAX = 5;

  /** The longest part of the key, in any case, that the text holds. */
  function longestPartIn(text: string): number {
    const [key, all] = [KEY.toLowerCase(), text.toLowerCase()];
    let longest = 0;
    for (let from = 0; from < key.length; from += 1)
      while (all.includes(key.slice(from, from + longest + 1)) && from + longest < key.length) longest += 1;
    return longest;
  }

  const PROBES = [
    'bare',
    'bearer',
    'truncated',
    'extended',
    'truncated-start',
    'followed',
    'other-case',
    'other-scheme',
    'lower-bearer',
  ] as const;
  const WRITINGS: readonly (readonly [string, (text: string) => string, (text: string) => string])[] = [
    ['as it is', (text) => text, (text) => text],
    ['in JSON', (text) => JSON.stringify({ text }), (text) => (JSON.parse(text) as { text: string }).text],
    ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify(text)), (text) => text.replaceAll('\\', '')],
    ['in an address', encodeURIComponent, decodeURIComponent],
    [
      'in an address in an address',
      (text) => encodeURIComponent(encodeURIComponent(text)),
      (text) => decodeURIComponent(decodeURIComponent(text)),
    ],
    [
      'with every character encoded',
      (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
      decodeURIComponent,
    ],
    [
      'in character references',
      (text) => [...text].map((c) => `&#${c.codePointAt(0)};`).join(''),
      (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    ],
    ['in base64', (text) => btoa(text), (text) => text.split('[redacted]').map(atob).join(' ')],
    [
      'in base64 behind a letter',
      (text) => btoa(`u${text}`),
      (text) =>
        text
          .split('[redacted]')
          .map((part) => atob(part.slice(0, part.length - (part.length % 4))))
          .join(' '),
    ],
    [
      'in base64 behind two',
      (text) => btoa(`us${text}`),
      (text) =>
        text
          .split('[redacted]')
          .map((part) => atob(part.slice(0, part.length - (part.length % 4))))
          .join(' '),
    ],
    [
      'in hexadecimal digits',
      (text) => Buffer.from(text).toString('hex'),
      (text) =>
        text
          .split('[redacted]')
          .map((part) => Buffer.from(part, 'hex').toString())
          .join(' '),
    ],
  ];

  describe.each(PROBES)('masks what the probe %s sends', (probe) => {
    const { header } = authorizationOf(probe, { apiKey: KEY });
    it.each(WRITINGS)('%s', (_how, write, read) => {
      const redacted = redactor.text(write(header ?? ''));
      expect(longestPartIn(read(write(header ?? '')))).toBeGreaterThanOrEqual(KEY.length - 1);
      expect(redacted).toContain('[redacted]');
      expect(longestPartIn(redacted)).toBeLessThanOrEqual(LEFT_MAX);
    });
  });

  it.each([1, 2, 3, 6, 10, 15])(
    'masks it where a text was cut off %i characters before its end',
    (missing) => {
      const before = 'x'.repeat(2_000 - KEY.length + missing);
      const body = bodyOf(`${before}${KEY} and more`);
      const call = HISTORY.find((event) => event.kind === 'call');
      if (call?.kind !== 'call' || call.reply === null) throw new Error('the made-up history has a reply');
      const kept = redactor.event({ ...call, reply: { ...call.reply, body } });
      expect(longestPartIn(JSON.stringify(kept))).toBeLessThanOrEqual(LEFT_MAX);
      expect(
        longestPartIn(redactor.text(`${KEY.slice(0, -missing)}… (9 more characters)`)),
      ).toBeLessThanOrEqual(LEFT_MAX);
    },
  );

  it('masks it in the stored part of a long text, even if it was truncated within the secret', () => {
    for (let at = 1_000; at <= 1_024; at += 1) {
      const varied = Array.from({ length: 9_000 }, (_, index) =>
        String.fromCharCode(97 + ((index * index) % 23)),
      ).join('');
      const kept = redactor.value(shortened(`${varied.slice(0, at)}${KEY}${varied.slice(at)}`));
      expect(kept).toContain('"sha256"');
      const { head } = JSON.parse(kept.slice(kept.indexOf('{'))) as { readonly head: string };
      expect(longestPartIn(head)).toBeLessThanOrEqual(LEFT_MAX);
    }
    const earlier = { chars: 9_000, bytes: 9_000, head: 'a', tail: `b${KEY}`, hash: [1, 2] };
    expect(redactor.value(SHORT_FORM_MARK + JSON.stringify(earlier))).not.toContain(KEY);
  });

  it('masks it in the reason why a script was abandoned', () => {
    const end = {
      kind: 'script-end',
      script: 0,
      atMs: 1,
      outcome: 'aborted',
      reason: `said ${KEY}`,
    } as const;
    expect(redactor.event(end)).toEqual({ ...end, reason: 'said [redacted]' });
  });

  it('masks it in values and in the names of members', () => {
    expect(redactor.value({ [KEY]: [KEY, 1, null, { a: `x${KEY}y` }] })).toEqual({
      '[redacted]': ['[redacted]', 1, null, { a: 'x[redacted]y' }],
    });
  });

  it('masks a short key only as a whole word', () => {
    const short = createRedactor(['test']);
    expect(short.text('key test, testing, test-control, (test)')).toBe(
      'key [redacted], testing, test-control, ([redacted])',
    );
  });

  it.each(['abcdefgh"', 'nbcdefgh1', '9bcdefgh<', '"bcdefgh\\', 'ubcdefghi'])(
    'leaves the text around %s what it is',
    (key) => {
      const { text } = createRedactor([key]);
      for (const part of [key, key.slice(1), key.slice(0, -1)])
        for (const before of ['', '\n', '\u0019', '"', '<b>'])
          for (const after of ['', '\n', '"', '</b>']) {
            const json = text(JSON.stringify({ a: `${before}${part}${after}`, b: [btoa(`\n${part}`)] }));
            expect(JSON.parse(json)).toMatchObject({ a: expect.stringContaining('[redacted]') as string });
            expect(json.toLowerCase()).not.toContain('bcdefg');
            expect(text(`<i>${part}</i>`)).toMatch(/^<i>.*<\/i>$/);
          }
    },
  );

  it('masks a short key without its first or last character, in other case and with one more, as a whole word', () => {
    const short = createRedactor(['Abc1x']);
    expect(short.text('Abc1 bc1x aBC1X Abc1xx Abc1xyz bc1')).toBe(
      '[redacted] [redacted] [redacted] [redacted] Abc1xyz bc1',
    );
  });

  it('masks nothing for an empty key', () => {
    expect(createRedactor(['']).text('abc')).toBe('abc');
  });

  it("does not change the history's own words, whatever the key is", () => {
    const call = HISTORY.find((event) => event.kind === 'call');
    if (call === undefined) throw new Error('the made-up history has a call');
    const redacted = createRedactor(['call', 'status', 'main', 'job']).event(call);
    expect(redacted).toMatchObject({ kind: 'call', op: 'run', lane: 'main', label: 'job' });
  });
});
