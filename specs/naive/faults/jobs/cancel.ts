/** Faults of section 4.5: `/cancel`. */
import { refuse } from '../../call.js';
import { hasEnded } from '../../job.js';
import { cancelJob } from '../../operations/cancel.js';
import { SECOND_MS } from '../../submission.js';
import { RACE_MS, nowIn, later } from '../memory.js';
import { freeOnceMore, killingNext, shownForASecond, withBody, isSame } from '../steps.js';
import type { Faults } from '../fault.js';

export const CANCEL_FAULTS = {
  'cancel-leaves-in-queue': {
    cancelsWaiting(job) {
      job.endpoint.settle(job, 'CANCELLED');
      return true;
    },
  },
  'cancelled-completes': {
    cancelsRunning({ job }) {
      job.endpoint.settle(job, 'CANCELLED');
      return true;
    },
  },
  'cancel-keeps-worker': {
    cancelsRunning(run) {
      run.over = true;
      run.job.endpoint.settle(run.job, 'CANCELLED');
      return true;
    },
  },
  'cancel-only-queued': {
    cancelRefused: (job) => (job.status === 'IN_PROGRESS' ? refuse(400, 'already running') : null),
  },
  'cancel-only-running': {
    cancelRefused: (job) => (job.status === 'IN_QUEUE' ? refuse(400, 'not running') : null),
  },
  'cancel-takes-all': {
    cancelsWaiting({ endpoint }) {
      for (const job of [...endpoint.workers.queue]) endpoint.endWaiting(job, 'CANCELLED');
      return true;
    },
  },
  'cancel-takes-neighbour': {
    cancelsWaiting({ endpoint, id }) {
      const { queue } = endpoint.workers;
      const next = queue[queue.findIndex((job) => job.id === id) + 1];
      if (next !== undefined) endpoint.remove(next);
      return false;
    },
  },
  'cancel-does-nothing': { cancels: () => true },
  'cancel-unknown-is-200': {
    unknown: (_endpoint, id, operation) =>
      operation === 'cancel' ? { code: 200, body: { id, status: 'CANCELLED' } } : null,
  },
  'cancel-timed-out-later': {
    stopsOverrun: () => false,
    overrunIs({ job }) {
      if (job.status === 'CANCELLED') job.status = job.endpoint.service.choices.overrun;
      return false;
    },
  },
  'cancel-in-first-half-second-feigned': {
    cancelsRunning: ({ job }) => nowIn(job.endpoint) < Number(job.startedMs) + SECOND_MS / 2,
  },
  'cancel-signal-hits-next-job': {
    with: () => killingNext('CANCELLED', (kill) => ({ cancelsRunning: ({ job }) => kill(job.endpoint) })),
  },
  'cancel-stops-oldest-run': {
    cancelsRunning({ job }) {
      [...job.endpoint.workers.busy][0]?.handler?.stop();
      return false;
    },
  },
  'cancel-removes-head': {
    cancelsWaiting(job) {
      job.endpoint.workers.queue.shift();
      job.endpoint.settle(job, 'CANCELLED');
      return true;
    },
  },
  'cancel-again-frees-again': {
    cancelOfEnded(job) {
      if (job.status === 'CANCELLED' && job.startedMs !== null) freeOnceMore(job.endpoint);
    },
  },
  'cancel-of-ended-frees-worker': {
    cancelOfEnded(job) {
      if (job.status !== 'CANCELLED') freeOnceMore(job.endpoint);
    },
  },
  'cancel-lags-a-second': {
    with: () => {
      const old = shownForASecond();
      return {
        statusRead: old.statusRead,
        cancels(job) {
          old.keep(job);
          return false;
        },
      };
    },
  },
  'cancel-404-at-first': {
    hidden: (endpoint, job, operation) =>
      operation === 'cancel' && nowIn(endpoint) < job.submittedMs + 200 ? refuse(404, 'no such job') : null,
  },
  'cancel-after-retry-stops-nothing': {
    cancelsRunning(run) {
      if (run.job.retries === 0) return false;
      run.over = true;
      run.job.endpoint.settle(run.job, 'CANCELLED');
      return true;
    },
  },
  'cancel-after-retry-feigned': { cancelsRunning: ({ job }) => job.retries > 0 },
  'cancel-race': {
    cancelCall(job, proceed, answer) {
      if (job.run === null) return proceed();
      setTimeout(() => {
        if (hasEnded(job)) freeOnceMore(job.endpoint);
        else cancelJob(job);
        answer();
      }, RACE_MS);
    },
  },
  'cancel-answers-ten-seconds-later': {
    answerCancel: (endpoint, answer) => later(endpoint, 10 * SECOND_MS, answer),
  },
  'cancel-answers-five-seconds-later': {
    answerCancel: (endpoint, answer) => later(endpoint, 5 * SECOND_MS, answer),
  },
  'cancel-of-running-drops-last': {
    cancelsRunning({ job }) {
      job.endpoint.workers.queue.pop();
      return false;
    },
  },
  'cancel-of-ended-drops-last': { cancelOfEnded: (job) => void job.endpoint.workers.queue.pop() },
  'cancel-finds-run-by-input': {
    cancels(job) {
      const { workers } = job.endpoint;
      const first = workers.running().find((other) => isSame(other.input, job.input));
      if (job.run === null || !first?.run || first === job) return false;
      workers.finish(first.run, 'CANCELLED', undefined, null);
      return true;
    },
  },
  'cancel-answers-old-status': { cancelReply: (reply, _job, before) => withBody(reply, { status: before }) },
  'cancel-of-running-answers-failed': {
    cancelReply: (reply, _job, before) =>
      before === 'IN_PROGRESS' ? withBody(reply, { status: 'FAILED' }) : reply,
  },
  'cancel-of-running-fails-job': {
    cancelReply: (reply, _job, before) =>
      before === 'IN_PROGRESS' ? withBody(reply, { status: 'FAILED' }) : reply,
    cancelsRunning(run) {
      run.job.endpoint.workers.failed(run, 'stopped');
      return true;
    },
  },
  'cancel-answers-no-body': { cancelReply: () => ({ code: 204 }) },
  'cancel-without-id': { cancelReply: ({ code }) => ({ code, body: { status: 'CANCELLED' } }) },
  'cancel-marks-failed': { status: (status) => (status === 'CANCELLED' ? 'FAILED' : status) },
  'cancel-marks-completed': { status: (status) => (status === 'CANCELLED' ? 'COMPLETED' : status) },
  'cancel-back-to-queue': {
    cancelsRunning(run) {
      run.job.endpoint.workers.putBack(run);
      return true;
    },
  },
  'empty-json-body-refused': {
    callRefused(call, operation) {
      const takesBody = ['run', 'runsync', 'openai'].includes(operation);
      const isEmptyJson = call.bodyBytes === 0 && call.contentType.startsWith('application/json');
      return !takesBody && call.method === 'POST' && isEmptyJson
        ? refuse(400, 'the body must not be empty')
        : null;
    },
  },
} satisfies Faults;
