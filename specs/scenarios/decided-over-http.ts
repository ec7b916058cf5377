/** What shipped scenarios decide, each by itself, on the embedded endpoint over HTTP. */
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../src/spec/limits.js';
import type { HistoryEvent, RunEvent } from '../../src/history/events.js';
import { addedBy, ORDINARY_USE } from '../../src/judging/decidable.js';
import { PROFILE_WAIT_MS, type Profile } from '../../src/judging/profiles.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import { exercisedOn } from '../../src/scenario/exercised.js';
import type { Limits, NamedScenario, Script } from '../../src/scenario/index.js';
import type { PlanStep } from '../../src/scenario/script.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import type { Capability } from '../../src/spec/types.js';
import { httpTarget, type HttpTarget } from '../../src/target/http/index.js';
import { named } from '../../scenarios/index.js';
import type { CreateScriptRunner } from '../../src/target/port.js';
import { getOrMake } from '../../src/util/maps.js';
import { runHeader } from '../support/run-header.js';

/** With test control, as `npm start` plays; or as a URL is played in real time, with the waits of a profile. */
export type Place = 'controlled' | Profile;

/** Scenarios that draw one of several situations cover all they exercise within this number of scripts. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
/** What a URL in real time is asked to bear, where its slowest reply took 30 ms. */
const REAL: Omit<Limits, 'maxWaitMs'> = {
  graceMs: 2_000,
  marginMs: 2_310,
  preferredWaitMaxMs: 6_000,
  maxWorkers: 6,
};
const REAL_EARLY_MS = 50;
/** How long a reply takes on its way. */
const REAL_WAY_MS = 25;
const ONLY_UNDER_CONTROL: readonly Capability[] = ['test-control', 'worker-count-known'];

interface Situation {
  readonly capabilities: readonly Capability[];
  readonly limits: Limits;
  readonly live: boolean;
}

/** A worker that follows no plans: each of its jobs takes this input. */
export interface Opaque {
  readonly plan: readonly PlanStep[];
}

function situationOf(place: Place, { capabilities, limits }: HttpTarget): Situation {
  if (place === 'controlled') return { capabilities, limits, live: false };
  return {
    capabilities: capabilities.filter((one) => !ONLY_UNDER_CONTROL.includes(one)),
    limits: { ...REAL, maxWaitMs: PROFILE_WAIT_MS[place] },
    live: true,
  };
}

/** A script runner that does not learn when its calls arrived. */
const createLivePlayer: CreateScriptRunner = (script, context) => {
  const player = createScriptRunner(script, context);
  return {
    due: (nowMs) => player.due(nowMs),
    nextWakeMs: () => player.nextWakeMs(),
    arrived: () => undefined,
    replied: (call, outcome) => player.replied(call, { ...outcome, arrivedByMs: null }),
    workersChanged: (lane, nowMs) => player.workersChanged(lane, nowMs),
    get done() {
      return player.done;
    },
    openJobs: () => player.openJobs(),
  };
};

/**
 * Without test control endpoints are not reset for a script and their workers are not counted; and replies
 * take time.
 */
function asLive(event: HistoryEvent): HistoryEvent {
  if (event.kind === 'script') return { ...event, fresh: false, workers: null };
  if (event.kind !== 'call' || event.receivedMs === null) return event;
  return { ...event, arrivedByMs: null, receivedMs: event.receivedMs + REAL_WAY_MS };
}

/** The profiles draw most scripts alike: by what they are judged with, what came of each script. */
const judgedBefore = new Map<string, Map<string, Judged>>();

/** Runs scripts one by one, and judges each together with ordinary use of the target. */
class Stage {
  readonly situation: Situation;
  readonly #target: HttpTarget;
  readonly #opaque: Opaque | null;
  readonly #run: RunEvent;
  #scripts = 0;

  constructor(place: Place, target: HttpTarget, opaque: Opaque | null) {
    this.#opaque = opaque;
    this.situation = situationOf(place, target);
    const { capabilities, limits, live } = this.situation;
    this.#target = target;
    this.#run = runHeader({
      target: { kind: 'http', name: target.name },
      capabilities,
      clock: live ? 'real' : 'controlled',
      graceMs: limits.graceMs,
      executionTimeoutDefaultMs: EXECUTION_TIMEOUT_DEFAULT_MS,
      earlyMs: live ? REAL_EARLY_MS : 0,
    });
  }

  /** Judges scripts together with those of ordinary use, except the scenario's own. */
  async beside(scenario: string | null): Promise<(script: Script) => Promise<Judged>> {
    const ordinary = named.filter(({ name }) => ORDINARY_USE.includes(name) && name !== scenario);
    const others: HistoryEvent[] = [];
    const { scripts } = drawPlan(ordinary, this.situation, SEEDS[0]!, 1);
    for (const script of scripts) others.push(...(await this.#play(script)).events);
    const judge = addedBy(this.#run, others);
    const judged = getOrMake(
      judgedBefore,
      JSON.stringify([this.situation.capabilities, this.#opaque, scripts]),
      () => new Map(),
    );
    return async (script) => {
      const key = JSON.stringify(script);
      const known = judged.get(key);
      if (known !== undefined) return known;
      const { events, aborted } = await this.#play(script);
      const found = { ...judge(events), aborted };
      judged.set(key, found);
      return found;
    };
  }

  async #play(
    script: Script,
  ): Promise<{ readonly events: HistoryEvent[]; readonly aborted: readonly string[] }> {
    const { live } = this.situation;
    const events: HistoryEvent[] = [];
    const append = (event: HistoryEvent): void => void events.push(live ? asLive(event) : event);
    // Each has an endpoint of its own, which its number names.
    const options = {
      createRunner: live ? createLivePlayer : createScriptRunner,
      firstScript: this.#scripts++,
    };
    const { aborted } = await this.#target.run([script], { append }, options);
    return { events, aborted: aborted.map(({ reason }) => reason) };
  }
}

interface Judged {
  readonly decided: readonly string[];
  readonly failed: readonly string[];
  readonly aborted: readonly string[];
}

/** What scenarios say that they exercise there and do not decide, as `SCENARIO: REQUIREMENT`; and what went wrong. */
export async function undecidedAt(
  place: Place,
  scenarios: readonly NamedScenario[],
): Promise<readonly string[]> {
  return onEmbedded(place, null, async (stage) => {
    const usual = await stage.beside(null);
    const found: string[] = [];
    for (const scenario of scenarios) {
      const judge = ORDINARY_USE.includes(scenario.name) ? await stage.beside(scenario.name) : usual;
      found.push(...(await undecidedBy(scenario, stage.situation, judge)));
    }
    return found;
  });
}

/** What an opaque worker lets be decided; and what failed. */
export async function decidedWithOpaque(
  place: Place,
  scenarios: readonly NamedScenario[],
  input: Opaque,
): Promise<{ readonly decided: ReadonlySet<string>; readonly failed: readonly string[] }> {
  return onEmbedded(place, input, async (stage) => {
    const judge = await stage.beside(null);
    const seen = new Set<string>();
    const found: string[] = [];
    for (const script of drawPlan(scenarios, stage.situation, SEEDS[0]!, 1).scripts) {
      const { decided, failed } = await judge(script);
      for (const id of decided) seen.add(id);
      found.push(...failed.map((id) => `${script.scenario}: ${id}`));
    }
    return { decided: seen, failed: found };
  });
}

async function onEmbedded<T>(
  place: Place,
  opaque: Opaque | null,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const server = await startServer({
    apiKeys: [LOCAL_API_KEY],
    clock: 'controlled',
    endpoints: [],
    webhookTimeoutMs: 2_000,
  });
  const target = await httpTarget({
    url: server.url,
    apiKey: LOCAL_API_KEY,
    controlUrl: server.controlUrl,
    ...(opaque === null
      ? { worker: 'scripted' }
      : { worker: 'opaque', sampleInput: { plan: [...opaque.plan] } }),
  });
  try {
    return await work(new Stage(place, target, opaque));
  } finally {
    await target.close();
    await server.close();
  }
}

async function undecidedBy(
  scenario: NamedScenario,
  situation: Situation,
  judge: (script: Script) => Promise<Judged>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const open = new Set<string>(exercisedOn(scenario, situation.capabilities, situation.limits.maxWaitMs));
  for (const seed of SEEDS) {
    const [script] = drawPlan([scenario], situation, seed, 1).scripts;
    if (script === undefined) return found;
    const { aborted, decided, failed } = await judge(script);
    found.push(...aborted.map((reason) => `${scenario.name}: aborted, ${reason}`));
    found.push(...failed.map((id) => `${scenario.name}: ${id} failed`));
    for (const id of decided) open.delete(id);
    if (open.size === 0) break;
  }
  return [...found, ...[...open].map((id) => `${scenario.name}: ${id}`)];
}
