/** The same calls at the same instants, on a correct service: a runner that repeats what was recorded, with ids of its own. */
import type { CallEvent, HistoryEvent, Json } from '../../../history/events.js';
import { wholeText } from '../../../history/long-text.js';
import { runEvent } from '../../../test-bed/test-bed.js';
import { plainEnvironment } from '../../../explore/index.js';
import { isOver, returnedId } from '../../../report/calls/shell-script.js';
import { rulesFor } from '../../../core/rules.js';
import type { Rules } from '../../../core/rules.js';
import type { OutgoingCall, RunnerAction, ScriptRunner, ScriptRunnerContext } from '../../../runner/api.js';
import type { Script } from '../../../scenario/script.js';
import { simulatorTarget } from '../../../target/simulator/simulator-target.js';
import type { Dialect } from '../../../spec/index.js';
import { decodedSegment } from '../../../spec/operation-of.js';
import type { Done, Recorded } from './recorded.js';

/** The history of a service with these rules; by default of a correct one with these readings. */
export function rightRun(recorded: Recorded, dialect: Dialect, rules?: Rules): readonly HistoryEvent[] {
  const { run, begin } = recorded;
  const { edition, graceMs, executionTimeoutDefaultMs } = run;
  const target = simulatorTarget({
    ...{ seed: 0, edition, graceMs, executionTimeoutDefaultMs },
    rules: rules ?? rulesFor(dialect, edition),
  });
  const script: Script = {
    schema: 'runproof-script/1',
    ...{ scenario: begin.scenario, title: begin.title, seed: 0, needs: [], exclusive: true },
    ...(begin.secondEndpoint !== undefined && { secondEndpoint: true as const }),
    ...{ workers: begin.workers ?? 1, expectedMs: 0, steps: [] },
  };
  const events: HistoryEvent[] = [runEvent(target, plainEnvironment(0), edition)];
  const createRunner = (_: Script, context: ScriptRunnerContext) => new Repeating(recorded, context);
  target.runSynchronously([script], { append: (event) => events.push(event) }, { createRunner });
  return events;
}

/** At an instant, after which nothing more happens at it. */
const ROUNDS = 4;

class Repeating implements ScriptRunner {
  readonly #recorded: Recorded;
  readonly #context: ScriptRunnerContext;
  readonly #ids = new Map<string, string>();
  readonly #open = new Set<number>();
  #next = 0;
  /** The call that is on its way; `askedAgain`: it has arrived, and nothing else happens at this instant. */
  #sent: { readonly call: number; arrivedMs: number | null; askedAgain: boolean } | null = null;
  #isOver = false;
  #isPast = false;
  #waited = { ms: -1, times: 0 };

  constructor(recorded: Recorded, context: ScriptRunnerContext) {
    this.#recorded = recorded;
    this.#context = context;
  }

  due(nowMs: number): readonly RunnerAction[] {
    const { done, endMs } = this.#recorded;
    const step = done[this.#next];
    const sent = this.#sent;
    if (sent?.askedAgain === true) this.#sent = null;
    else if (sent !== null) {
      sent.askedAgain = sent.arrivedMs !== null;
      return [];
    }
    this.#isOver = step === undefined && nowMs >= this.#here(endMs) && this.#open.size === 0;
    this.#isPast = nowMs >= this.#here(endMs);
    if (step === undefined || this.#here(step.sentMs) > nowMs || this.#waitsFor(step, nowMs)) return [];
    this.#next += 1;
    if (step.kind === 'workers') return [{ kind: 'workers', lane: 'main', count: step.workers }];
    this.#open.add(this.#next);
    this.#sent = { call: this.#next, arrivedMs: null, askedAgain: false };
    return [...this.#expected(step), { kind: 'call', call: this.#callOf(step) }];
  }

  /** A call that was answered before this step is answered now, too, if it is answered at this instant. */
  #waitsFor(step: Done, nowMs: number): boolean {
    const { done } = this.#recorded;
    const before = [...this.#open].some(
      (call) => step.kind === 'call' && isOver(done[call - 1] as CallEvent, step),
    );
    if (this.#waited.ms !== nowMs) this.#waited = { ms: nowMs, times: 0 };
    this.#waited.times += 1;
    return before && this.#waited.times <= ROUNDS;
  }

  nextWakeMs(): number | null {
    const { done, endMs } = this.#recorded;
    if (this.#sent !== null) return this.#sent.arrivedMs;
    if (this.#isOver) return null;
    const step = done[this.#next];
    // After the last step the calls that are open are waited for: each is answered, or given up, at some time.
    return step === undefined && this.#isPast ? null : this.#here(step?.sentMs ?? endMs);
  }

  arrived(call: number, byMs: number): void {
    if (this.#sent?.call === call) this.#sent.arrivedMs = byMs;
  }

  replied(call: number, { reply }: Pick<CallEvent, 'reply'>): void {
    this.#open.delete(call);
    if (this.#sent?.call === call) this.#sent = null;
    const recorded = this.#recorded.done[call - 1] as CallEvent;
    const [then, now] = [returnedId(recorded), returnedId({ ...recorded, reply })];
    if (then !== null && now !== null) this.#ids.set(then, now);
  }

  workersChanged(): void {}

  get done(): boolean {
    return this.#isOver;
  }

  openJobs(): readonly string[] {
    return [];
  }

  #here(ms: number): number {
    return Math.round(ms - this.#recorded.begin.atMs) + this.#context.startMs;
  }

  #callOf({ op, label, endpoint, request }: CallEvent): OutgoingCall {
    const { begin } = this.#recorded;
    const { endpoint: own, secondEndpoint = own } = this.#context;
    const named = (name: string): string =>
      name === begin.endpoint ? own : name === begin.secondEndpoint ? secondEndpoint : name;
    const path = request.path
      .split('/')
      .map((segment) => this.#ids.get(decodedSegment(segment)) ?? named(segment))
      .join('/');
    const text = bodyText(request.body);
    return {
      ...{ call: this.#next, lane: 'main', op, label, endpoint: named(endpoint) },
      ...{ method: request.method, path, query: request.query, contentType: request.contentType },
      auth: request.auth === 'none-needed' ? 'bare' : request.auth,
      bodyText:
        text?.replace(receivers(this.#recorded), (_, token) => this.#context.webhookUrl(token)) ?? null,
      ...{ illegal: request.illegal, mayWait: op === 'runsync' },
    };
  }

  /** Tells the receiver of webhooks what to answer, as it did then. */
  #expected({ request }: CallEvent): readonly RunnerAction[] {
    const { events } = this.#recorded;
    return [...(bodyText(request.body) ?? '').matchAll(receivers(this.#recorded))].map(([url, token]) => {
      const answers = events.flatMap((event) =>
        event.kind === 'webhook' && event.url.startsWith(url)
          ? [event.answered === null ? { close: true as const } : { status: event.answered }]
          : [],
      );
      return {
        kind: 'expect-webhook',
        token: token!,
        answers: answers.length > 0 ? answers : [{ status: 200 }],
      };
    });
  }
}

/** Addresses of webhooks and storages that the run gave out; the last part tells them apart. */
export const receivers = ({ run }: Pick<Recorded, 'run'>): RegExp =>
  new RegExp(
    `${(run.webhooksAt ?? 'http://webhooks.invalid/').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\d+/([^"?/\\\\]+)`,
    'gu',
  );

/** As it was sent; blanks that stood between or behind stand behind. */
export function bodyText(body: CallEvent['request']['body']): string | null {
  if (body.as === 'none') return null;
  if (body.as === 'text') return body.text;
  const text = JSON.stringify(body.value, (_, value: Json) =>
    typeof value === 'string' ? (wholeText(value) ?? value) : value,
  );
  return text + ' '.repeat(Math.max(0, body.bytes - Buffer.byteLength(text)));
}
