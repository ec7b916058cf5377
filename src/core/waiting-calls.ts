/**
 * Calls that wait for a job (section 4.1): answered at its end, at the end of `wait`, or when the job is
 * deleted.
 */
import type { CoreReply } from './api.js';
import { noteJob } from './saved/changes.js';
import { refusal } from './http/refusal.js';
import { jsonReply } from './state.js';
import type { ServiceState } from './state.js';
import type { ConcurrencySlot } from './meters.js';
import { recordOf } from './saved/job-record.js';
import type { WaitAnswer } from './rules/waits.js';
import { NO_CALLS, type Job, type StopReason, type WaitingCall } from './entities.js';
import { streamReply } from './streams.js';

export interface Wait {
  readonly callId: number;
  readonly slot: ConcurrencySlot;
  readonly waitsFor: WaitingCall['waitsFor'];
  /** In ms; infinite when only the job can end the wait. */
  readonly waitMs: number;
  /** Called after the call was answered because its wait was over. */
  readonly afterwards?: (atMs: number) => void;
}

export function waitFor(state: ServiceState, job: Job, options: Wait, nowMs: number): void {
  const { callId, slot, waitsFor, waitMs } = options;
  const call: WaitingCall = { callId, endpoint: job.endpoint, slot, job, waitsFor, timer: null };
  state.calls.set(callId, call);
  if (job.waiting === NO_CALLS) job.waiting = new Set();
  job.waiting.add(call);
  job.endpoint.waiting.add(call);
  if (waitMs === Number.POSITIVE_INFINITY) return;
  const dueMs = Math.max(nowMs, state.rules.firesAtMs('wait', state.rules.waitDeadlineMs(nowMs, waitMs)));
  call.timer = state.deadlines.set('wait', call, dueMs, (atMs) => {
    close(state, call, elapsedReply(state, call, atMs));
    options.afterwards?.(atMs);
  });
}

/** The job has ended. */
export function answerEnded(state: ServiceState, job: Job, nowMs: number): void {
  if (job.waiting.size === 0 || !state.rules.endsWait(job.status)) return;
  for (const call of job.waiting) {
    if (call.waitsFor === 'record') answerAs(state, call, state.rules.waitAnswerOnEnd(job), nowMs);
    else close(state, call, streamReply(state, job));
  }
}

/** The handler has produced a chunk. */
export function answerChunkReaders(state: ServiceState, job: Job): void {
  for (const call of job.waiting) if (call.waitsFor === 'chunk') close(state, call, streamReply(state, job));
}

/** The job was deleted. */
export function answerDeleted(state: ServiceState, job: Job, reason: StopReason, nowMs: number): void {
  const answer = state.rules.waitAnswerOnRemoval(job, reason);
  // `answer` is for /runsync; a stream of a deleted job is not found.
  for (const call of job.waiting)
    answerAs(state, call, call.waitsFor === 'record' ? answer : 'not-found', nowMs);
}

function answerAs(state: ServiceState, call: WaitingCall, answer: WaitAnswer, nowMs: number): void {
  const { job } = call;
  if (answer === 'at-wait-end') return;
  if (answer === 'record') return close(state, call, endedReply(state, job, nowMs));
  const problem = answer === 'not-found' ? 'job-gone' : 'wait-broken-off';
  close(state, call, refusal(state, problem, job.op, `job not found: ${job.id}`));
}

/** The reply to a waiting call when the job has ended. */
function endedReply(state: ServiceState, job: Job, nowMs: number): CoreReply {
  const code = state.rules.endedCode(job, state.rules.successCode('runsync'));
  if (job.op === 'openai' && job.status === 'COMPLETED') return jsonReply(state, code, job.output ?? null);
  return jsonReply(state, code, recordOf(state.rules, job, 'runsync', nowMs));
}

function elapsedReply(state: ServiceState, { job, waitsFor }: WaitingCall, nowMs: number): CoreReply {
  if (!job.present) return refusal(state, 'job-gone', job.op, `job not found: ${job.id}`);
  if (waitsFor !== 'record') return streamReply(state, job);
  if (job.endedMs !== null) return endedReply(state, job, nowMs);
  job.outlivedWait = true;
  noteJob(state, job);
  if (state.rules.elapsedIsError())
    return refusal(state, 'wait-elapsed', job.op, `job ${job.id} goes on: ${job.status}`);
  return jsonReply(state, state.rules.elapsedCode(), recordOf(state.rules, job, 'elapsed', nowMs));
}

/** Answers all waiting calls, as at the end of their `wait`: the service is about to stop. */
export function answerAll(state: ServiceState, nowMs: number): void {
  for (const call of state.calls.values()) close(state, call, elapsedReply(state, call, nowMs));
}

/**
 * The client has disconnected. Returns the job that its call waited for, if it still exists; null otherwise.
 */
export function hangUp(state: ServiceState, callId: number): Job | null {
  const call = state.calls.get(callId);
  if (call === undefined) return null;
  forget(state, call);
  return call.waitsFor === 'record' && call.job.present ? call.job : null;
}

function close(state: ServiceState, call: WaitingCall, reply: CoreReply): void {
  forget(state, call);
  state.effects.push({ kind: 'reply', callId: call.callId, reply });
}

function forget(state: ServiceState, call: WaitingCall): void {
  state.deadlines.drop(call.timer);
  state.calls.delete(call.callId);
  call.job.waiting.delete(call);
  call.endpoint.waiting.delete(call);
  call.slot.release();
}
