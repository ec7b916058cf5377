/** Scripts that used the same endpoints, from which the sessions of those endpoints are made. */
import type {
  CallEvent,
  RunEvent,
  ScriptEndEvent,
  ScriptEvent,
  WebhookEvent,
  WorkersEvent,
} from '../history/events.js';
import { meantBy } from './reading.js';
import type { Batch, Session } from './session.js';
import type { Ticks } from './ticks.js';

/** When a script was played, in positions of the history's one count; `endedTick` is infinite while it plays. */
interface Played {
  readonly script: ScriptEvent;
  readonly sentTick: number;
  endedTick: number;
  end: ScriptEndEvent | null;
  submissions: number;
}

type Observed = CallEvent | WebhookEvent | WorkersEvent;

/** So many jobs are judged without what they say of each other (`JOBS_MAX`): they need not be judged together. */
const JOBS_TOGETHER_MAX = 200;

export class Group {
  fresh = true;
  /** Times of a session count from its first script's beginning: that is what people read in a proof. */
  private originMs: number | null = null;
  private lagMs = 0;
  private readonly run: RunEvent;
  private played = new Map<number, Played>();
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
    this.observed.push(since(event, this.originMs!));
    const played = this.played.get(event.script)!;
    if (event.kind === 'call' && (event.op === 'run' || event.op === 'runsync')) played.submissions += 1;
  }

  end(event: ScriptEndEvent, tick: number): void {
    const played = this.played.get(event.script)!;
    played.end = { ...event, atMs: event.atMs - this.originMs! };
    played.endedTick = tick;
    this.jobsOver += played.submissions;
    this.lagMs = Math.max(this.lagMs, event.harnessLagMs ?? 0);
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
    const part = this.sessionsOf(over, (event) => ripe.has(event.script));
    this.observed = this.observed.filter((event) => !ripe.has(event.script));
    for (const { script } of over) this.played.delete(script.script);
    this.jobsOver -= jobs;
    this.manyJobs = JOBS_TOGETHER_MAX + this.jobsOver;
    return part;
  }

  /** All that is left. */
  batch(): Batch {
    return this.sessionsOf([...this.played.values()], () => true);
  }

  private purges(): CallEvent[] {
    return this.observed.filter(
      (event): event is CallEvent => event.kind === 'call' && meantBy(event) === 'purge-queue',
    );
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

  private sessionsOf(played: readonly Played[], belongs: (event: Observed) => boolean): Batch {
    const scripts = new Map(played.map(({ script }) => [script.script, script]));
    const ends = new Map(played.flatMap(({ script, end }) => (end === null ? [] : [[script.script, end]])));
    const events = this.observed.filter(belongs);
    const webhooks = events.filter((event) => event.kind === 'webhook');
    const sessions = new Map<string, Session>();
    const session = (endpoint: string, script: ScriptEvent | null): Session => {
      let known = sessions.get(endpoint);
      if (known !== undefined) return known;
      known = {
        run: this.late(),
        endpoint,
        originMs: this.originMs!,
        exists: script !== null,
        workersAtFirst: script?.workers ?? null,
        fresh: script?.fresh ?? false,
        scripts,
        ends,
        calls: [],
        webhooks,
        workers: [],
      };
      sessions.set(endpoint, known);
      return known;
    };
    for (const { script } of played) {
      session(script.endpoint, script);
      if (script.neighbour !== undefined) session(script.neighbour, script);
    }
    for (const event of events)
      if (event.kind === 'call') session(event.endpoint, null).calls.push(event);
      else if (event.kind === 'workers') session(event.endpoint, null).workers.push(event);
    return [...sessions.values()];
  }

  /** What the harness noticed late need not have been late. */
  private late(): RunEvent {
    const { run, lagMs } = this;
    return lagMs === 0 ? run : { ...run, graceMs: run.graceMs + lagMs, earlyMs: run.earlyMs + lagMs };
  }
}

/** The same event with times that count from another instant. */
function since(event: Observed, originMs: number): Observed {
  if (originMs === 0) return event;
  switch (event.kind) {
    case 'call':
      return {
        ...event,
        sentMs: event.sentMs - originMs,
        arrivedByMs: event.arrivedByMs === null ? null : event.arrivedByMs - originMs,
        receivedMs: event.receivedMs === null ? null : event.receivedMs - originMs,
        ...(event.gaveUpMs === undefined ? {} : { gaveUpMs: event.gaveUpMs - originMs }),
      };
    case 'webhook':
      return {
        ...event,
        arrivedMs: event.arrivedMs - originMs,
        endedMs: event.endedMs - originMs,
        ...(event.sinceMs === undefined ? {} : { sinceMs: event.sinceMs - originMs }),
      };
    case 'workers':
      return { ...event, sentMs: event.sentMs - originMs, receivedMs: event.receivedMs - originMs };
  }
}
