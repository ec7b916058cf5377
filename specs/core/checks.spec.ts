/** The order of the checks of a request. */
import { expect, test } from 'vitest';
import type { CoreRequest } from '../../src/core/api.js';
import { createService } from '../../src/core/service.js';
import { KEY } from './test-bed.js';

/** It fails every check that `/run` has, but that of the rate. */
const WRONG: CoreRequest = {
  method: 'DELETE',
  path: '/v2/nowhere/nothing',
  query: { colour: 'red' },
  headers: { authorization: 'wrong', 'content-type': 'text/plain' },
  body: '{}',
  bodyBytes: 30_000_000,
};

/** What makes the request pass one check more, and how it is answered before. */
const STEPS: readonly (readonly [answer: string, change: Partial<CoreRequest>])[] = [
  ['401 key', { headers: { authorization: KEY, 'content-type': 'text/plain' } }],
  ['404 no such path', { path: '/v2/nowhere/run' }],
  ['405 use POST', { method: 'POST' }],
  ['404 no such endpoint', { path: '/v2/ep/run' }],
  ['400 body size', { bodyBytes: 2 }],
  ['415 content-type', { headers: { authorization: KEY, 'content-type': 'application/json' } }],
  ['400 colour', { query: {} }],
  ['400 input', { body: '{"input":{}}', bodyBytes: 12 }],
];

test('a request with several faults is answered for the first in the order of the checks', () => {
  let request = WRONG;
  const service = createService({
    keys: [KEY],
    endpoints: [{ id: 'ep', workers: 0 }],
    dialect: { '4/unknown-query': 'refused', '1/request-content-type-other': 'refused-415' },
  });
  for (const [answer, change] of STEPS) {
    const { reply } = service.apply(0, { kind: 'request', callId: 1, request });
    const [code, words] = [answer.slice(0, 3), answer.slice(4)];
    expect(`${reply?.status} ${JSON.stringify(reply?.body)}`).toMatch(new RegExp(`^${code} .*${words}`));
    request = { ...request, ...change };
  }
  expect(service.apply(0, { kind: 'request', callId: 2, request }).reply?.status).toBe(200);
});

test.each([
  ['/_control', 'test control is off: "serve --test-control" turns it on'],
  ['/_control/faults', 'test control is off: "serve --test-control" turns it on'],
  ['/_controls', 'paths begin with /v2/<endpoint_id>/'],
])('a request for %s is told what was probably meant', (path, hint) => {
  const request = { ...WRONG, path, headers: { authorization: KEY } };
  const { reply } = createService({ keys: [KEY] }).apply(0, { kind: 'request', callId: 1, request });
  expect(reply).toMatchObject({ status: 404, body: { error: `no such path: ${path} (${hint})` } });
});
