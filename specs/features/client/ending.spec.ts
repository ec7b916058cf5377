import { expect, it } from 'vitest';
import { endingOf } from '../../../src/features/client/ending.js';
import type { WholeCall, ClientJob, Session } from '../../../src/client/session.js';
import type { Operation } from '../../../src/spec/index.js';
import { callOf, READ } from '../../client/call-of.js';
import { WEATHERS } from '../../../src/client/weather/index.js';

const JOB: ClientJob = {
  ...{ id: 'j', call: 1, state: 'COMPLETED', webhook: null, ttlMs: 86_400_000, executionTimeoutMs: 600_000 },
  ...{ chunks: 0, chunksRead: 0, endedMs: 900 },
};

function call(number: number, operation: Operation, status: number, state?: string): WholeCall {
  const body = state === undefined ? undefined : { id: 'j', status: state };
  const reply = { kind: 'answer', status, retryAfterMs: null, body } as const;
  const job = operation === 'run' ? null : 'j';
  return callOf({ ...READ, operation, job, reply }, number, number * 100, number * 100 + 1);
}

const sessionIn = (weather: string, success: boolean, calls: readonly WholeCall[], job = JOB): Session => ({
  weather: WEATHERS.find(({ id }) => id === weather)!,
  ...{
    edition: 'document',
    calls,
    webhooks: [],
    jobs: [job],
    limitMs: 30_000,
    jobsWhenClear: null,
    patienceMs: null,
    printed: null,
    idleConnectionsMax: 0,
    machineLags: [],
  },
  end: {
    kind: 'ended',
    success,
    how: `exit code ${success ? 0 : 1}`,
    exitCode: success ? 0 : 1,
    atMs: 1_000,
  },
});

const RUN = call(1, 'run', 200, 'IN_QUEUE');
const RUNNING = call(2, 'status', 200, 'IN_PROGRESS');
const CANCEL = call(3, 'cancel', 200, 'CANCELLED');

it.each([
  ['as the weather leads to', sessionIn('clear', true, [RUN, RUNNING]), 'as-expected'],
  [
    'without success, told that its job runs, having cancelled it',
    sessionIn('long-run', false, [RUN, RUNNING, CANCEL]),
    'not-judged',
  ],
  [
    'without success after its job has completed',
    sessionIn('long-run', false, [RUN, call(2, 'status', 200, 'COMPLETED')]),
    'unexpected',
  ],
  [
    'without success after a read that failed',
    sessionIn('read-answered-500', false, [RUN, call(2, 'status', 500), CANCEL]),
    'unexpected',
  ],
  ['with success, having asked nothing', sessionIn('job-fails', true, [RUN]), 'not-judged'],
  [
    'with success, having been told FAILED',
    sessionIn('job-fails', true, [RUN, call(2, 'status', 200, 'FAILED')]),
    'unexpected',
  ],
  [
    'without success, as the ttl that it gave was over',
    sessionIn('long-queue', false, [RUN, call(2, 'status', 404)], { ...JOB, state: 'GONE', ttlMs: 60_000 }),
    'not-judged',
  ],
  ['in weather that allows both', sessionIn('output-null', false, [RUN]), 'not-judged'],
] as const)('a client that ends %s', (_how, session, kind) => {
  expect(endingOf(session, undefined, true).kind).toBe(kind);
});

it('what did not meet a client is not held against it', () => {
  expect(endingOf(sessionIn('rate-limited-once', false, [RUN]), undefined, false)).toEqual({
    kind: 'not-judged',
    why: 'nothing of this condition met it',
  });
});

it('an exit code that the user says is the one that counts', () => {
  const session = sessionIn('job-fails', false, [RUN]);
  expect(endingOf(session, 1, true).kind).toBe('as-expected');
  expect(endingOf(session, 3, true)).toEqual({
    kind: 'unexpected',
    text: 'it ended with exit code 1 instead of exit code 3',
  });
});
