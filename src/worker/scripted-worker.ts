/**
 * `worker/` promises the scripted worker (contract `scripted-worker`, version 1, and `streamWithMetrics`) as
 * a pure interpreter: it returns what a worker reports and when; the caller does the waiting. It reads no
 * clock.
 */
import type { WorkerReport } from '../core/api.js';
import type { Json } from '../history/events.js';
import { isCount, isObject } from '../util/json.js';

export interface TimedReport {
  /** Milliseconds of the endpoint's clock after the previous report, or after the start. */
  readonly afterMs: number;
  readonly report: WorkerReport;
}

/** The reports of one run, in order. When the last one does not end the run, the handler hangs. */
export type WorkerTimeline = readonly TimedReport[];

export interface WorkerJob {
  readonly input: Json;
  /** As the worker received it; null without one. */
  readonly s3Config: Json | null;
  /** Whether a worker has run the job before: then `planOnRetry` is used. */
  readonly ranBefore: boolean;
}

/**
 * The longest string that a plan may ask for; a longer one is a handler error, and does not exhaust memory.
 */
const STRING_BYTES_MAX = 256 * 1024 * 1024;

/** Longer total sleeps (35 years) are cut to this, so that sums stay exact integers. */
const SLEEP_MS_MAX = 2 ** 40;

/** Interprets the job's `input`. Never throws: an invalid plan is a handler error. */
export function scriptedWorker(job: WorkerJob): WorkerTimeline {
  const { input } = job;
  if (!isObject(input)) return [success(0, { echo: input })];
  const member = job.ranBefore && Object.hasOwn(input, 'planOnRetry') ? 'planOnRetry' : 'plan';
  if (!Object.hasOwn(input, member)) return [success(0, { echo: input })];
  const plan = input[member]!;
  return Array.isArray(plan)
    ? runPlan(plan as readonly Json[], job)
    : [failure(0, `${member} is not an array`)];
}

/** Whether this report ends the run. */
export function endsRun(report: WorkerReport): boolean {
  return report.kind === 'success' || report.kind === 'error' || report.kind === 'crash';
}

function runPlan(plan: readonly Json[], job: WorkerJob): WorkerTimeline {
  const timeline: TimedReport[] = [];
  let sleptMs = 0;
  for (const [index, step] of plan.entries()) {
    const result = perform(step, job);
    if (result.kind === 'hang') return timeline;
    if (result.kind === 'sleep') {
      sleptMs = Math.min(sleptMs + result.ms, SLEEP_MS_MAX);
    } else if (result.kind === 'invalid') {
      timeline.push(failure(sleptMs, `step ${index} of the plan: ${result.reason}`));
      return timeline;
    } else {
      timeline.push({ afterMs: sleptMs, report: result.report });
      if (endsRun(result.report)) return timeline;
      sleptMs = 0;
    }
  }
  timeline.push(success(sleptMs, { ok: true }));
  return timeline;
}

type StepResult =
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'report'; readonly report: WorkerReport }
  | { readonly kind: 'invalid'; readonly reason: string };

function perform(step: Json, job: WorkerJob): StepResult {
  if (!isObject(step)) return invalid('not an object');
  const members = Object.keys(step);
  if (members.length !== 1) return invalid(`${members.length} members instead of one`);
  const name = members[0]!;
  const argument = step[name]!;
  switch (name) {
    case 'sleepMs':
      return isCount(argument)
        ? { kind: 'sleep', ms: argument }
        : invalid('sleepMs requires an integer from 0');
    case 'stream':
      return report({ kind: 'stream', output: argument });
    case 'streamWithMetrics':
      return isStreamedResult(argument)
        ? report({ kind: 'stream', output: argument.output, metrics: argument.metrics })
        : invalid('streamWithMetrics requires an output, and metrics: an object of numbers and strings');
    case 'streamBytes':
      return isLength(argument)
        ? report({ kind: 'stream', output: 'x'.repeat(argument) })
        : invalid('streamBytes requires a length');
    case 'return':
      return report({ kind: 'success', output: argument });
    case 'returnBytes':
      return isLength(argument)
        ? report({ kind: 'success', output: { data: 'x'.repeat(argument) } })
        : invalid('returnBytes requires a length');
    case 'fail':
      return typeof argument === 'string'
        ? report({ kind: 'error', message: argument })
        : invalid('fail requires a message');
    case 'echo':
    case 's3Config':
    case 'crash':
    case 'hang':
      return argument === true ? performFlag(name, job) : invalid(`${name} requires true`);
    default:
      return invalid(`unknown step ${JSON.stringify(name.slice(0, 40))}`);
  }
}

function performFlag(name: 'echo' | 's3Config' | 'crash' | 'hang', job: WorkerJob): StepResult {
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

function report(workerReport: WorkerReport): StepResult {
  return { kind: 'report', report: workerReport };
}

function invalid(reason: string): StepResult {
  return { kind: 'invalid', reason };
}

function success(afterMs: number, output: Json): TimedReport {
  return { afterMs, report: { kind: 'success', output } };
}

function failure(afterMs: number, message: string): TimedReport {
  return { afterMs, report: { kind: 'error', message } };
}

/** The argument of `streamWithMetrics`. */
function isStreamedResult(value: Json): value is { readonly output: Json; readonly metrics: Json } {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const { output, metrics } = value;
  if (output === undefined || metrics === undefined || !isObject(metrics)) return false;
  return Object.values(metrics).every((one) => typeof one === 'number' || typeof one === 'string');
}

function isLength(value: Json): value is number {
  return isCount(value) && value <= STRING_BYTES_MAX;
}
