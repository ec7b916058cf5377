import { steps, type Script, type Step } from '../scenario/index.js';
import type { Capability } from '../spec/types.js';

/** What a script that wants a known number of workers can do without, where the other workers are kept busy. */
const WORKERS: Capability = 'worker-count-known';
const LANE = 'keeps workers busy';

/**
 * The same script for an endpoint that has more workers than it wants: jobs that hang take the others first, and
 * are ended with what the script leaves behind. It only brings the situation about. Whether it came about shows in
 * the answers, from which alone the oracle decides, since nobody can vouch for the number of workers.
 *
 * Null where that would not do: the script changes the number of workers, wants none or a second endpoint, or is
 * bound to the instant at which it starts.
 */
export function withOthersBusy(script: Script, workers: number): Script | null {
  const others = workers - script.workers;
  if (script.workers < 1 || others < 0 || script.neighbour === true) return null;
  if (script.steps.some((step) => step.do === 'workers' || 'sinceStartMs' in (step.at ?? {}))) return null;
  const needs = script.needs.filter((need) => need !== WORKERS);
  const busy = Array.from({ length: others }, (_, index) => `busy-${index + 1}`);
  const last = busy.at(-1);
  if (last === undefined) return { ...script, needs };
  const lanes = [...new Set(script.steps.map((step) => step.lane ?? 'main'))];
  return {
    ...script,
    needs,
    workers,
    steps: [
      ...busy.map((job) => steps.blocker(job, { lane: LANE })),
      ...busy.map((job) => steps.awaitStarted(job, { lane: LANE })),
      ...lanes.map((lane): Step => ({ ...steps.pause(steps.after(last, 'started').plus(0)), lane })),
      ...script.steps,
    ],
  };
}

/** A script that wants all workers for itself. */
export interface OccupyingScript {
  readonly script: Script;
  /** Ids of the requirements that it lets the oracle decide. */
  readonly decides: readonly string[];
  readonly lastsMs: number;
}

/** Nothing is so short that it would not keep the others waiting. */
const LEAST_MS = 1_000;

/**
 * Of scripts that run one after the other, those that fit the time, most new requirements for their time first.
 * `decided`: by the other scripts of the run.
 */
export function worthTheirTime(
  candidates: readonly OccupyingScript[],
  decided: ReadonlySet<string>,
  roomMs: number,
): readonly Script[] {
  const known = new Set(decided);
  const chosen: Script[] = [];
  let leftMs = roomMs;
  let open = candidates;
  for (;;) {
    const worths = open.map(({ decides, lastsMs }) =>
      lastsMs > leftMs ? 0 : decides.filter((id) => !known.has(id)).length / Math.max(LEAST_MS, lastsMs),
    );
    const most = Math.max(0, ...worths);
    const best = open[worths.indexOf(most)];
    if (most === 0 || best === undefined) return chosen;
    chosen.push(best.script);
    leftMs -= Math.max(LEAST_MS, best.lastsMs);
    for (const id of best.decides) known.add(id);
    open = open.filter((candidate) => candidate !== best);
  }
}
