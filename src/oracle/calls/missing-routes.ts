/**
 * An operation that the server does not have: whatever is sent there is answered as a path that does not exist,
 * while other operations work. One cause, on which everything rests that asked something of this operation.
 */
import type { CallEvent } from '../../history/events.js';
import { MAIN_OPERATIONS, type MainOperation } from '../../spec/index.js';
import { MISSING_OPERATION_CODES } from '../../spec/operations.js';
import { isWaitingOrRunning } from '../jobs/status-observations.js';
import type { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import type { MissingOperation } from '../ledger/findings.js';
import type { Ledger } from '../ledger/ledger.js';
import { authorized } from '../observed/recorded-call.js';
import { OPERATION } from './implemented.js';
import { mayHaveElapsed } from './wait.js';

/** Fewer calls may be coincidence. */
const CALLS_MIN = 3;
/** A network may lose four in ten calls of one path: so many in a row are lost by chance once in 60,000 runs. */
const LOST_CALLS_MIN = 12;

/** Counts the answers to calls with a valid key on an endpoint that exists. */
export function tallyRoutes({ context, call, code: status, life }: AnsweredCall): void {
  const { ledger, session } = context;
  if (!session.exists) return;
  const op = call.op as MainOperation;
  const route = ledger.routeOf(op);
  if (!MISSING_OPERATION_CODES.includes(status)) {
    if (mayComeFromBefore(call, status)) route.before.add(status);
    else route.isThere = true;
  }
  if (route.isThere || route.before.has(status)) return;
  route.codes.set(status, (route.codes.get(status) ?? 0) + 1);
  const why = route.first === null ? whyServed(context, call, op, life) : null;
  if (why !== null) route.first = { ...context.failureOf(call), proof: [why] };
}

/** A gateway or a body parser may answer so for any path. */
const mayComeFromBefore = ({ request }: CallEvent, status: number): boolean =>
  status === 429 || status >= 500 || ((status === 400 || status === 413) && request.illegal !== null);

/** Counts the calls that lost their connection while the target answered others: one that is down answers none. */
export function tallyLostRoutes(context: JudgingContext, call: CallEvent, life: Life | null): void {
  const { ledger, session } = context;
  const op = MAIN_OPERATIONS.find((one) => one === call.op);
  if (op === undefined || call.lost !== 'reset' || !session.exists || !authorized(call)) return;
  const route = ledger.routeOf(op);
  const why = route.isThere ? null : whyServed(context, call, op, life);
  if (why === null) return;
  const lostByMs = call.gaveUpMs ?? call.sentMs;
  const answered = session.calls.filter(({ reply }) => reply !== null);
  if (!answered.some(({ sentMs }) => sentMs >= lostByMs)) return;
  // A target that restarts loses many at once.
  const { lost } = route;
  if (lost === null) {
    const first = { ...context.failureOf(call), proof: [why] };
    route.lost = { calls: 1, lastTick: call.sentTick, first };
  } else if (answered.some((one) => one.sentTick > lost.lastTick && one.endedTick! < call.sentTick))
    Object.assign(lost, { calls: lost.calls + 1, lastTick: call.sentTick });
}

/** An operation that exists performs this call: none of these codes is due. Null: one may be. */
function whyServed(
  context: JudgingContext,
  call: CallEvent,
  op: MainOperation,
  life: Life | null,
): string | null {
  if (call.request.illegal !== null) return null;
  if (op === 'run' || op === 'runsync' || op === 'health' || op === 'purge-queue') {
    const isOpen = speaksOfJob(call) || (op === 'runsync' && mayHaveElapsed(context, call));
    return isOpen ? null : 'the call names no job that could be missing';
  }
  if (life?.wasThere(call) !== true) return null;
  const job = `job ${life.job.id}`;
  if (op === 'status') return `${job} has to be found`;
  // Which code refuses a stream that the worker does not produce is open. A job that /status does not know either
  // was lost, or has an id by which nothing can be asked.
  // What is answered for a cancelled job is open as well.
  if (op === 'stream') {
    const isStreamed =
      life.job.streamed &&
      context.has('scripted-worker') &&
      life.first('GONE', 'CANCELLED') === undefined &&
      life.calls('cancel').length === 0;
    return isStreamed ? `${job} has to be found, and its worker streams` : null;
  }
  const before = life.readBefore(call)?.observed;
  if (op === 'retry') return before === 'FAILED' || before === 'TIMED_OUT' ? `${job} was ${before}` : null;
  return isWaitingOrRunning(life.readAfter(call)?.observed) ? `${job} waited or ran after the call` : null;
}

/** A server that misses a job has looked for one: the path is served. */
function speaksOfJob({ reply, request }: CallEvent): boolean {
  if (reply === null) return false;
  const { body } = reply;
  const text = body.as === 'json' ? JSON.stringify(body.value) : body.as === 'text' ? body.text : '';
  return /\bjob\b/iu.test(text.replaceAll(request.path, ''));
}

/** Called at the end of the run. */
export function settleMissingRoutes(ledger: Ledger): void {
  const isAnyThere = [...ledger.routes.values()].some(({ isThere }) => isThere);
  // Where every path is answered like this, the address is wrong, not the operation.
  if (!isAnyThere) return;
  for (const op of MAIN_OPERATIONS) settleLost(ledger, op);
  ledger.missing = MAIN_OPERATIONS.flatMap((op): readonly MissingOperation[] => {
    const route = ledger.routes.get(op);
    if (route === undefined || route.isThere || route.first === null) return [];
    const calls = [...route.codes.values()].reduce((sum, times) => sum + times, 0);
    if (calls < CALLS_MIN) return [];
    const id = OPERATION[op];
    const codes = [...route.codes.keys()].sort((left, right) => left - right);
    const others = [...route.before].sort((left, right) => left - right).join(' or ');
    const all = others === '' ? `all ${calls} calls` : `${calls} calls`;
    const answers = `${codes.join(' or ')}${others === '' ? '' : `, and the others ${others}, as a gateway or a body parser may`}`;
    if (!ledger.hasFailed(id))
      ledger.fail(id, {
        ...route.first,
        actual: `${all} of /${op} with a valid key were answered with ${answers}; the first: ${route.first.actual}`,
      });
    return [{ requirement: id, operation: op, codes, calls }];
  });
}

/** None was answered in the whole run, but for jobs that do not exist. */
function settleLost(ledger: Ledger, op: MainOperation): void {
  const { isThere = true, first = null, lost = null } = ledger.routes.get(op) ?? {};
  const id = OPERATION[op];
  if (isThere || first !== null || lost === null || lost.calls < LOST_CALLS_MIN || ledger.hasFailed(id))
    return;
  const actual = `all ${lost.calls} calls of /${op} that had to be performed lost their connection; the first: ${lost.first.actual}`;
  ledger.fail(id, { ...lost.first, actual });
}
