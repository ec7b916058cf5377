/** A call in words, as failures and reasons show it. */
import { expect, test } from 'vitest';
import type { Body, CallEvent } from '../../../src/history/events.js';
import { describeCall } from '../../../src/oracle/observed/recorded-call.js';
import { TraceBuilder } from './trace-builder.js';

const answered = (body: Body): string => {
  const call = new TraceBuilder(0).call(0, 'status', 'a', 404, {}).events.at(-1) as CallEvent;
  return describeCall({ ...call, reply: { ...call.reply!, body } });
};

test.each<readonly [string, Body]>([
  ['with the text "<h1>Not Found</h1>"', { as: 'text', text: '<h1>Not Found</h1>', bytes: 18 }],
  ['without a body', { as: 'none' }],
  ['{"error":"no such job"}', { as: 'json', value: { error: 'no such job' }, bytes: 23 }],
  [
    'FAILED, error "no such job"',
    { as: 'json', value: { status: 'FAILED', error: 'no such job' }, bytes: 9 },
  ],
])('answered 404 %s', (said, body) => {
  expect(answered(body)).toMatch(/^status #\d+, sent at 0 s, was answered with 404 /);
  expect(answered(body).endsWith(` 404 ${said}`)).toBe(true);
});
