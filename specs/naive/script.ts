/** The scripted worker, version 1: follows the plan in a job's input. It knows nothing of the service around it. */
import type { Clock, Timer } from './clock.js';
import { isObject, type Json, type JsonObject } from './json.js';

/** What a handler can tell the service; each of the last three ends the run. */
export interface HandlerEvents {
  chunk(output: Json): void;
  success(output: Json): void;
  error(message: string): void;
  crash(): void;
}

export interface Handler {
  /** When the last sleep that it began is over. */
  readonly wakesMs: number;
  stop(): void;
}

export interface HandlerTask {
  readonly input: JsonObject;
  readonly s3Config: Json;
  /** Whether a worker of this endpoint has run this job's id before. */
  readonly ranBefore: boolean;
}

export function runHandler(task: HandlerTask, clock: Clock, events: HandlerEvents): Handler {
  const { input } = task;
  let stopped = false;
  let timer: Timer | undefined;
  const handler: Handler = {
    get wakesMs() {
      return timer?.atMs ?? 0;
    },
    stop() {
      stopped = true;
      clock.stop(timer);
    },
  };
  if (!('plan' in input)) {
    events.success({ echo: input });
    return handler;
  }
  const plan = task.ranBefore && 'planOnRetry' in input ? input['planOnRetry'] : input['plan'];
  if (!Array.isArray(plan)) {
    events.error('the plan is not an array');
    return handler;
  }

  const resume = (first: number): void => {
    for (let index = first; index < plan.length && !stopped; index++) {
      const sleepMs = follow(plan[index] as Json, task, events);
      if (sleepMs === 'over') return;
      if (sleepMs === 0) continue;
      timer = clock.at(clock.now() + sleepMs, () => resume(index + 1));
      return;
    }
    if (!stopped) events.success({ ok: true });
  };
  resume(0);
  return handler;
}

const isCount = (value: Json | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Follows one step; answers how long to sleep before the next, or that there is no next. */
function follow(step: Json, task: HandlerTask, events: HandlerEvents): number | 'over' {
  const members = isObject(step) ? Object.entries(step) : [];
  const [name, value] = members.length === 1 ? (members[0] as [string, Json]) : ['', null];
  switch (name) {
    case 'sleepMs':
      if (isCount(value)) return value;
      break;
    case 'stream':
      events.chunk(value);
      return 0;
    case 'streamBytes':
      if (!isCount(value)) break;
      events.chunk('x'.repeat(value));
      return 0;
    case 'return':
      events.success(value);
      return 'over';
    case 'returnBytes':
      if (!isCount(value)) break;
      events.success({ data: 'x'.repeat(value) });
      return 'over';
    case 'echo':
      if (value !== true) break;
      events.success(task.input);
      return 'over';
    case 's3Config':
      if (value !== true) break;
      events.success({ s3Config: task.s3Config });
      return 'over';
    case 'fail':
      if (typeof value !== 'string') break;
      events.error(value);
      return 'over';
    case 'crash':
      if (value !== true) break;
      events.crash();
      return 'over';
    case 'hang':
      if (value === true) return 'over';
      break;
  }
  events.error(`the plan has a step that is unknown or malformed: ${JSON.stringify(step).slice(0, 200)}`);
  return 'over';
}
