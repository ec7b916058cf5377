/** What a worker does with a job in a weather. */
import type { Json } from '../../history/events.js';
import { chunkText, type JobPlan, type Weather } from '../../client/weather/weather.js';
import type { JobDetail } from '../../core/job-detail.js';
import type { HandlerContext, HandlerFunction, HandlerJob } from '../../server/handlers/handler-api.js';
import { DAY_MS, EXECUTION_TIMEOUT_DEFAULT_MS, TTL_DEFAULT_MS } from '../../spec/limits.js';

const RUN_MS = 20_000;
const HUGE_CHARACTERS = 5_000_000;
/** Of what the client's policy allows, so that an ordinary job is not timed out. */
const SHARE_USED = 0.7;

interface Settings {
  readonly weather: Weather;
  readonly output: Json | undefined;
  readonly handler: HandlerFunction | undefined;
}

/**
 * @param factor by which planned durations are multiplied
 * @param detailOf what is known of a job; null: it is gone
 */
export function workOf(
  { weather: { job: plan = {} }, output, handler }: Settings,
  factor: number,
  detailOf: (id: string) => JobDetail | null,
): HandlerFunction {
  let firstJob: string | undefined;
  let hasFailed = false;
  return async (job, context) => {
    const detail = detailOf(job.id);
    firstJob ??= job.id;
    const isFirst = plan.ends === 'first-fails' && job.id === firstJob;
    const runMs = runMsOf(isFirst || hasFailed ? {} : plan, detail, factor);
    const chunks = await workThrough(plan, runMs, context);
    if (plan.ends === 'crashes') return context.crash();
    const fails = plan.ends === 'fails' || (plan.ends === 'fails-once' && !job.ranBefore);
    hasFailed ||= isFirst;
    if (fails || isFirst || (plan.failsAfterChunk ?? Infinity) <= chunks.length)
      throw new Error('the worker could not process this input');
    if (plan.output === 'huge') return { text: 'x'.repeat(HUGE_CHARACTERS) };
    if (typeof plan.output === 'object') return plan.output.value;
    if (handler !== undefined) return handled(handler, job, context);
    return output ?? { echo: job.input };
  };
}

function runMsOf({ runMs = RUN_MS }: JobPlan, detail: JobDetail | null, factor: number): number {
  // The clock is moved past its time.
  if (runMs === 'beyond-timeout') return 7 * DAY_MS;
  const { executionTimeoutMs, ttlMs } = detail?.policy ?? {};
  const waitedMs = detail === null ? 0 : (detail.startedMs ?? 0) - detail.submittedMs;
  const allowedMs = Math.min(
    executionTimeoutMs ?? EXECUTION_TIMEOUT_DEFAULT_MS,
    (ttlMs ?? TTL_DEFAULT_MS) - waitedMs,
  );
  return Math.max(1, Math.round(Math.min(runMs * factor, allowedMs * SHARE_USED)));
}

/** Waits, and yields the chunks of the plan meanwhile. */
async function workThrough(
  { chunks = 0, failsAfterChunk = Infinity }: JobPlan,
  runMs: number,
  context: HandlerContext,
): Promise<readonly Json[]> {
  const made: Json[] = [];
  for (let at = 1; at <= Math.min(chunks, failsAfterChunk); at++) {
    await context.sleep(Math.floor(runMs / (chunks + 1)));
    const chunk = { part: at, text: chunkText(at, chunks) };
    context.produce(chunk, { part: at });
    made.push(chunk);
  }
  await context.sleep(Math.floor(runMs / (chunks + 1)));
  return made;
}

/** What the user's handler makes of it: a generator yields chunks. */
async function handled(handler: HandlerFunction, job: HandlerJob, context: HandlerContext): Promise<unknown> {
  const result = await handler(job, context);
  if (!isAsyncIterable(result)) return result;
  const yielded: unknown[] = [];
  for await (const output of result) {
    context.produce(output, {});
    yielded.push(output);
  }
  return yielded;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'next' in value &&
  (Symbol.asyncIterator in value || Symbol.iterator in value);
