import { steps, type Script, type Step } from '../scenario/index.js';
import type { Capability } from '../spec/types.js';

/** The capability that a script does not need where blocking jobs occupy the workers that it does not use. */
const WORKERS: Capability = 'worker-count-known';
const LANE = 'keeps workers busy';

/**
 * The same script for an endpoint that has more workers than the script uses: jobs that hang occupy the other workers
 * first, and are cancelled together with the script's own jobs. Whether this worked shows in the replies, which are all
 * that the oracle uses; the number of workers remains unknown to it.
 *
 * Null where this is impossible: the script changes the number of workers, uses none or a second endpoint, or depends
 * on the instant at which it starts.
 */
export function withOthersBusy(script: Script, workers: number): Script | null {
  const others = workers - script.workers;
  if (script.workers < 1 || others < 0 || script.secondEndpoint === true) return null;
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

/** A script that occupies all workers. */
export interface OccupyingScript {
  readonly script: Script;
  /** Ids of the requirements that the oracle can decide by it. */
  readonly decides: readonly string[];
  readonly lastsMs: number;
}

/** The least cost of a script: even a short one delays the others. */
const LEAST_MS = 1_000;

/**
 * Chooses scripts that run one after the other within `roomMs`, greedily: first those that decide the most new
 * requirements for their time.
 *
 * @param decided requirements that the other scripts of the run decide
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
