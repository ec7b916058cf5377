/** Calls that wait for their job (section 4.1): answered at its end, at the end of `wait`, or when it is gone. */
import type { CoreReply } from './api.js';
import { refusal } from './http/refusal.js';
import { jsonReply } from './machine.js';
import type { Machine } from './machine.js';
import { recordOf } from './record.js';
import type { Job, WaitingCall } from './state.js';

export function wait(
  m: Machine,
  callId: number,
  job: Job,
  meter: string,
  waitMs: number,
  nowMs: number,
): void {
  const call: WaitingCall = { callId, endpoint: job.endpoint, meter, job, timer: null };
  m.calls.set(callId, call);
  job.waiting.add(call);
  job.endpoint.waiting.add(call);
  m.meters.enter(meter);
  const dueMs = Math.max(nowMs, m.rules.strikesAtMs('wait', m.rules.waitDeadlineMs(nowMs, waitMs)));
  call.timer = m.deadlines.set(dueMs, (atMs) => {
    const reply = jsonReply(m, m.rules.successCode('elapsed'), recordOf(m.rules, job, 'elapsed', atMs));
    close(m, call, reply);
  });
}

/** The job has ended. */
export function answerWaiting(m: Machine, job: Job, nowMs: number): void {
  if (job.waiting.size === 0 || !m.rules.endsWait(job.status)) return;
  const reply = endedReply(m, job, nowMs);
  for (const call of job.waiting) close(m, call, reply);
}

/** What a waiting call is told about a job that has ended. */
export function endedReply(m: Machine, job: Job, nowMs: number): CoreReply {
  if (job.op === 'openai' && job.status === 'COMPLETED') {
    return jsonReply(m, m.rules.successCode('openai'), job.output ?? null);
  }
  return jsonReply(m, m.rules.successCode('runsync'), recordOf(m.rules, job, 'runsync', nowMs));
}

/** The job is gone. */
export function refuseWaiting(m: Machine, job: Job): void {
  for (const call of job.waiting) close(m, call, refusal(m, 'job-gone', job.op, 'job not found'));
}

/** The client went away: nobody is left to answer; the job goes on. */
export function hangUp(m: Machine, callId: number): void {
  const call = m.calls.get(callId);
  if (call !== undefined) forget(m, call);
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
  m.meters.leave(call.meter);
}
