/** Scripts that used the same endpoints, from which the sessions of these endpoints are made. */
import type {
  CallEvent,
  HarnessLag,
  RunEvent,
  ScriptEndEvent,
  ScriptEvent,
  StorageEvent,
  WebhookEvent,
  WorkersEvent,
} from '../../history/events.js';
import { ON_THE_WAY_MAX_MS } from './assumptions.js';
import { HarnessLags, onItsClock } from './tolerance.js';
import { effectiveOperation, type MayBeLost } from './recorded-call.js';
import type { Batch, Session, TickTracker } from './session.js';
import { unseenCalls } from './unseen-calls.js';

/**
 * A script, in positions of the history's single count of sendings and ends; `endedTick` is infinite while
 * it runs.
 */
interface RecordedScript {
  readonly script: ScriptEvent;
  readonly sentTick: number;
  endedTick: number;
  end: ScriptEndEvent | null;
  submissions: number;
}

/** What was observed while the scripts ran. */
type Observed = CallEvent | WebhookEvent | StorageEvent | WorkersEvent;

/**
 * If the harness was held up for this long during a call, in real ms, it may have sent the request in pieces, with
 * pauses.
 */
const HELD_UP_MS = 1_000;

/**
 * A 408 ("the request did not arrive in time") is about the harness, not the target, if the harness was
 * held up.
 */
function wasSentTooSlowly(run: RunEvent, { reply, harnessLagMs = 0 }: CallEvent): boolean {
  return reply?.status === 408 && harnessLagMs >= onItsClock(run, HELD_UP_MS);
}

function asLost(call: CallEvent): CallEvent {
  return { ...call, reply: null, receivedMs: null, lost: 'timeout', gaveUpMs: call.receivedMs! };
}

/** Read by `effectPrecedes`. */
function withTimeOnTheWay(run: RunEvent, call: CallEvent): CallEvent {
  const onTheWayMs = onItsClock(run, ON_THE_WAY_MAX_MS);
  const lost: MayBeLost = onTheWayMs === ON_THE_WAY_MAX_MS ? call : { ...call, onTheWayMs };
  return lost;
}

/** So many jobs are judged without what they say of each other (`JOBS_MAX`): they need not be judged together. */
const JOBS_TOGETHER_MAX = 200;

export class ScriptGroup {
  fresh = true;
  /** The times of a session count from the beginning of its first script: those are the times of a proof. */
  private originMs: number | null = null;
  private readonly lags: HarnessLag[] = [];
  /** For histories that do not record when the lags were. */
  private lagMs = 0;
  private readonly run: RunEvent;
  private recorded = new Map<number, RecordedScript>();
  /** In the order of the history. */
  private observed: Observed[] = [];
  /** Submissions of finished scripts, and how many of them make it worthwhile to look for a part. */
  private finishedJobs = 0;
  private splitAboveJobs = JOBS_TOGETHER_MAX;

  constructor(run: RunEvent) {
    this.run = run;
  }

  begin(script: ScriptEvent, tick: number): void {
    this.fresh &&= script.fresh;
    this.originMs ??= script.atMs;
    this.recorded.set(script.script, {
      script: { ...script, atMs: script.atMs - this.originMs },
      sentTick: tick,
      endedTick: Infinity,
      end: null,
      submissions: 0,
    });
  }

  add(event: Observed): void {
    const isLate = event.kind === 'call' && wasSentTooSlowly(this.run, event);
    const seen = isLate ? asLost(event) : event;
    const isLost = seen.kind === 'call' && seen.receivedMs === null;
    this.observed.push(withOrigin(isLost ? withTimeOnTheWay(this.run, seen) : seen, this.originMs!));
    if (event.kind === 'call' && (event.op === 'run' || event.op === 'runsync'))
      this.recorded.get(event.script)!.submissions += 1;
  }

  end(event: ScriptEndEvent, tick: number): void {
    const recorded = this.recorded.get(event.script)!;
    const { atMs, webhooksUntilMs } = event;
    recorded.end = {
      ...event,
      atMs: atMs - this.originMs!,
      ...(webhooksUntilMs !== undefined && { webhooksUntilMs: webhooksUntilMs - this.originMs! }),
    };
    recorded.endedTick = tick;
    this.finishedJobs += recorded.submissions;
    if (event.harnessLags !== undefined) this.lags.push(...event.harnessLags);
    else this.lagMs = Math.max(this.lagMs, event.harnessLagMs ?? 0);
  }

  get isCrowded(): boolean {
    return this.finishedJobs > this.splitAboveJobs;
  }

  /**
   * The sessions of the finished scripts, if nothing unknown can have happened to their jobs. Only a purge
   * reaches the jobs of other scripts: scripts that a purge may have reached are judged together, or this
   * waits. Null: not yet.
   */
  finishedPart(ticks: TickTracker): Batch | null {
    const over = [...this.recorded.values()].filter(({ endedTick }) => ticks.allEndedBefore(endedTick));
    const finished = new Set(over.map(({ script }) => script.script));
    const jobs = over.reduce((sum, { submissions }) => sum + submissions, 0);
    this.splitAboveJobs = 2 * this.finishedJobs;
    if (jobs <= JOBS_TOGETHER_MAX) return null;
    if (!this.purges().every((purge) => this.isKeptTogether(purge, finished))) return null;
    const part = this.sessionsOf(
      over,
      this.observed.filter(({ script }) => finished.has(script)),
    );
    this.observed = this.observed.filter(({ script }) => !finished.has(script));
    for (const { script } of over) this.recorded.delete(script.script);
    this.finishedJobs -= jobs;
    this.splitAboveJobs = JOBS_TOGETHER_MAX + this.finishedJobs;
    return part;
  }

  /** All that is left. */
  batch(): Batch {
    return this.sessionsOf([...this.recorded.values()], this.observed);
  }

  private purges(): CallEvent[] {
    return ofKind(this.observed, 'call').filter((call) => effectiveOperation(call) === 'purge-queue');
  }

  /** Of the scripts that ran while the purge may have taken effect, all are finished or none is. */
  private isKeptTogether(purge: CallEvent, finished: ReadonlySet<number>): boolean {
    const byTick = purge.receivedMs === null ? Infinity : (purge.endedTick ?? Infinity);
    const reached = [...this.recorded.values()].filter(
      ({ script, sentTick, endedTick }) =>
        script.script === purge.script || (sentTick <= byTick && endedTick >= purge.sentTick),
    );
    const ready = reached.filter(({ script }) => finished.has(script.script)).length;
    return ready === 0 || (ready === reached.length && byTick < Infinity);
  }

  private sessionsOf(recorded: readonly RecordedScript[], observed: readonly Observed[]): Batch {
    const webhooks = ofKind(observed, 'webhook');
    const storageCalls = ofKind(observed, 'storage');
    const scripts = new Map(recorded.map(({ script }) => [script.script, script]));
    const ends = new Map(recorded.flatMap(({ script, end }) => (end === null ? [] : [[script.script, end]])));
    const sessions = new Map<string, Session>();
    const lags = HarnessLags.of(this.run, this.everyLag()).withOrigin(this.originMs!);
    const session = (endpoint: string, script: ScriptEvent | null): Session => {
      let known = sessions.get(endpoint);
      if (known !== undefined) return known;
      known = {
        run: this.withLagTolerance(),
        lags,
        livedUntilMs: Infinity,
        endpoint,
        originMs: this.originMs!,
        exists: script !== null,
        workersAtFirst: script?.workers ?? null,
        fresh: script?.fresh ?? false,
        scripts,
        ends,
        calls: [],
        webhooks,
        storageCalls,
        workers: [],
      };
      sessions.set(endpoint, known);
      return known;
    };
    for (const { script } of recorded) {
      session(script.endpoint, script);
      if (script.secondEndpoint !== undefined) session(script.secondEndpoint, script);
    }
    for (const event of observed)
      if (event.kind === 'call') session(event.endpoint, null).calls.push(event);
      else if (event.kind === 'workers') session(event.endpoint, null).workers.push(event);
    for (const { calls } of sessions.values()) calls.push(...unseenCalls(this.run, scripts, calls));
    return [...sessions.values()];
  }

  /** If it is unknown when the harness ran late, it may have been at any time. */
  private everyLag(): readonly HarnessLag[] {
    const { lags, lagMs } = this;
    return lagMs === 0 ? lags : [...lags, { fromMs: -Infinity, toMs: Infinity, lostMs: lagMs }];
  }

  /** And what it noticed late may have been on time. */
  private withLagTolerance(): RunEvent {
    const { run, lagMs } = this;
    return lagMs === 0 ? run : { ...run, earlyMs: run.earlyMs + lagMs };
  }
}

const ofKind = <Kind extends Observed['kind']>(observed: readonly Observed[], kind: Kind) =>
  observed.filter((event): event is Extract<Observed, { readonly kind: Kind }> => event.kind === kind);

const INSTANTS = [
  'sentMs',
  'arrivedByMs',
  'receivedMs',
  'gaveUpMs',
  'sinceMs',
  'arrivedMs',
  'endedMs',
] as const;

/** The same event with times that count from another instant. */
function withOrigin(event: Observed, originMs: number): Observed {
  if (originMs === 0) return event;
  if (event.kind === 'call' && event.gaveUpMs === undefined) return callWithOrigin(event, originMs);
  const moved = { ...event } as unknown as { [Instant in (typeof INSTANTS)[number]]?: number | null };
  for (const name of INSTANTS) {
    const ms = moved[name];
    if (typeof ms === 'number') moved[name] = ms - originMs;
  }
  return moved as unknown as Observed;
}

/** The same for a call that was not given up: most events are such calls. */
function callWithOrigin(event: CallEvent, originMs: number): CallEvent {
  const { sentMs, arrivedByMs, receivedMs } = event;
  return {
    ...event,
    sentMs: sentMs - originMs,
    arrivedByMs: typeof arrivedByMs === 'number' ? arrivedByMs - originMs : arrivedByMs,
    receivedMs: receivedMs === null ? null : receivedMs - originMs,
  };
}
