/** What a conformant simulator really is in is always believed, and to watch the judge changes nothing. */
import { describe, expect, test } from 'vitest';
import { named as shippedScenarios } from '../../scenarios/index.js';
import type { Service } from '../../src/core/api.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { FollowedJob, followJobs } from '../../src/oracle/beliefs.js';
import { judge, Judging } from '../../src/oracle/index.js';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import { drawOrLeaveOut } from '../../src/scenario/draw.js';
import type { Script } from '../../src/scenario/script.js';
import { createSimulatedService } from '../../src/sim/simulated-service.js';
import { createSimulation } from '../../src/sim/simulation.js';
import { SIMULATOR_KEYS } from '../../src/target/simulator/core-request.js';
import { runScript } from '../../src/target/simulator/script-run.js';
import { simulatorTarget, type SimulatorOptions } from '../../src/target/simulator/simulator-target.js';
import { createRandom } from '../../src/time/random.js';
import { runHeader } from '../support/run-header.js';

const SEED = 11;
/** Every n-th scenario is played. */
const STRIDE = 12;
/** Thousands of calls at once are there for limits, not for lives. */
const CROWDED = /^8\/|many/;

const LATE = { fromMs: 0, toMs: 120 };
const SLOW = { requestMs: { fromMs: 1, toMs: 70 }, replyMs: { fromMs: 1, toMs: 70 }, webhookMs: LATE };
const WORLDS: readonly (readonly [string, Omit<SimulatorOptions, 'seed'>])[] = [
  ['in time', {}],
  ['late timers', { timersLateMs: LATE, dispatchMs: LATE, workers: { lateMs: LATE } }],
  [
    'a slow network that loses requests and replies',
    {
      latency: SLOW,
      arrivals: 'hidden',
      timersLateMs: LATE,
      faults: [
        { perMille: 60, action: { do: 'drop-reply', seen: 'reset' } },
        { perMille: 30, action: { do: 'drop-request', seen: 'timeout' } },
        { perMille: 30, action: { do: 'delay', requestMs: 400, replyMs: 300 } },
      ],
    },
  ],
];

/** A state, and since when a job has been in it. */
interface True {
  readonly state: string;
  readonly sinceMs: number;
}

/** All jobs from an instant on, by id; a job that is not in it does not exist. */
type Truth = readonly { readonly fromMs: number; readonly states: ReadonlyMap<string, True> }[];

/** Plays the script on a simulator that tells after each event in which states its jobs really are. */
function played(
  script: Script,
  options: Omit<SimulatorOptions, 'seed'>,
): { readonly events: readonly HistoryEvent[]; readonly truth: Truth } {
  const { apiKey, otherApiKey, unpermittedApiKey } = SIMULATOR_KEYS;
  const random = createRandom(SEED);
  const lateness = random.fork('timers');
  const keys = { keys: [apiKey, otherApiKey], unpermittedKeys: [unpermittedApiKey] };
  const service = createSimulatedService({ ...options, ...keys }, () => lateness);
  const truth: { fromMs: number; states: Map<string, True> }[] = [];
  const watched: Service = {
    ...service,
    apply(nowMs, input) {
      const output = service.apply(nowMs, input);
      // The script is over.
      if (input.kind === 'delete-endpoint') return output;
      const jobs = service.snapshot(10_000).flatMap((endpoint) => endpoint.jobs);
      const before = truth.at(-1)?.states;
      const entries = jobs.map(({ id, status: state }) => {
        const known = before?.get(id);
        return [id, known?.state === state ? known : { state, sinceMs: nowMs }] as const;
      });
      truth.push({ fromMs: nowMs, states: new Map(entries) });
      return output;
    },
  };
  let [calls, ticks] = [0, 0];
  const { limits, capabilities, clock } = simulatorTarget({ ...options, seed: SEED });
  const events: HistoryEvent[] = [
    runHeader({
      target: { kind: 'simulator', name: 'told' },
      ...{ capabilities, clock, graceMs: limits.graceMs, executionTimeoutDefaultMs: 600_000 },
    }),
  ];
  runScript(
    {
      simulation: createSimulation({ ...options, service: watched, random }),
      sink: { append: (event) => events.push(event) },
      createRunner: createScriptRunner,
      auth: 'bare',
      scaling: null,
      arrivalsKnown: options.arrivals !== 'hidden',
      timeoutMs: ({ mayWait }) => (mayWait ? 330_000 : 30_000),
      eventsMax: 100_000,
      nextCall: () => calls++,
      nextTick: () => ticks++,
    },
    script,
    0,
  );
  return { events, truth };
}

/** A purged job has no state of its own: the simulator does not keep it. */
const ALIKE: { readonly [state: string]: string } = { PURGED: 'GONE' };

describe.each(WORLDS)('%s', (_, options) => {
  const { limits } = simulatorTarget({ ...options, seed: SEED });
  const plays = shippedScenarios
    .filter(({ name }, index) => index % STRIDE === 0 && !CROWDED.test(name))
    .flatMap((one) => {
      const drawn = drawOrLeaveOut(one, SEED, limits);
      return 'script' in drawn ? [drawn.script] : [];
    })
    .map((script) => ({ script, ...played(script, options) }));

  test('the state that each job is in is believed at each instant', () => {
    const missed: string[] = [];
    let [looked, excluded] = [0, 0];
    for (const { script, events, truth } of plays) {
      const jobs = followJobs(events, new Set([0]));
      truth.forEach(({ fromMs, states }, index) => {
        const next = truth[index + 1]?.fromMs ?? fromMs + 1;
        // Of several events at one instant, the last one counts.
        if (next === fromMs) return;
        for (const atMs of [fromMs, Math.floor((fromMs + next) / 2)])
          for (const job of jobs) {
            if (job.submitted.sentMs > atMs) continue;
            const { state, sinceMs } = states.get(job.id) ?? { state: 'GONE', sinceMs: null };
            const { beliefs, ruledOut, contradictions, unknown } = job.at(atMs);
            const isBelieved = beliefs.some(
              (one) =>
                (one.state === state || ALIKE[one.state] === state) &&
                (sinceMs === null || (one.fromMs <= sinceMs && sinceMs <= one.byMs)),
            );
            const isNotYet = state === 'GONE' && beliefs.some((one) => one.state === 'NOT_YET');
            excluded += ruledOut.length;
            looked += 1;
            if (contradictions.length > 0 || (unknown === null && !isBelieved && !isNotYet))
              missed.push(`${script.scenario} ${job.id} at ${atMs}: ${state}, ${JSON.stringify(beliefs)}`);
          }
      });
    }
    expect(missed).toEqual([]);
    expect(plays.length).toBeGreaterThan(20);
    expect(looked).toBeGreaterThan(1_000);
    // To believe everything would hold, too.
    expect(excluded / looked).toBeGreaterThan(4);
  });

  test('findings are the same where the jobs are followed meanwhile', () => {
    for (const { events } of plays) {
      const judging = new Judging(events[0], {
        watch: (judged) => void new FollowedJob([judged]).at(1_000),
      });
      for (const event of events.slice(1)) judging.see(event);
      expect(judging.findings()).toEqual(judge(events));
    }
  });
});
