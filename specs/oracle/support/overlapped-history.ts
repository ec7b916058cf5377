/** Scripts that were played one after the other, each alone, told as if they had shared one endpoint and had overlapped. */
import fc from 'fast-check';
import { runEvent, simulatorIn } from '../../../src/test-bed/test-bed.js';
import { rulesFor, type Rules } from '../../../src/core/rules.js';
import { scriptArbitrary } from '../../../src/explore/script-arbitrary.js';
import { plainEnvironment } from '../../../src/explore/environment.js';
import type { HistoryEvent } from '../../../src/history/events.js';
import type { Script } from '../../../src/scenario/index.js';

/** What would reach the jobs of other scripts is left out. */
const TOUCHES_OTHERS: ReadonlySet<string> = new Set(['purge-queue', 'burst', 'workers', 'raw']);

export function explored(seed: number, count: number): readonly Script[] {
  const { limits } = simulatorIn(plainEnvironment(seed), 'document', rulesFor({}, 'document'));
  return Array.from({ length: count }, (_, index) => {
    const [script] = fc.sample(scriptArbitrary({ limits, steering: () => 1, seed: seed + index }), {
      seed: seed + index,
      numRuns: 1,
    });
    const steps = script!.steps.filter(
      (step) => !TOUCHES_OTHERS.has(step.do) && step.endpoint !== '{second-endpoint}',
    );
    return { ...script!, steps };
  });
}

/** The run's own event, and those of each script. */
export function played(scripts: readonly Script[], rules: Rules, seed: number) {
  const environment = plainEnvironment(seed);
  const target = simulatorIn(environment, 'document', rules);
  const stories = scripts.map((): HistoryEvent[] => []);
  let own = '';
  const append = (event: HistoryEvent): void => {
    if (event.kind === 'script') own = event.endpoint;
    if (event.kind !== 'run') stories[event.script]!.push(asShared(event, own));
  };
  target.runSynchronously(scripts, { append });
  return { run: runEvent(target, environment, 'document'), stories };
}

function asShared(event: HistoryEvent, own: string): HistoryEvent {
  if (event.kind === 'script') {
    const { secondEndpoint: _, ...alone } = event;
    return { ...alone, endpoint: 'shared', fresh: false, workers: null };
  }
  if (event.kind !== 'call' || event.endpoint !== own) return event;
  const path = event.request.path.replace(`/${own}/`, '/shared/');
  return { ...event, endpoint: 'shared', request: { ...event.request, path } };
}

interface Mark {
  readonly atMs: number;
  readonly script: number;
  readonly order: number;
}

function inOrder(left: Mark, right: Mark): number {
  return left.atMs - right.atMs || left.script - right.script || left.order - right.order;
}

/** All in one history, each beginning so much later than the one before it. */
export function interleaved(stories: readonly (readonly HistoryEvent[])[], everyMs: number): HistoryEvent[] {
  const events: (Mark & { readonly event: HistoryEvent })[] = [];
  const ticks: (Mark & { readonly call: number; readonly which: 'sentTick' | 'endedTick' })[] = [];
  stories.forEach((story, script) => {
    const [first] = story;
    if (first?.kind !== 'script') return;
    const shiftMs = script * everyMs - first.atMs;
    let atMs = -Infinity;
    story.forEach((original, order) => {
      const event = shifted(original, shiftMs);
      atMs = Math.max(atMs, writtenMs(event));
      events.push({ atMs, script, order, event });
      if (event.kind !== 'call') return;
      const { call, sentMs, sentTick, endedTick } = event;
      ticks.push({ atMs: sentMs, script, order: sentTick, call, which: 'sentTick' });
      ticks.push({ atMs, script, order: endedTick!, call, which: 'endedTick' });
    });
  });
  const counted = new Map<number, { sentTick: number; endedTick: number }>();
  ticks.sort(inOrder).forEach(({ call, which }, tick) => {
    counted.set(call, { sentTick: 0, endedTick: 0, ...counted.get(call), [which]: tick });
  });
  return events
    .sort(inOrder)
    .map(({ event }) => (event.kind === 'call' ? { ...event, ...counted.get(event.call)! } : event));
}

function writtenMs(event: HistoryEvent): number {
  switch (event.kind) {
    case 'call':
      return event.receivedMs ?? event.gaveUpMs ?? event.sentMs;
    case 'webhook':
      return event.endedMs;
    case 'storage':
      return event.arrivedMs;
    case 'workers':
      return event.receivedMs;
    case 'script':
    case 'script-end':
    case 'cleanup':
      return event.atMs;
    case 'run':
      return 0;
  }
}

function shifted<E extends HistoryEvent>(event: E, ms: number): E {
  const later = Object.entries(event).map(([name, value]): [string, unknown] => [
    name,
    name.endsWith('Ms') && typeof value === 'number' ? value + ms : value,
  ]);
  return Object.fromEntries(later) as unknown as E;
}
