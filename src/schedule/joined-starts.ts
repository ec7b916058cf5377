/** What a script does, by instant in ms since its start: how many calls it makes there one after the other. */
export type CallsInARow = ReadonlyMap<number, number>;

/**
 * When scripts that share a clock begin, so that as few round trips as possible are waited for: at each instant for
 * the longest row of calls, and for the clock to be moved there. So scripts begin where most of what they do falls on
 * instants at which the clock stops anyway, and at which others make as many calls.
 *
 * @param slotMs starts are multiples of it
 * @returns for each script when it begins, in ms, at least 0
 */
export function joinedStarts(scripts: readonly CallsInARow[], slotMs = 1): readonly number[] {
  const starts = scripts.map(() => 0);
  const stops = new Map<number, number>();
  // Those with few instants find their place among those with many.
  const order = scripts.map((_, index) => index).sort((a, b) => scripts[b]!.size - scripts[a]!.size);
  for (const index of order) {
    const startMs = bestStart(scripts[index]!, stops, slotMs);
    starts[index] = startMs;
    for (const [instant, calls] of scripts[index]!)
      stops.set(startMs + instant, Math.max(calls, stops.get(startMs + instant) ?? 0));
  }
  return starts;
}

/** The start that saves most round trips; the earliest of several. */
function bestStart(script: CallsInARow, stops: CallsInARow, slotMs: number): number {
  const saved = new Map<number, number>();
  for (const [instant, calls] of script) {
    for (const [stop, others] of stops) {
      if (stop < instant || (stop - instant) % slotMs !== 0) continue;
      saved.set(stop - instant, (saved.get(stop - instant) ?? 0) + 1 + Math.min(calls, others));
    }
  }
  let best = { startMs: 0, count: 0 };
  for (const [startMs, count] of saved)
    if (count > best.count || (count === best.count && startMs < best.startMs)) best = { startMs, count };
  return best.startMs;
}
