/** What shipped scenarios decide, each by itself, on the embedded endpoint over HTTP. */
import type { HistoryEvent, RunEvent } from '../../src/history/events.js';
import { PROFILE_WAIT_MS, type Profile } from '../../src/cli/settings.js';
import { judge } from '../../src/oracle/index.js';
import { drawPlan } from '../../src/runner/draw-plan.js';
import { createPlayer } from '../../src/runner/player.js';
import { exercisedOn, type Limits, type NamedScenario, type Script } from '../../src/scenario/index.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import type { Capability } from '../../src/spec/types.js';
import { httpTarget, type HttpTarget } from '../../src/target/http/index.js';
import type { CreatePlayer } from '../../src/target/port.js';

/** With test control, as `npm start` plays; or as a URL is played in real time, with the waits of a profile. */
export type Place = 'controlled' | Profile;

/** Scenarios that draw one of several situations bring about all that they exercise within so many scripts. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
/** What a URL in real time is asked to bear, where its slowest reply took 30 ms. */
const REAL: Omit<Limits, 'maxWaitMs'> = {
  graceMs: 2_000,
  marginMs: 2_310,
  modestWaitMs: 6_000,
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

function situationOf(place: Place, { capabilities, limits }: HttpTarget): Situation {
  if (place === 'controlled') return { capabilities, limits, live: false };
  return {
    capabilities: capabilities.filter((one) => !ONLY_UNDER_CONTROL.includes(one)),
    limits: { ...REAL, maxWaitMs: PROFILE_WAIT_MS[place] },
    live: true,
  };
}

/** A player that nobody tells when its calls arrived. */
const createLivePlayer: CreatePlayer = (script, context) => {
  const player = createPlayer(script, context);
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

/** Nobody empties an endpoint for a script, or counts its workers, where there is no test control; and replies take time. */
function asLive(event: HistoryEvent): HistoryEvent {
  if (event.kind === 'script') return { ...event, fresh: false, workers: null };
  if (event.kind !== 'call' || event.receivedMs === null) return event;
  return { ...event, arrivedByMs: null, receivedMs: event.receivedMs + REAL_WAY_MS };
}

async function judged(target: HttpTarget, script: Script, { capabilities, limits, live }: Situation) {
  const run: RunEvent = {
    kind: 'run',
    schema: 'runproof-history/1',
    runproof: '0',
    seed: script.seed,
    edition: 'document',
    target: { kind: 'http', name: target.name },
    capabilities,
    clock: live ? 'real' : 'controlled',
    graceMs: limits.graceMs,
    earlyMs: live ? REAL_EARLY_MS : 0,
  };
  const events: HistoryEvent[] = [];
  const append = (event: HistoryEvent): void => void events.push(live ? asLive(event) : event);
  const { aborted } = await target.play(
    [script],
    { append },
    { createPlayer: live ? createLivePlayer : createPlayer },
  );
  return { aborted, requirements: judge([run, ...events]).requirements };
}

/** What scenarios say that they exercise there and do not decide, as `SCENARIO: REQUIREMENT`; and what went wrong. */
export async function undecidedAt(
  place: Place,
  scenarios: readonly NamedScenario[],
): Promise<readonly string[]> {
  const server = await startServer({
    apiKeys: [LOCAL_API_KEY],
    clock: 'controlled',
    endpoints: [],
    webhookTimeoutMs: 2_000,
  });
  const target = await httpTarget({
    url: server.url,
    apiKey: LOCAL_API_KEY,
    controlUrl: server.controlUrl!,
    worker: 'scripted',
  });
  try {
    const situation = situationOf(place, target);
    const found: string[] = [];
    for (const scenario of scenarios) {
      const open = new Set<string>(exercisedOn(scenario, situation.capabilities, situation.limits.maxWaitMs));
      for (const seed of SEEDS) {
        const [script] = drawPlan([scenario], situation, seed, 1).scripts;
        if (script === undefined) {
          open.clear();
          break;
        }
        const { aborted, requirements } = await judged(target, script, situation);
        if (aborted.length > 0) found.push(`${scenario.name}: aborted, ${aborted[0]!.reason}`);
        for (const { id, decided, verdict } of requirements) {
          if (decided > 0) open.delete(id);
          if (verdict === 'fail') found.push(`${scenario.name}: ${id} failed`);
        }
        if (open.size === 0) break;
      }
      found.push(...[...open].map((id) => `${scenario.name}: ${id}`));
    }
    return found;
  } finally {
    await target.close();
    await server.close();
  }
}
