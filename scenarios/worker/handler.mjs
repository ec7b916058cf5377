/**
 * The scripted worker (contract `scripted-worker`, version 1) as a handler that anyone can deploy:
 *
 *     runproof serve --handler scenarios/worker/handler.mjs
 *
 * Elsewhere, call the default export with a job `{ id, input, s3Config, ranBefore }`; everything in the second argument
 * is optional. It yields the incremental results and returns the output. `ranBefore` says whether any worker has run
 * this job's id before; without it, this process answers for the jobs that it has run itself.
 */

/** The chunk size: a longer string is sent in parts; no UTF-16 unit takes more than three bytes. */
const CHUNK_UNITS_MAX = 300_000;
/** The longest string that a plan may request; beyond it, the step is a handler error, not an outage. */
const STRING_BYTES_MAX = 256 * 1024 * 1024;

/** Elsewhere this process may be a server that must not end; only a worker process sets this variable. */
const mayExit = process.env.RUNPROOF_WORKER_MAY_EXIT === '1';
const NO_CRASH =
  'this host offers no crash: pass context.crash, or set RUNPROOF_WORKER_MAY_EXIT=1 where it may exit';

/** Ids of jobs that this worker has run before: those follow `planOnRetry`. */
const seen = new Set();

export default async function* handler(job, context = {}) {
  const { input, s3Config = null } = job;
  const ranBefore = job.ranBefore ?? seen.has(job.id);
  seen.add(job.id);
  const member = ranBefore && hasOwn(input, 'planOnRetry') ? 'planOnRetry' : 'plan';
  if (!hasOwn(input, member)) return { echo: input };
  const plan = input[member];
  if (!Array.isArray(plan)) throw new Error(`${member} is not an array`);

  for (const [index, step] of plan.entries()) {
    const wrong = (reason) => new Error(`step ${index} of the plan: ${reason}`);
    const [name, ...more] =
      typeof step === 'object' && step !== null && !Array.isArray(step) ? Object.keys(step) : [];
    if (name === undefined || more.length > 0) throw wrong('not an object of one member');
    const argument = step[name];
    const flag = () => {
      if (argument !== true) throw wrong(`${name} wants true`);
    };
    const count = () => {
      if (!Number.isSafeInteger(argument) || argument < 0) throw wrong(`${name} wants an integer from 0`);
      return argument;
    };
    const length = () => {
      if (count() > STRING_BYTES_MAX) throw wrong(`${name} wants a length up to ${STRING_BYTES_MAX}`);
      return argument;
    };

    switch (name) {
      case 'sleepMs':
        await sleep(count(), context);
        break;
      case 'stream':
        yield* pieces(argument);
        break;
      case 'streamWithMetrics': {
        const { output, metrics } = withMetrics(argument, wrong);
        // Some hosts cannot pass metrics on; they are optional.
        if (context.produce === undefined) yield* pieces(output);
        else context.produce(output, metrics);
        break;
      }
      case 'streamBytes':
        yield* pieces('x'.repeat(length()));
        break;
      case 'return':
        return argument;
      case 'returnBytes':
        return { data: 'x'.repeat(length()) };
      case 'echo':
        flag();
        return input;
      case 's3Config':
        flag();
        return { s3Config };
      case 'fail':
        if (typeof argument !== 'string') throw wrong('fail wants a message');
        throw new Error(argument);
      case 'crash':
        flag();
        if (context.crash === undefined && !mayExit) throw wrong(NO_CRASH);
        if (context.crash === undefined) process.exit(1);
        context.crash();
        return null;
      case 'hang':
        flag();
        await untilAborted(context.signal);
        return null;
      default:
        throw wrong(`unknown step ${JSON.stringify(name)}`);
    }
  }
  return { ok: true };
}

/** The argument of `streamWithMetrics`: an output, and numbers and strings about it. */
function withMetrics(argument, wrong) {
  const metrics = hasOwn(argument, 'metrics') ? argument.metrics : null;
  const plain =
    typeof metrics === 'object' &&
    metrics !== null &&
    !Array.isArray(metrics) &&
    Object.values(metrics).every((one) => typeof one === 'number' || typeof one === 'string');
  if (!plain || !hasOwn(argument, 'output') || Object.keys(argument).length !== 2)
    throw wrong('streamWithMetrics wants an output, and metrics: an object of numbers and strings');
  return argument;
}

function hasOwn(value, name) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/** Splits an output into chunks: a long string is cut, but not within a character. */
function* pieces(output) {
  if (typeof output !== 'string') return yield output;
  let start = 0;
  do {
    let end = Math.min(start + CHUNK_UNITS_MAX, output.length);
    if (end < output.length && /[\ud800-\udbff]/.test(output[end - 1])) end--;
    yield output.slice(start, end);
    start = end;
  } while (start < output.length);
}

/** On the endpoint's own clock where the host offers it, in real time elsewhere. */
function sleep(ms, { sleep: onClock, signal }) {
  if (onClock !== undefined) return onClock(ms);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function untilAborted(signal) {
  return new Promise((resolve) => {
    // A pending timer keeps a worker process alive that waits for nothing else.
    const timer = setInterval(() => undefined, 2 ** 30);
    const stop = () => {
      clearInterval(timer);
      resolve();
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}
