/**
 * What an endpoint that conforms was asked and has answered, as somebody records it who stands beside: written as traffic,
 * read again, and judged in parts. Nothing may fail, whatever is not in the recording.
 */
import type { Capture } from '../../src/history/capture.js';
import type { CallEvent, HistoryEvent, RunEvent } from '../../src/history/events.js';
import { judgeParts } from '../../src/oracle/index.js';
import { createRandom, type RandomStream } from '../../src/time/random.js';
import type { TrafficFile } from '../../src/traffic/reading/files.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Digester } from '../../src/traffic/digest.js';
import { exchangeOfCall } from '../../src/traffic/exchange-of-call.js';
import { lineOf, Parts } from '../../src/traffic/index.js';
import { batchHistory } from './conformant-batch.js';
import { keptHistory } from '../history-files.js';
import { HABITS } from './recorder-habits.js';

export interface PassiveTask {
  readonly kind: 'passive';
  readonly seed: number;
  readonly batch: number;
  /** A kept history to take; null: one is played. */
  readonly path: string | null;
}

export interface PassiveSummary {
  readonly batch: number;
  readonly what: string;
  readonly calls: number;
  readonly parts: number;
  /** Musts of which something was decided. */
  readonly decided: readonly string[];
  readonly alarms: readonly {
    readonly requirement: string;
    readonly level: string;
    readonly actual: string;
  }[];
}

interface View {
  readonly name: string;
  readonly capture: Capture;
  keeps(call: CallEvent, place: number): boolean;
}

const CHANGING: ReadonlySet<string | null> = new Set(['cancel', 'retry', 'purge-queue']);

const views = (random: RandomStream): readonly View[] => [
  { name: 'whole', capture: { others: false, complete: true }, keeps: () => true },
  { name: 'open', capture: { others: true, complete: true }, keeps: () => true },
  { name: 'cut', capture: { others: false, complete: true }, keeps: (_, place) => place >= 0.4 },
  {
    name: 'sampled',
    capture: { others: false, complete: false },
    keeps: () => random.intBetween(0, 99) >= 30,
  },
  { name: 'hidden', capture: { others: true, complete: true }, keeps: ({ op }) => !CHANGING.has(op) },
];

/** Calls of a part: as few as for a single job, some jobs, and all. */
const PART_CALLS = [1, 20, 200, 5_000];

export function judgePassively({ seed, batch, path }: PassiveTask): PassiveSummary {
  const events = path === null ? batchHistory({ seed, batch }).events : (keptHistory(path) ?? []);
  const random = createRandom(seed).fork('passive').fork(String(batch));
  const view = random.pick(views(random));
  const callsMax = random.pick(PART_CALLS);
  const isDigested = random.intBetween(0, 3) === 0;
  const recorded = trafficOf(events, view, random, isDigested);
  // Who makes digests has the whole bodies.
  const habit = random.pick(HABITS.filter(({ cutsBodies }) => !isDigested || !cutsBodies));
  const what = `${view.name}${isDigested ? ', digests' : ''}, ${habit.name}, parts of ${callsMax}`;
  const nothing = { batch, what, calls: 0, parts: 0, decided: [], alarms: [] };
  if (recorded === null) return nothing;
  const files = filesOf(recorded, habit.files, random);
  const traffic = new Traffic(files, 'document', {});
  if (traffic.summary.endpoints.size === 0) return nothing;
  const capture = { ...view.capture, complete: view.capture.complete && traffic.isWhole };
  const run = runOf(events, capture, traffic.summary.widenedMs);
  const alarms = new Map<string, PassiveSummary['alarms'][number]>();
  const decided = new Set<string>();
  let parts = 0;
  const counted = function* (): Generator<readonly HistoryEvent[]> {
    for (const part of new Parts(run, callsMax, traffic.gaps).of(traffic.events(run))) {
      parts += 1;
      yield part;
    }
  };
  const findings = judgeParts(counted(), { failuresMax: 1 });
  for (const { id, level, decided: times, failures } of findings?.requirements ?? []) {
    if (times > 0 && level === 'must') decided.add(id);
    for (const { actual } of failures) alarms.set(id, { requirement: id, level, actual });
  }
  return {
    ...{ batch, what, parts },
    calls: traffic.summary.calls,
    decided: [...decided],
    alarms: [...alarms.values()],
  };
}

function filesOf(
  recorded: TrafficFile,
  habit: (typeof HABITS)[number]['files'],
  random: RandomStream,
): readonly TrafficFile[] {
  const text = Buffer.concat([...recorded.pieces()]).toString();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return habit(lines, random).map((some, index) => {
    const written = Buffer.from(some.map((line) => JSON.stringify(line)).join('\n'));
    return { name: `${index}.ndjson`, pieces: () => [written] };
  });
}

/**
 * What it was late beyond the grace, the harness was held up, of which a recording knows nothing.
 *
 * @param widenedMs by so much more, because of several clocks
 */
export function runOf([begin, ...rest]: readonly HistoryEvent[], capture: Capture, widenedMs = 0): RunEvent {
  const run = begin as RunEvent;
  const lagsMs = rest.map((event) => (event.kind === 'script-end' ? (event.harnessLagMs ?? 0) : 0));
  return {
    ...run,
    capabilities: [],
    clock: 'real',
    graceMs:
      widenedMs + Math.max(2_000, run.graceMs + lagsMs.reduce((most, lagMs) => Math.max(most, lagMs), 0)),
    earlyMs: Math.max(50, run.earlyMs),
    executionTimeoutDefaultMs: null,
    capture,
  };
}

const BASE = 'https://api.example.com';
/** As the recorder of one client has it. */
const DIGEST_KEY = new TextEncoder().encode('passive');
const AUTHORIZATION = /("authorization":"(?:Bearer )?)\*\*\*"/gu;
const BEGUN_MS = Date.UTC(2026, 10, 27);

/** Null: there is nothing in it. Recorders list calls by their begin or by their end. */
export function trafficOf(
  events: readonly HistoryEvent[],
  view: Pick<View, 'keeps'>,
  random: RandomStream,
  isDigested = false,
): TrafficFile | null {
  const unknown = new Set(
    events.flatMap((one) => (one.kind === 'script' && one.secondEndpoint !== undefined ? [one.script] : [])),
  );
  const calls = events.filter(
    (event): event is CallEvent => event.kind === 'call' && !unknown.has(event.script),
  );
  const byBegin = calls.toSorted((left, right) => left.sentTick - right.sentTick);
  const kept = new Set(byBegin.filter((call, index) => view.keeps(call, index / byBegin.length)));
  const listed = random.pick([byBegin, calls]).filter((call) => kept.has(call));
  if (listed.length === 0) return null;
  const digester = isDigested ? new Digester(DIGEST_KEY) : null;
  const lines = listed.map((call) => lineOf(exchangeOfCall(call, BASE, BEGUN_MS), digester));
  // Some recorders mask keys, and some do not.
  const key = random.pick(['***', 'x']);
  const text = Buffer.from(lines.join('').replaceAll(AUTHORIZATION, `$1${key}"`));
  return { name: 'recorded.ndjson', pieces: () => [text] };
}
