/** What may be a secret is masked in reports; what every report has is not. */
import { expect, test } from 'vitest';
import { secretsIn } from '../../../src/judging/live/secrets-in.js';
import type { CallEvent } from '../../../src/history/events.js';

const call = (query: object, headers: object, value: object = {}): CallEvent =>
  ({
    kind: 'call',
    request: { query, body: { as: 'json', value } },
    reply: { headers },
  }) as unknown as CallEvent;

test('tokens, keys and the secret of a storage are secrets', () => {
  const storage = { s3Config: { accessId: 'not-secret', accessSecret: 'storage-secret' } };
  const found = secretsIn([
    call(
      { Token: 'in-a-query', other: 'a-long-value-as-keys-are' },
      { 'x-amz-security-token': 'of-a-reply' },
      storage,
    ),
  ]);
  expect(found.toSorted()).toEqual([
    'a-long-value-as-keys-are',
    'in-a-query',
    'of-a-reply',
    'storage-secret',
  ]);
});

test('values that stand everywhere are none', () => {
  const headers = {
    'access-control-allow-credentials': 'true',
    'x-session': '1',
    'content-type': 'application/json',
  };
  expect(
    secretsIn([call({ wait: '1000000000000000', v: '2', state: 'COMPLETED', token: 'x' }, headers)]),
  ).toEqual([]);
});
