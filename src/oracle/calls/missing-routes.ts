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
  if (!MISSING_OPERATION_CODES.includes(status)) route.isThere = true;
  if (route.isThere) return;
  route.codes.set(status, (route.codes.get(status) ?? 0) + 1);
  if (route.first === null && isServed(context, call, op, life)) route.first = context.failureOf(call);
}

/** Counts the calls that lost their connection while the target answered others: one that is down answers none. */
export function tallyLostRoutes(context: JudgingContext, call: CallEvent, life: Life | null): void {
  const { ledger, session } = context;
  const op = MAIN_OPERATIONS.find((one) => one === call.op);
  if (op === undefined || call.lost !== 'reset' || !session.exists || !authorized(call)) return;
  const route = ledger.routeOf(op);
  if (route.isThere || !isServed(context, call, op, life)) return;
  const lostByMs = call.gaveUpMs ?? call.sentMs;
  const answered = session.calls.filter(({ reply }) => reply !== null);
  if (!answered.some(({ sentMs }) => sentMs >= lostByMs)) return;
  // A target that restarts loses many at once.
  const { lost } = route;
  if (lost === null) route.lost = { calls: 1, lastTick: call.sentTick, first: context.failureOf(call) };
  else if (answered.some((one) => one.sentTick > lost.lastTick && one.endedTick! < call.sentTick))
    Object.assign(lost, { calls: lost.calls + 1, lastTick: call.sentTick });
}

/** An operation that exists performs this call: none of these codes is due. */
function isServed(context: JudgingContext, call: CallEvent, op: MainOperation, life: Life | null): boolean {
  if (call.request.illegal !== null) return false;
  if (op === 'run' || op === 'runsync' || op === 'health' || op === 'purge-queue') return !speaksOfJob(call);
  if (life?.wasThere(call) !== true) return false;
  if (op === 'status') return true;
  // Which code refuses a stream that the worker does not produce is open. A job that /status does not know either
  // was lost, or has an id by which nothing can be asked.
  // What is answered for a cancelled job is open as well.
  if (op === 'stream')
    return (
      life.job.streamed &&
      context.has('scripted-worker') &&
      life.first('GONE', 'CANCELLED') === undefined &&
      life.calls('cancel').length === 0
    );
  const before = life.readBefore(call)?.observed;
  if (op === 'retry') return before === 'FAILED' || before === 'TIMED_OUT';
  return isWaitingOrRunning(life.readAfter(call)?.observed);
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
    if (!ledger.hasFailed(id))
      ledger.fail(id, {
        ...route.first,
        actual: `all ${calls} calls of /${op} with a valid key were answered ${codes.join(' or ')}; the first: ${route.first.actual}`,
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
