/** Calls that wait for their job (section 4.1): answered at its end, at the end of `wait`, or when it is gone. */
import type { CoreReply } from './api.js';
import { noteJob } from './changes.js';
import { refusal } from './http/refusal.js';
import { jsonReply } from './machine.js';
import type { Machine } from './machine.js';
import type { Slot } from './meters.js';
import { recordOf } from './record.js';
import type { WaitAnswer } from './rules/waits.js';
import type { Job, StopReason, WaitingCall } from './state.js';
import { streamReply } from './streams.js';

export interface Wait {
  readonly callId: number;
  readonly slot: Slot;
  readonly waitsFor: WaitingCall['waitsFor'];
  /** Infinite where only the job can end it. */
  readonly waitMs: number;
  /** What happens after the call was answered because its time was over. */
  readonly afterwards?: (atMs: number) => void;
}

export function wait(m: Machine, job: Job, asked: Wait, nowMs: number): void {
  const { callId, slot, waitsFor, waitMs } = asked;
  const call: WaitingCall = { callId, endpoint: job.endpoint, slot, job, waitsFor, timer: null };
  m.calls.set(callId, call);
  job.waiting.add(call);
  job.endpoint.waiting.add(call);
  if (waitMs === Number.POSITIVE_INFINITY) return;
  const dueMs = Math.max(nowMs, m.rules.strikesAtMs('wait', m.rules.waitDeadlineMs(nowMs, waitMs)));
  call.timer = m.deadlines.set(dueMs, (atMs) => {
    close(m, call, elapsedReply(m, call, atMs));
    asked.afterwards?.(atMs);
  });
}

/** The job has ended. */
export function answerWaiting(m: Machine, job: Job, nowMs: number): void {
  if (job.waiting.size === 0 || !m.rules.endsWait(job.status)) return;
  for (const call of job.waiting) {
    if (call.waitsFor === 'record') answerAs(m, call, m.rules.waitAnswerOnEnd(job), nowMs);
    else close(m, call, streamReply(m, job));
  }
}

/** The handler has produced a chunk. */
export function answerReaders(m: Machine, job: Job): void {
  for (const call of job.waiting) if (call.waitsFor === 'chunk') close(m, call, streamReply(m, job));
}

/** The job is gone. */
export function answerOrphans(m: Machine, job: Job, reason: StopReason, nowMs: number): void {
  const answer = m.rules.waitAnswerOnRemoval(job, reason);
  // That is what a caller of /runsync is told; there is nothing left to stream.
  for (const call of job.waiting) answerAs(m, call, call.waitsFor === 'record' ? answer : 'not-found', nowMs);
}

function answerAs(m: Machine, call: WaitingCall, answer: WaitAnswer, nowMs: number): void {
  const { job } = call;
  if (answer === 'at-wait-end') return;
  if (answer === 'record') return close(m, call, endedReply(m, job, nowMs));
  const problem = answer === 'not-found' ? 'job-gone' : 'wait-broken-off';
  close(m, call, refusal(m, problem, job.op, `job not found: ${job.id}`));
}

/** What a waiting call is told about a job that has ended. */
export function endedReply(m: Machine, job: Job, nowMs: number): CoreReply {
  const code = m.rules.endedCode(job, m.rules.successCode('runsync'));
  if (job.op === 'openai' && job.status === 'COMPLETED') return jsonReply(m, code, job.output ?? null);
  return jsonReply(m, code, recordOf(m.rules, job, 'runsync', nowMs));
}

function elapsedReply(m: Machine, { job, waitsFor }: WaitingCall, nowMs: number): CoreReply {
  if (!job.present) return refusal(m, 'job-gone', job.op, `job not found: ${job.id}`);
  if (waitsFor !== 'record') return streamReply(m, job);
  if (job.endedMs !== null) return endedReply(m, job, nowMs);
  job.outlivedWait = true;
  noteJob(m, job);
  if (m.rules.elapsedIsError())
    return refusal(m, 'wait-elapsed', job.op, `job ${job.id} goes on: ${job.status}`);
  return jsonReply(m, m.rules.elapsedCode(), recordOf(m.rules, job, 'elapsed', nowMs));
}

/** The service stops: whoever waits is told how things stand, as at the end of his `wait`. */
export function answerAll(m: Machine, nowMs: number): void {
  for (const call of m.calls.values()) close(m, call, elapsedReply(m, call, nowMs));
}

/** The client went away: nobody is left to answer. Gives the job, if it is still there: its fate is the rules' decision. */
export function hangUp(m: Machine, callId: number): Job | null {
  const call = m.calls.get(callId);
  if (call === undefined) return null;
  forget(m, call);
  return call.waitsFor === 'record' && call.job.present ? call.job : null;
}

function close(m: Machine, call: WaitingCall, reply: CoreReply): void {
  forget(m, call);
  m.effects.push({ kind: 'reply', callId: call.callId, reply });
}

function forget(m: Machine, call: WaitingCall): void {
  m.deadlines.drop(call.timer);
  m.calls.delete(call.callId);
  call.job.waiting.delete(call);
  call.endpoint.waiting.delete(call);
  call.slot.leave();
}
