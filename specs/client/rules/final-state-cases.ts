import type { JobStatus } from '../../../src/spec/index.js';
import type { RuleCases } from './rule-cases.js';
import {
  answered,
  cancel,
  failed,
  GONE,
  LIMITED,
  retry,
  run,
  runsync,
  session,
  status,
  stopped,
  stream,
  times,
  told,
} from './session-of.js';

const CHUNK = [{ output: 'a' }];

const stopsAt = (rule: string, state: JobStatus): RuleCases => {
  const end = status(told(state));
  const drained = stream(told(state, { stream: [] }));
  return {
    rule,
    kept: {
      'stops at once': session({ calls: [run(), status(told('IN_QUEUE')), end] }),
      'looks twice more': session({ calls: [run(), end, end, end] }),
      'fetches the chunks that are left': session({
        calls: [run(), end, ...times(5, stream(answered(200, CHUNK))), stream(answered(200, []))],
      }),
      'looks twice more for chunks': session({ calls: [run(), end, ...times(3, stream(answered(200, [])))] }),
      'reads another job': session({
        calls: [run(), end, ...times(9, status(told('IN_PROGRESS'), { job: 'j2' }))],
      }),
      'had sent its reads before': session({
        calls: [run(), ...times(6, { ...status(told(state)), at: 500, took: 400 })],
      }),
      'learns that others have retried it': session({
        calls: [run(), end, status(told('IN_QUEUE')), ...times(5, status(told('IN_PROGRESS')))],
      }),
      'retries it each time': session({
        calls: [run(), ...times(5, end).flatMap((each) => [each, retry(told('IN_QUEUE'))]), end],
      }),
      'retries it, which is not answered': session({
        calls: [run(), end, retry(LIMITED), ...times(2, end), retry(LIMITED), ...times(2, end)],
      }),
      'gets no answer to its further reads': session({ calls: [run(), end, ...times(6, status(LIMITED))] }),
    },
    violated: {
      'reads it for ever': [
        session({ calls: [run(), ...times(9, end)], end: stopped(10) }),
        `told ${state} and read the job 8 more times`,
      ],
      'reads it until it is gone': [
        session({ calls: [run(), end, ...times(4, status(GONE))] }),
        '4 more times',
      ],
      'streams it for ever': [
        session({ edition: 'runpod', calls: [run(), ...times(6, drained)], end: stopped(10) }),
        `told ${state}`,
      ],
      'streams it for ever after a read of its status': [
        session({ calls: [run(), end, ...times(5, stream(answered(200, [])))] }),
        '4 more times',
      ],
    },
    open: {
      'is not told so': session({ calls: [run(), ...times(9, status(told('IN_PROGRESS')))], end: failed }),
      'is told so by a webhook alone': session({ calls: [run()], webhooks: [{ state }] }),
    },
  };
};

export const FINAL_STATE_CASES: readonly RuleCases[] = [
  stopsAt('client/stops-at-completed', 'COMPLETED'),
  stopsAt('client/stops-at-failed', 'FAILED'),
  stopsAt('client/stops-at-cancelled', 'CANCELLED'),
  stopsAt('client/stops-at-timed-out', 'TIMED_OUT'),
  {
    rule: 'client/ends-after-final',
    kept: {
      'ends with success': session({ calls: [runsync()] }),
      'ends without': session({ calls: [run(), status(told('FAILED'))], end: failed }),
      'is told by a webhook': session({ calls: [run()], webhooks: [{}] }),
      'cancels its job': session({ calls: [run(), cancel(told('CANCELLED'))] }),
    },
    violated: {
      'hangs after COMPLETED': [
        session({ calls: [run(), status(told('COMPLETED'))], end: stopped(20_000) }),
        'still ran 20 s later',
      ],
      'hangs after FAILED': [
        session({ calls: [run(), status(told('FAILED'))], end: stopped(12_000) }),
        'still ran 12 s later',
      ],
      'hangs after a webhook': [session({ calls: [run()], webhooks: [{}], end: stopped(6_000) }), '6 s'],
    },
    open: {
      'is stopped soon after it was told': session({
        calls: [run(), status(told('COMPLETED'))],
        end: stopped(4_000),
      }),
      'may want to retry its job': session({ calls: [run(), status(told('FAILED'))], end: stopped(8_000) }),
      'still polls': session({
        calls: [run(), status(told('COMPLETED')), status(told('COMPLETED'), { after: 20_000 })],
        end: stopped(100),
      }),
      'knows only of one of its jobs': session({
        calls: [run(), status(told('COMPLETED'))],
        jobs: [{}, { id: 'j2', call: 1 }],
        end: stopped(20_000),
      }),
      'is told that its job was retried': session({
        calls: [run(), status(told('FAILED')), status(told('IN_QUEUE'))],
        end: stopped(20_000),
      }),
      'has no job': session({ calls: [run(answered(400))] }),
      'is not ours to end': session({
        calls: [run(), status(told('COMPLETED'))],
        end: (atMs) => ({ kind: 'attached', atMs: atMs + 60_000 }),
      }),
    },
  },
];
