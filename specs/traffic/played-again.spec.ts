/** Scripts of random calls, recorded and played again on the simulator. */
import { expect, it } from 'vitest';
import type { Body, CallEvent, HistoryEvent } from '../../src/history/events.js';
import { parseScript } from '../../src/scenario/index.js';
import { LOST, type Exchange } from '../../src/history/exchange.js';
import { namesOf } from '../../src/traffic/calls.js';
import { scriptOf } from '../../src/traffic/script-of.js';
import { drawScripts, ENVIRONMENT, simulatorTestBed } from '../explore/test-bed.js';

const HEADERS: { readonly [auth: string]: string | undefined } = {
  missing: undefined,
  'in-query': undefined,
  bearer: 'Bearer *',
  'wrong-bearer': 'Bearer *',
  empty: '',
  'empty-bearer': 'Bearer',
};

function textOf(body: Body): string | null {
  if (body.as === 'none') return null;
  return body.as === 'json' ? JSON.stringify(body.value) : body.text;
}

/** The call as a recorder would have it. */
function recorded({ request, reply, sentMs, receivedMs }: CallEvent): Exchange {
  const url = new URL(`http://host${request.path}`);
  for (const [name, value] of Object.entries(request.query)) url.searchParams.set(name, value);
  if (request.auth === 'in-query') url.searchParams.set('api_key', '*');
  const authorization = request.auth in HEADERS ? HEADERS[request.auth] : '*';
  const { method, contentType } = request;
  return {
    ...{ id: '', fromMs: sentMs, byMs: receivedMs, names: namesOf(method, url, 'document') },
    request: {
      ...{ method, target: url.href, body: textOf(request.body) },
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(contentType !== null && { 'content-type': contentType }),
      },
    },
    outcome:
      reply === null ? LOST : { kind: 'answer', status: reply.status, headers: {}, body: textOf(reply.body) },
  };
}

const callsOf = (events: readonly HistoryEvent[]): readonly CallEvent[] =>
  events.filter((event) => event.kind === 'call').sort((one, other) => one.call - other.call);

/** When each was made after the first, and how it was answered. */
const storyOf = (calls: readonly CallEvent[]): readonly string[] =>
  calls.map(
    ({ sentMs, request, op, reply }) =>
      `${sentMs - calls[0]!.sentMs} ${request.method} ${op} ${reply?.status}`,
  );

it('makes the same calls at the same times, with the same answers, and nothing fails', () => {
  const bed = simulatorTestBed();
  // Changes of workers are no calls.
  const scripts = drawScripts(80, 7).filter(({ steps }) => steps.every(({ do: does }) => does !== 'workers'));
  let same = 0;
  for (const script of scripts) {
    const calls = callsOf(bed.run([script], ENVIRONMENT));
    const { workers } = script;
    const again = parseScript(scriptOf(calls.map(recorded), { recorded: 'recorded', workers }));
    expect(again.title).toBe(`${calls.length} ${calls.length === 1 ? 'call' : 'calls'} recorded`);
    const events = bed.run([again], ENVIRONMENT);
    expect(bed.judge(events, ENVIRONMENT).violations).toEqual([]);
    if (String(storyOf(callsOf(events))) === String(storyOf(calls))) same += 1;
  }
  // Calls of one instant may come in another order.
  expect(same / scripts.length).toBeGreaterThan(0.85);
});
