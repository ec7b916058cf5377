/**
 * `worker/` promises the scripted worker (contract `scripted-worker`, version 1, and `streamWithMetrics`) as a pure interpreter: it says
 * what a worker will report and when, and leaves the waiting to whoever plays it. It never looks at a clock.
 */
import type { WorkerReport } from '../core/api.js';
import type { Json } from '../history/events.js';
import { isCount, isObject } from '../util/json.js';

export interface TimedReport {
  /** Milliseconds of the endpoint's clock after the report before it, or after the start. */
  readonly afterMs: number;
  readonly report: WorkerReport;
}

/** What one run of a handler reports, in order. Without an ending report at its end, the handler hangs. */
export type WorkerTimeline = readonly TimedReport[];

export interface WorkerJob {
  readonly input: Json;
  /** As the worker received it; null when the submission had none. */
  readonly s3Config: Json | null;
  /** A worker has run this job's id before: `planOnRetry` counts. */
  readonly ranBefore: boolean;
}

/** A plan may ask for strings of this length; beyond it, the step is a handler error, not an outage. */
const STRING_BYTES_MAX = 256 * 1024 * 1024;

/** Sleeps that add up to more than this (35 years) count as this, so that sums stay exact integers. */
const SLEEP_MS_MAX = 2 ** 40;

/** Interprets the job's `input`. Whatever stands there, it never throws: a plan that is wrong is a handler error. */
export function scriptedWorker(job: WorkerJob): WorkerTimeline {
  const { input } = job;
  if (!isObject(input)) return [success(0, { echo: input })];
  const member = job.ranBefore && Object.hasOwn(input, 'planOnRetry') ? 'planOnRetry' : 'plan';
  if (!Object.hasOwn(input, member)) return [success(0, { echo: input })];
  const plan = input[member]!;
  return Array.isArray(plan)
    ? follow(plan as readonly Json[], job)
    : [failure(0, `${member} is not an array`)];
}

/** Whether nothing can follow this report: the handler or its worker has come to its end. */
export function endsRun(report: WorkerReport): boolean {
  return report.kind === 'success' || report.kind === 'error' || report.kind === 'crash';
}

function follow(plan: readonly Json[], job: WorkerJob): WorkerTimeline {
  const timeline: TimedReport[] = [];
  let sleptMs = 0;
  for (const [index, step] of plan.entries()) {
    const act = perform(step, job);
    if (act.kind === 'hang') return timeline;
    if (act.kind === 'sleep') {
      sleptMs = Math.min(sleptMs + act.ms, SLEEP_MS_MAX);
    } else if (act.kind === 'wrong') {
      timeline.push(failure(sleptMs, `step ${index} of the plan: ${act.reason}`));
      return timeline;
    } else {
      timeline.push({ afterMs: sleptMs, report: act.report });
      if (endsRun(act.report)) return timeline;
      sleptMs = 0;
    }
  }
  timeline.push(success(sleptMs, { ok: true }));
  return timeline;
}

type Act =
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'report'; readonly report: WorkerReport }
  | { readonly kind: 'wrong'; readonly reason: string };

function perform(step: Json, job: WorkerJob): Act {
  if (!isObject(step)) return wrong('not an object');
  const members = Object.keys(step);
  if (members.length !== 1) return wrong(`${members.length} members where one is wanted`);
  const name = members[0]!;
  const argument = step[name]!;
  switch (name) {
    case 'sleepMs':
      return isCount(argument) ? { kind: 'sleep', ms: argument } : wrong('sleepMs wants an integer from 0');
    case 'stream':
      return report({ kind: 'stream', output: argument });
    case 'streamWithMetrics':
      return isResult(argument)
        ? report({ kind: 'stream', output: argument.output, metrics: argument.metrics })
        : wrong('streamWithMetrics wants an output, and metrics: an object of numbers and strings');
    case 'streamBytes':
      return isLength(argument)
        ? report({ kind: 'stream', output: 'x'.repeat(argument) })
        : wrong('streamBytes wants a length');
    case 'return':
      return report({ kind: 'success', output: argument });
    case 'returnBytes':
      return isLength(argument)
        ? report({ kind: 'success', output: { data: 'x'.repeat(argument) } })
        : wrong('returnBytes wants a length');
    case 'fail':
      return typeof argument === 'string'
        ? report({ kind: 'error', message: argument })
        : wrong('fail wants a message');
    case 'echo':
    case 's3Config':
    case 'crash':
    case 'hang':
      return argument === true ? performFlag(name, job) : wrong(`${name} wants true`);
    default:
      return wrong(`unknown step ${JSON.stringify(name.slice(0, 40))}`);
  }
}

function performFlag(name: 'echo' | 's3Config' | 'crash' | 'hang', job: WorkerJob): Act {
  switch (name) {
    case 'echo':
      return report({ kind: 'success', output: job.input });
    case 's3Config':
      return report({ kind: 'success', output: { s3Config: job.s3Config } });
    case 'crash':
      return report({ kind: 'crash' });
    case 'hang':
      return { kind: 'hang' };
  }
}

function report(workerReport: WorkerReport): Act {
  return { kind: 'report', report: workerReport };
}

function wrong(reason: string): Act {
  return { kind: 'wrong', reason };
}

function success(afterMs: number, output: Json): TimedReport {
  return { afterMs, report: { kind: 'success', output } };
}

function failure(afterMs: number, message: string): TimedReport {
  return { afterMs, report: { kind: 'error', message } };
}

/** The argument of `streamWithMetrics`. */
function isResult(value: Json): value is { readonly output: Json; readonly metrics: Json } {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const { output, metrics } = value;
  if (output === undefined || metrics === undefined || !isObject(metrics)) return false;
  return Object.values(metrics).every((one) => typeof one === 'number' || typeof one === 'string');
}

function isLength(value: Json): value is number {
  return isCount(value) && value <= STRING_BYTES_MAX;
}
