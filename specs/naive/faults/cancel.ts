/** Faults of section 4.5: `/cancel`. */
import { refuse } from '../call.js';
import { hasEnded } from '../job.js';
import { cancelJob } from '../operations/cancel.js';
import { SECOND_MS } from '../submission.js';
import { RACE_MS, nowIn, later } from './memory.js';
import { freeOnceMore, killingNext, shownForASecond, withBody, isSame } from './steps.js';
import { breaking } from './fault.js';

export const CANCEL_FAULTS = [
  breaking('4.5', 'Stops an in-progress job or removes a queued job before it starts', {
    'cancel-leaves-in-queue': {
      does: 'a cancelled queued job is still run, its state overwritten',
      cancelsWaiting(job) {
        job.endpoint.settle(job, 'CANCELLED');
        return true;
      },
    },
    'cancel-does-not-stop': {
      does: 'the handler runs on and its result replaces CANCELLED',
      cancelsRunning({ job }) {
        job.endpoint.settle(job, 'CANCELLED');
        return true;
      },
    },
    'cancel-keeps-worker': {
      does: 'the handler runs on, silently, and occupies its worker',
      cancelsRunning(run) {
        run.over = true;
        run.job.endpoint.settle(run.job, 'CANCELLED');
        return true;
      },
    },
    'cancel-queued-only': {
      does: 'cancelling a running job is refused',
      cancelRefused: (job) => (job.status === 'IN_PROGRESS' ? refuse(400, 'already running') : null),
    },
    'cancel-running-only': {
      does: 'cancelling a queued job is refused',
      cancelRefused: (job) => (job.status === 'IN_QUEUE' ? refuse(400, 'not running') : null),
    },
    'cancel-takes-all': {
      does: 'all queued jobs are cancelled',
      cancelsWaiting({ endpoint }) {
        for (const job of [...endpoint.workers.queue]) endpoint.endWaiting(job, 'CANCELLED');
        return true;
      },
    },
    'cancel-takes-neighbour': {
      does: 'the next job in the queue is removed as well',
      cancelsWaiting({ endpoint, id }) {
        const { queue } = endpoint.workers;
        const next = queue[queue.findIndex((job) => job.id === id) + 1];
        if (next !== undefined) endpoint.remove(next);
        return false;
      },
    },
    'cancel-does-nothing': { does: 'the answer says CANCELLED, the job goes on', cancels: () => true },
    'cancel-unknown-is-200': {
      does: 'an unknown job id is answered with CANCELLED',
      unknown: (_endpoint, id, operation) =>
        operation === 'cancel' ? { code: 200, body: { id, status: 'CANCELLED' } } : null,
    },
    'cancel-timed-out-later': {
      does: "the stopped run's timeout lives on and replaces CANCELLED",
      stopsOverrun: () => false,
      overrunIs({ job }) {
        if (job.status === 'CANCELLED') job.status = job.endpoint.service.choices.overrun;
        return false;
      },
    },
    'cancel-in-first-half-second-feigned': {
      does: 'the cancelling of a job that has just started has no effect',
      cancelsRunning: ({ job }) => nowIn(job.endpoint) < Number(job.startedMs) + SECOND_MS / 2,
    },
    'cancel-signal-hits-next-job': {
      does: 'the next job of that worker is cancelled too',
      with: () => killingNext('CANCELLED', (kill) => ({ cancelsRunning: ({ job }) => kill(job.endpoint) })),
    },
    'cancel-stops-oldest-run': {
      does: 'the handler stopped is that of the job that has run longest',
      cancelsRunning({ job }) {
        [...job.endpoint.workers.busy][0]?.handler?.stop();
        return false;
      },
    },
    'cancel-removes-head': {
      does: 'cancelling a waiting job takes the first of the queue out instead',
      cancelsWaiting(job) {
        job.endpoint.workers.queue.shift();
        job.endpoint.settle(job, 'CANCELLED');
        return true;
      },
    },
    'cancel-again-frees-again': {
      does: 'cancelling a cancelled job frees a worker once more',
      cancelOfEnded(job) {
        if (job.status === 'CANCELLED' && job.startedMs !== null) freeOnceMore(job.endpoint);
      },
    },
    'cancel-of-ended-frees-worker': {
      does: 'cancelling an ended job frees a worker',
      cancelOfEnded(job) {
        if (job.status !== 'CANCELLED') freeOnceMore(job.endpoint);
      },
    },
    'cancel-lags-a-second': {
      does: 'for a second after /cancel the job shows its old state',
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
      does: 'a job cannot be cancelled in the first 200 ms',
      hidden: (endpoint, job, operation) =>
        operation === 'cancel' && nowIn(endpoint) < job.submittedMs + 200 ? refuse(404, 'no such job') : null,
    },
    'cancel-after-retry-stops-nothing': {
      does: 'cancelling a retried running job stops its first run: the second keeps the worker',
      cancelsRunning(run) {
        if (run.job.retries === 0) return false;
        run.over = true;
        run.job.endpoint.settle(run.job, 'CANCELLED');
        return true;
      },
    },
    'cancel-after-retry-feigned': {
      does: 'cancelling a retried running job answers CANCELLED and does nothing',
      cancelsRunning: ({ job }) => job.retries > 0,
    },
    'cancel-race': {
      does: 'two cancels at once free two workers',
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
      does: '/cancel is answered ten seconds after the job was stopped',
      answerCancel: (endpoint, answer) => later(endpoint, 10 * SECOND_MS, answer),
    },
    'cancel-answers-five-seconds-later': {
      does: '/cancel is answered five seconds after the job was stopped',
      answerCancel: (endpoint, answer) => later(endpoint, 5 * SECOND_MS, answer),
    },
    'cancel-of-running-drops-last': {
      does: 'cancelling a running job takes the last of the queue out as well',
      cancelsRunning({ job }) {
        job.endpoint.workers.queue.pop();
        return false;
      },
    },
    'cancel-of-ended-drops-last': {
      does: 'cancelling an ended job takes the last of the queue out',
      cancelOfEnded: (job) => void job.endpoint.workers.queue.pop(),
    },
    'cancel-finds-run-by-input': {
      does: 'of running jobs with one input the oldest is stopped, whichever is named',
      cancels(job) {
        const { workers } = job.endpoint;
        const first = workers.running().find((other) => isSame(other.input, job.input));
        if (job.run === null || !first?.run || first === job) return false;
        workers.finish(first.run, 'CANCELLED', undefined, null);
        return true;
      },
    },
  }),
  breaking('4.5', 'with `status` equal to `CANCELLED`', {
    'cancel-answers-old-status': {
      does: 'the answer has the status before the cancelling',
      cancelReply: (reply, _job, before) => withBody(reply, { status: before }),
    },
    'cancel-of-running-answers-failed': {
      does: 'the answer to the cancelling of a running job has the status FAILED',
      cancelReply: (reply, _job, before) =>
        before === 'IN_PROGRESS' ? withBody(reply, { status: 'FAILED' }) : reply,
    },
    'cancel-of-running-fails-job': {
      does: 'a running job that is cancelled is FAILED, and so says the answer',
      cancelReply: (reply, _job, before) =>
        before === 'IN_PROGRESS' ? withBody(reply, { status: 'FAILED' }) : reply,
      cancelsRunning(run) {
        run.job.endpoint.workers.failed(run, 'stopped');
        return true;
      },
    },
    'cancel-answers-no-body': { does: '204 without a body', cancelReply: () => ({ code: 204 }) },
    'cancel-answers-no-id': {
      does: 'the answer has no id',
      cancelReply: ({ code }) => ({ code, body: { status: 'CANCELLED' } }),
    },
    'cancel-marks-failed': {
      does: 'a cancelled job shows FAILED afterwards',
      status: (status) => (status === 'CANCELLED' ? 'FAILED' : status),
    },
    'cancel-marks-completed': {
      does: 'a cancelled job shows COMPLETED afterwards',
      status: (status) => (status === 'CANCELLED' ? 'COMPLETED' : status),
    },
    'cancel-back-to-queue': {
      does: 'a cancelled running job goes back to the queue',
      cancelsRunning(run) {
        run.job.endpoint.workers.putBack(run);
        return true;
      },
    },
  }),
  breaking('4.5', 'No body.', {
    'empty-json-body-refused': {
      does: 'a call without a body that names JSON as its content type is refused',
      legal: 'no client has to name the content type of a body that it does not send',
      callRefused(call, operation) {
        const takesBody = ['run', 'runsync', 'openai'].includes(operation);
        const isEmptyJson = call.bodyBytes === 0 && call.contentType.startsWith('application/json');
        return !takesBody && call.method === 'POST' && isEmptyJson
          ? refuse(400, 'the body must not be empty')
          : null;
      },
    },
  }),
];
