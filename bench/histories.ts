/**
 * `bench/` promises to measure what judging costs, beside what simulating the same calls costs. It asserts nothing.
 */
import fc from 'fast-check';
import { runEvent, simulatorIn } from '../src/test-bed/test-bed.js';
import { rulesFor } from '../src/core/rules.js';
import { plainEnvironment } from '../src/explore/environment.js';
import { EXPLORED_NEED } from '../src/explore/explored.js';
import { finishScript } from '../src/scenario/finish-script.js';
import { scriptArbitrary } from '../src/explore/script-arbitrary.js';
import type { HistoryEvent } from '../src/history/events.js';
import type { Script, Step } from '../src/scenario/index.js';

export interface Recorded {
  readonly name: string;
  readonly events: readonly HistoryEvent[];
  readonly calls: number;
  readonly jobs: number;
  /** What it cost to simulate, in ms of one core. */
  readonly simulatedMs: number;
}

const SEED = 1;

/** The cost of `act` in ms of one core: wall time says little where others work as well. */
export function costMs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function record(name: string, scripts: readonly Script[]): Recorded {
  const environment = plainEnvironment(SEED);
  const events: HistoryEvent[] = [];
  const simulatedMs = costMs(() => {
    const target = simulatorIn(environment, 'document', rulesFor({}, 'document'));
    events.push(runEvent(target, environment, 'document'));
    target.runSynchronously(scripts, { append: (event) => events.push(event) });
  });
  const calls = events.filter(({ kind }) => kind === 'call');
  const jobs = calls.filter((call) => call.kind === 'call' && (call.op === 'run' || call.op === 'runsync'));
  return { name, events, calls: calls.length, jobs: jobs.length, simulatedMs };
}

/** Scripts as the explorer draws them: a few jobs each, every operation, every timer. */
export function explored(count: number): Recorded {
  const environment = plainEnvironment(SEED);
  const { limits } = simulatorIn(environment, 'document', rulesFor({}, 'document'));
  const scripts = Array.from({ length: count }, (_, seed) => {
    const arbitrary = scriptArbitrary({ limits, steering: () => 1, seed });
    return fc.sample(arbitrary, { seed, numRuns: 1 })[0]!;
  });
  return record(`${count} explored scripts`, scripts);
}

/** One endpoint that lives through so many jobs, each looked at from its submission to its end. */
export function onOneEndpoint(jobs: number, looks: number): Recorded {
  const workMs = 100;
  const steps: Step[] = Array.from({ length: jobs }, (_, index): Step[] => {
    const job = `job-${index}`;
    const submit: Step = { do: 'run', job, plan: [{ sleepMs: workMs }, { return: { index } }] };
    const look = (): Step => ({ do: 'status', job, at: { waitMs: Math.ceil((2 * workMs) / looks) } });
    return [submit, ...Array.from({ length: looks }, look)];
  }).flat();
  const title = `${jobs} jobs on one endpoint, ${looks} looks at each`;
  const script = finishScript(
    { scenario: 'bench', title, seed: SEED, workers: 2, needs: EXPLORED_NEED },
    steps,
  );
  return record(title, [script]);
}

const SCRIPTS_AT_ONCE = 100;

/** One endpoint that many scripts share, each with one job that it looks at to its end, simulated as it is asked for. */
export function* onSharedEndpoint(jobs: number): Iterable<HistoryEvent> {
  const environment = plainEnvironment(SEED);
  const target = simulatorIn(environment, 'document', rulesFor({}, 'document'));
  yield runEvent(target, environment, 'document');
  const script = (index: number): Script => {
    const title = `job ${index} of a shared endpoint`;
    const steps: Step[] = [
      { do: 'run', job: 'job', plan: [{ sleepMs: 100 }, { return: { index } }], policy: { ttl: 10_000 } },
      ...[60, 60].map((waitMs): Step => ({ do: 'status', job: 'job', at: { waitMs } })),
    ];
    return finishScript(
      { scenario: 'bench', title, seed: SEED + index, workers: 2, needs: EXPLORED_NEED },
      steps,
    );
  };
  for (let firstScript = 0; firstScript < jobs; firstScript += SCRIPTS_AT_ONCE) {
    const scripts = Array.from({ length: SCRIPTS_AT_ONCE }, (_, index) => script(firstScript + index));
    const events: HistoryEvent[] = [];
    target.runSynchronously(scripts, { append: (event) => events.push(event) }, { firstScript });
    for (const event of events) yield asShared(event);
  }
}

/** As if the script had not got an endpoint of its own. Jobs of one endpoint whose workers are unknown say nothing of each other. */
function asShared(event: HistoryEvent): HistoryEvent {
  if (event.kind === 'script') return { ...event, endpoint: 'shared', fresh: false, workers: null };
  if (event.kind !== 'call') return event;
  const path = event.request.path.replace(`/${event.endpoint}/`, '/shared/');
  return { ...event, endpoint: 'shared', request: { ...event.request, path } };
}
