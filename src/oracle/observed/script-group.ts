/** Scripts that used the same endpoints, from which the sessions of those endpoints are made. */
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
import { Lags } from './tolerance.js';
import { meantBy } from './recorded-call.js';
import type { Batch, Session, Ticks } from './session.js';

/** When a script was played, in positions of the history's one count; `endedTick` is infinite while it plays. */
interface Played {
  readonly script: ScriptEvent;
  readonly sentTick: number;
  endedTick: number;
  end: ScriptEndEvent | null;
  submissions: number;
}

/** What was observed while the scripts were played. */
type Observed = CallEvent | WebhookEvent | StorageEvent | WorkersEvent;

/** A harness that was held up so long while a call was under way may have sent it in pieces, with pauses between them. */
const HELD_UP_MS = 1_000;

/** "The request did not arrive in time" (408) tells of the harness, not of the target, where it was held up. */
function sentTooSlowly({ reply, harnessLagMs = 0 }: CallEvent): boolean {
  return reply?.status === 408 && harnessLagMs >= HELD_UP_MS;
}

function asLost(call: CallEvent): CallEvent {
  return { ...call, reply: null, receivedMs: null, lost: 'timeout', gaveUpMs: call.receivedMs! };
}

/** So many jobs are judged without what they say of each other (`JOBS_MAX`): they need not be judged together. */
const JOBS_TOGETHER_MAX = 200;

export class Group {
  fresh = true;
  /** Times of a session count from its first script's beginning: that is what people read in a proof. */
  private originMs: number | null = null;
  private readonly lags: HarnessLag[] = [];
  /** Of histories that do not tell when. */
  private lagMs = 0;
  private readonly run: RunEvent;
  private played = new Map<number, Played>();
  /** In the order of the history. */
  private observed: Observed[] = [];
  /** Submissions of scripts that are over, and how many of them make it worth while to look for a part. */
  private jobsOver = 0;
  private manyJobs = JOBS_TOGETHER_MAX;

  constructor(run: RunEvent) {
    this.run = run;
  }

  begin(script: ScriptEvent, tick: number): void {
    this.fresh &&= script.fresh;
    this.originMs ??= script.atMs;
    this.played.set(script.script, {
      script: { ...script, atMs: script.atMs - this.originMs },
      sentTick: tick,
      endedTick: Infinity,
      end: null,
      submissions: 0,
    });
  }

  add(event: Observed): void {
    const isLate = event.kind === 'call' && sentTooSlowly(event);
    this.observed.push(since(isLate ? asLost(event) : event, this.originMs!));
    if (event.kind === 'call' && (event.op === 'run' || event.op === 'runsync'))
      this.played.get(event.script)!.submissions += 1;
  }

  end(event: ScriptEndEvent, tick: number): void {
    const played = this.played.get(event.script)!;
    played.end = { ...event, atMs: event.atMs - this.originMs! };
    played.endedTick = tick;
    this.jobsOver += played.submissions;
    if (event.harnessLags !== undefined) this.lags.push(...event.harnessLags);
    else this.lagMs = Math.max(this.lagMs, event.harnessLagMs ?? 0);
  }

  get isCrowded(): boolean {
    return this.jobsOver > this.manyJobs;
  }

  /**
   * The sessions of those scripts to whose jobs nothing can have happened that is not known yet. Only a purge reaches
   * the jobs of another script: scripts that one may have reached are judged together, or this waits. Null: not yet.
   */
  part(ticks: Ticks): Batch | null {
    const over = [...this.played.values()].filter(({ endedTick }) => ticks.allBefore(endedTick));
    const ripe = new Set(over.map(({ script }) => script.script));
    const jobs = over.reduce((sum, { submissions }) => sum + submissions, 0);
    this.manyJobs = 2 * this.jobsOver;
    if (jobs <= JOBS_TOGETHER_MAX) return null;
    if (!this.purges().every((purge) => this.keepsTogether(purge, ripe))) return null;
    const part = this.sessionsOf(
      over,
      this.observed.filter(({ script }) => ripe.has(script)),
    );
    this.observed = this.observed.filter(({ script }) => !ripe.has(script));
    for (const { script } of over) this.played.delete(script.script);
    this.jobsOver -= jobs;
    this.manyJobs = JOBS_TOGETHER_MAX + this.jobsOver;
    return part;
  }

  /** All that is left. */
  batch(): Batch {
    return this.sessionsOf([...this.played.values()], this.observed);
  }

  private purges(): CallEvent[] {
    return ofKind(this.observed, 'call').filter((call) => meantBy(call) === 'purge-queue');
  }

  /** All scripts that were played while the purge may have taken effect are ripe, or none of them is. */
  private keepsTogether(purge: CallEvent, ripe: ReadonlySet<number>): boolean {
    const byTick = purge.receivedMs === null ? Infinity : (purge.endedTick ?? Infinity);
    const reached = [...this.played.values()].filter(
      ({ script, sentTick, endedTick }) =>
        script.script === purge.script || (sentTick <= byTick && endedTick >= purge.sentTick),
    );
    const ready = reached.filter(({ script }) => ripe.has(script.script)).length;
    return ready === 0 || (ready === reached.length && byTick < Infinity);
  }

  private sessionsOf(played: readonly Played[], observed: readonly Observed[]): Batch {
    const webhooks = ofKind(observed, 'webhook');
    const storageCalls = ofKind(observed, 'storage');
    const scripts = new Map(played.map(({ script }) => [script.script, script]));
    const ends = new Map(played.flatMap(({ script, end }) => (end === null ? [] : [[script.script, end]])));
    const sessions = new Map<string, Session>();
    const lags = new Lags(this.everyLag()).since(this.originMs!);
    const session = (endpoint: string, script: ScriptEvent | null): Session => {
      let known = sessions.get(endpoint);
      if (known !== undefined) return known;
      known = {
        run: this.late(),
        lags,
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
    for (const { script } of played) {
      session(script.endpoint, script);
      if (script.neighbour !== undefined) session(script.neighbour, script);
    }
    for (const event of observed)
      if (event.kind === 'call') session(event.endpoint, null).calls.push(event);
      else if (event.kind === 'workers') session(event.endpoint, null).workers.push(event);
    return [...sessions.values()];
  }

  /** Where nobody knows when the harness ran late, it may have been at any time. */
  private everyLag(): readonly HarnessLag[] {
    const { lags, lagMs } = this;
    return lagMs === 0 ? lags : [...lags, { fromMs: -Infinity, toMs: Infinity, lostMs: lagMs }];
  }

  /** And what it noticed late need at no time have been late. */
  private late(): RunEvent {
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
function since(event: Observed, originMs: number): Observed {
  if (originMs === 0) return event;
  const moved = { ...event } as unknown as { [Instant in (typeof INSTANTS)[number]]?: number | null };
  for (const name of INSTANTS) {
    const ms = moved[name];
    if (typeof ms === 'number') moved[name] = ms - originMs;
  }
  return moved as unknown as Observed;
}
