import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/report/index.js';
import { HISTORY } from './made-up.js';

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

  it('masks it in values and in the names of members', () => {
    expect(redactor.value({ [KEY]: [KEY, 1, null, { a: `x${KEY}y` }] })).toEqual({
      '[redacted]': ['[redacted]', 1, null, { a: 'x[redacted]y' }],
    });
  });

  it('masks a short key only where it stands alone', () => {
    const short = createRedactor(['test']);
    expect(short.text('key test, testing, test-control, (test)')).toBe(
      'key [redacted], testing, test-control, ([redacted])',
    );
  });

  it('masks nothing for an empty key', () => {
    expect(createRedactor(['']).text('abc')).toBe('abc');
  });

  it("keeps the history's own words, whatever the key is", () => {
    const call = HISTORY.find((event) => event.kind === 'call');
    if (call === undefined) throw new Error('the made-up history has a call');
    const redacted = createRedactor(['call', 'status', 'main', 'job']).event(call);
    expect(redacted).toMatchObject({ kind: 'call', op: 'run', lane: 'main', label: 'job' });
  });
});
