import { WAIT_DEFAULT_MS } from '../spec/limits.js';
import { planMs } from './planned-work.js';
import type { Step, When } from './script.js';

interface Lane {
  readonly steps: readonly Step[];
  index: number;
  nowMs: number;
}

/**
 * The longest expected duration of the steps, in ms of the target's clock: every `await` waits until its
 * timeout, every `/runsync` as long as its `wait` or its handler, and replies take no time.
 */
export function expectedMs(steps: readonly Step[]): number {
  const lanes = lanesOf(steps);
  const seen = new Map<string, number>();
  for (;;) {
    const moved = lanes.map((lane) => advance(lane, seen));
    if (moved.some((yes) => yes)) continue;
    // The remaining steps refer to events that never happen, and would be skipped.
    const stuck = lanes.find((lane) => lane.index < lane.steps.length);
    if (!stuck) return Math.max(0, ...lanes.map((lane) => lane.nowMs));
    stuck.index += 1;
  }
}

function lanesOf(steps: readonly Step[]): readonly Lane[] {
  const names = [...new Set(steps.map((step) => step.lane ?? 'main'))];
  return names.map((name) => ({
    steps: steps.filter((step) => (step.lane ?? 'main') === name),
    index: 0,
    nowMs: 0,
  }));
}

function advance(lane: Lane, seen: Map<string, number>): boolean {
  const step = lane.steps[lane.index];
  if (!step) return false;
  const atMs = instantOf(step.at, lane.nowMs, seen);
  if (atMs === null) return false;
  lane.nowMs = Math.max(lane.nowMs, atMs) + durationOf(step);
  lane.index += 1;
  note(step, Math.max(lane.nowMs - durationOf(step), 0), lane.nowMs, seen);
  return true;
}

function instantOf(at: When | undefined, nowMs: number, seen: Map<string, number>): number | null {
  if (at === undefined) return nowMs;
  if ('waitMs' in at) return nowMs + at.waitMs;
  if ('sinceStartMs' in at) return at.sinceStartMs;
  const since = seen.get(`${at.milestone} ${at.job}`);
  return since === undefined ? null : since + at.plusMs;
}

/** How long bodies are held back before they are completed. */
const HELD_MS = 5_000;

function durationOf(step: Step): number {
  if (step.do === 'await') return step.timeoutMs;
  if (step.do === 'burst' && step.held === true) return HELD_MS;
  const syncs = step.do === 'runsync' || (step.do === 'burst' && step.op === 'runsync');
  if (!syncs) return 0;
  const waitMs = typeof step.wait === 'number' ? step.wait : WAIT_DEFAULT_MS;
  return Math.min(waitMs, planMs(step.plan ?? []));
}

function note(step: Step, fromMs: number, toMs: number, seen: Map<string, number>): void {
  if (!('job' in step) || typeof step.job !== 'string') return;
  const first = (milestone: string, atMs: number) => {
    const key = `${milestone} ${step.job as string}`;
    if (!seen.has(key)) seen.set(key, atMs);
  };
  if (step.do === 'run' || step.do === 'runsync') first('submitted', fromMs);
  if (step.do === 'runsync' || step.do === 'status' || step.do === 'await') {
    first('started', toMs);
    if (step.do !== 'await' || step.until.some((state) => state !== 'IN_PROGRESS' && state !== 'IN_QUEUE')) {
      first('ended', toMs);
    }
  }
  if (step.do === 'cancel') {
    first('cancelled', toMs);
    first('ended', toMs);
  }
  if (step.do === 'retry') {
    seen.set(`retried ${step.job}`, toMs);
    seen.delete(`started ${step.job}`);
    seen.delete(`ended ${step.job}`);
  }
}
