/** What browsers write into a HAR that is not what the service has sent. */
import { describe, expect, test } from 'vitest';
import { entry, har, JOB, judged, LIFE } from './recordings.js';

const WHOLE = har(LIFE.map((one) => entry(one)));
const CACHED = { bodySize: 0, headers: [{ name: 'ETag', value: 'W/"1"' }] };

test('the recording itself conforms, and decides something', () => {
  const { failed, passed } = judged([WHOLE]);
  expect(failed).toEqual([]);
  expect(passed).toEqual(
    expect.arrayContaining(['1/json-content-type-status', '4.2/status-in-queue', '4.3/shows-current-state']),
  );
});

describe('replies', () => {
  test('a body that the browser had, with the headers of the 304 that said so', () => {
    const { failed, calls } = judged([har(LIFE.map((one) => entry(one, {}, one.body ? {} : CACHED)))]);
    expect(failed).toEqual([]);
    expect(calls.at(-1)!.reply!.body).toMatchObject({ value: { status: 'COMPLETED' } });
  });

  test('a type that only mimeType has', () => {
    const headers = [{ name: 'Date', value: 'Fri, 27 Nov 2026 01:34:54 GMT' }];
    const { failed, passed } = judged([har(LIFE.map((one) => entry(one, {}, { headers })))]);
    expect(failed).toEqual([]);
    expect(passed).toContain('1/json-content-type-status');
  });

  test('no type at all is still a failure', () => {
    const headers = [{ name: 'Date', value: 'Fri, 27 Nov 2026 01:34:54 GMT' }];
    const untyped = LIFE.map((one) => {
      const { response, ...rest } = entry(one, {}, { headers });
      return { ...rest, response: { ...response, content: { ...response.content, mimeType: 'x-unknown' } } };
    });
    expect(judged([har(untyped)]).failed).toContain('1/json-content-type-status');
  });

  test.each([{ _transferSize: 0 }, { bodySize: -192 }])(
    'a reply of the cache is none of the service: %o',
    (response) => {
      const stale = { ...LIFE[1]!, atMs: 6_000 };
      const { failed, calls } = judged([har([...LIFE.map((one) => entry(one)), entry(stale, {}, response)])]);
      expect(failed).toEqual([]);
      expect(calls.at(-1)).toMatchObject({ reply: null, lost: 'aborted' });
      expect(judged([har([...LIFE, stale].map((one) => entry(one)))]).failed).toContain('3/completed-stays');
    },
  );
});

describe('submissions', () => {
  const submitted = (request: object) => {
    const [run, ...polls] = LIFE;
    return judged([har([entry({ ...run!, body: undefined }, request), ...polls.map((one) => entry(one))])]);
  };

  test.each([
    [
      'a Blob: no postData, a size of 0, and a header that says more',
      { headers: [{ name: 'Content-Length', value: '29' }] },
    ],
    ['nothing about the body', { headers: [], bodySize: -1 }],
  ])('%s', (_, request) => {
    const { failed, notes } = submitted(request);
    expect(failed).toEqual([]);
    expect(notes).toContain('left out: 1 submission without a recorded body');
  });

  test('a body that had no bytes is none', () => {
    expect(submitted({}).failed).toEqual(['7/no-body-run']);
  });
});

describe('a call that was given up', () => {
  const aborted = (atMs: number, response: object) =>
    entry({ atMs, op: `status/${JOB}`, reply: '' }, {}, { status: -1, content: { size: -1 }, ...response });

  test.each([{ _failureText: 'net::ERR_ABORTED' }, { _error: 'net::ERR_ABORTED' }, {}])(
    'at the end, it costs nothing: %o',
    (response) => {
      const { calls, passed, warnings } = judged([
        har([...LIFE.map((one) => entry(one)), aborted(5_100, response)]),
      ]);
      expect(calls).toHaveLength(LIFE.length + 1);
      expect(passed).toEqual(judged([WHOLE]).passed);
      expect(warnings.join()).not.toContain('stopped answering');
    },
  );
});

describe('an odd entry', () => {
  test.each<[string, unknown, number]>([
    ['null', null, 1],
    ['a number', 7, 1],
    ['headers that are no list', entry(LIFE[1]!, { headers: 3 }), 1],
    ['a header without a name', entry(LIFE[1]!, { headers: [{ value: 'x' }, null] }), 0],
  ])('%s costs no other one', (_, odd, unreadable) => {
    const [run, ...polls] = LIFE.map((one) => entry(one));
    const { calls, notes, failed } = judged([har([run, odd, ...polls])]);
    expect(calls.length).toBeGreaterThanOrEqual(LIFE.length);
    expect(notes.filter((note) => note.includes('entry 2'))).toHaveLength(unreadable);
    expect(failed).toEqual([]);
  });
});
