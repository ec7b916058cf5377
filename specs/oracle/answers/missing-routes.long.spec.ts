/**
 * An operation that the server does not have is one cause, and everything that rests on it a consequence. Of four operations the
 * commit draws two; `WHOLE=1` takes all.
 */
import { describe, expect, it } from 'vitest';
import { checkTarget, fetchTarget, type CheckResult } from '../../../src/index.js';
import { plainEndpoint } from '../../../examples/in-process/plain-endpoint/index.js';
import { TraceBuilder } from '../support/trace-builder.js';
import { judge } from '../../../src/oracle/index.js';
import { drawnByCommit } from '../../support/whole.js';

/** A web framework's answer to a path that it does not know. */
const NOT_FOUND = '<!DOCTYPE html><pre>Cannot POST</pre>';

/** A right server without some operations, which answers there as frameworks do, whatever the key. */
async function without(
  isMissing: (op: string) => boolean,
  status: number,
  only: readonly string[],
): Promise<CheckResult> {
  const target = fetchTarget(
    {
      fresh: ({ endpoint, secondEndpoint, workers, apiKey }) => {
        const right = plainEndpoint({
          endpoints: secondEndpoint === null ? [endpoint] : [endpoint, secondEndpoint],
          workers,
          apiKey: apiKey ?? '',
        });
        return {
          ...right,
          async fetch(request: Request) {
            const op = new URL(request.url).pathname.split('/')[3] ?? '';
            if (!isMissing(op)) return right.fetch(request);
            await request.arrayBuffer();
            return new Response(NOT_FOUND, { status, headers: { 'content-type': 'text/html' } });
          },
        };
      },
    },
    { worker: 'scripted' },
  );
  const result = await checkTarget(target, { seed: 1, runs: 1, only });
  await target.close();
  return result;
}

const MISSING: readonly (readonly [op: string, status: number, following: readonly string[]])[] = [
  ['cancel', 404, ['3/cancel-queued', '5/missing-key-cancel', '5/wrong-key-cancel']],
  ['retry', 405, ['3/retry-requeues-failed', '5/missing-key-retry', '5/wrong-key-retry']],
  ['runsync', 404, ['7/wait-not-integer']],
  ['stream', 501, ['5/missing-key-stream', '5/wrong-key-stream']],
];

describe('a server without an operation', () => {
  it.each(drawnByCommit(MISSING, 2))(
    '/%s, answered %i: it is the cause, stated first',
    async (op, status, following) => {
      const only = [
        'scenarios/3',
        'scenarios/4.1/wait-is-no-number',
        'scenarios/4.4',
        'scenarios/4.5',
        'scenarios/4.6',
        'scenarios/5',
        'scenarios/7',
        'scenarios/1/every-operation-once',
      ];
      const { report } = await without((one) => one === op, status, only);
      expect(report.exitCode).toBe(1);
      const [first, ...others] = report.causes ?? [];
      expect(first?.requirement).toBe(`4/operation-${op}`);
      expect(first?.answer).toMatch(
        new RegExp(
          `^/${op} ${status === 405 ? 'is there, but not for this method' : 'is missing(, or knows no job)?'}: all [0-9]+ calls with a valid key were answered with ${status}$`,
        ),
      );
      const open = report.requirements.filter(({ reason }) => reason === `because 4/operation-${op} failed`);
      const explained = [...(first?.consequences ?? []), ...open.map(({ id }) => id)];
      for (const id of following) expect(explained, id).toContain(id);
      expect(others).toEqual([]);
      expect(open.length).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('nothing is missing', () => {
  const plan = { plan: [{ do: 'sleep', ms: 60_000 }] };

  it('where one call of the operation was answered otherwise', () => {
    const trace = new TraceBuilder();
    for (const [at, job] of ['a', 'b', 'c', 'd'].entries()) {
      trace.submitted(at * 100, job, plan);
      trace.call(
        at * 100 + 20,
        'cancel',
        job,
        job === 'd' ? 200 : 404,
        job === 'd' ? { id: 'd', status: 'CANCELLED' } : null,
      );
      if (job !== 'd') trace.seen(at * 100 + 40, job, 'IN_PROGRESS');
    }
    expect(judge(trace.history(10_000)).missing).toBeUndefined();
  });

  it.each([
    ['a job that it did not find', { error: 'job not found: 7f0c' }, false],
    ['a path', { error: 'no route POST /v2/test/runsync' }, true],
  ])('where /runsync speaks of %s: %j', (_, body, isMissing) => {
    const trace = new TraceBuilder();
    trace.submitted(0, 'there', plan);
    for (const at of [100, 200, 300]) trace.call(at, 'runsync', null, 404, body, { body: { input: plan } });
    const missing = judge(trace.history(10_000)).missing ?? [];
    expect(missing.map(({ operation }) => operation)).toEqual(isMissing ? ['runsync'] : []);
  });

  it.each([
    ['COMPLETED', true],
    ['GONE', false],
    ['CANCELLED', false],
  ])(
    'where /stream of jobs that /status shows as %s is answered with 404: missing %s',
    (status, isMissing) => {
      const trace = new TraceBuilder();
      const streams = { plan: [{ do: 'emit', value: 1 }] };
      trace.submitted(0, 'known', plan).seen(0, 'known', 'IN_PROGRESS');
      for (const [at, job] of ['a', 'b', 'c'].entries()) {
        trace.submitted(at * 100, job, streams);
        trace.call(at * 100 + 20, 'stream', job, 404, null);
        if (status === 'GONE') trace.call(at * 100 + 40, 'status', job, 404, null);
        else trace.seen(at * 100 + 40, job, status);
      }
      const missing = judge(trace.history(10_000)).missing ?? [];
      expect(missing.map(({ operation }) => operation)).toEqual(isMissing ? ['stream'] : []);
    },
  );
});
