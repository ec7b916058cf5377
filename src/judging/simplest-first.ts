/**
 * Which failure of a requirement is its example: that of the simplest script. A script of a scenario about the
 * requirement comes first, then the one with the shortest wait and the fewest calls.
 */
import type { HistoryEvent } from '../history/events.js';
import type { Findings } from '../oracle/index.js';

/** Failures of a requirement that are compared; further ones are only counted. */
export const COMPARED_MAX = 1_000;
/** Of these, so many are kept. */
const KEPT_MAX = 20;

/**
 * @param costsOf how much each script takes to follow (`scriptCosts`)
 * @param exercises by scenario, the requirements that it is about
 */
export function simplestFirst(
  findings: Findings,
  costsOf: () => ReadonlyMap<number, number>,
  exercises: ReadonlyMap<string, readonly string[]>,
): Findings {
  if (findings.requirements.every(({ failures }) => failures.length < 2)) return findings;
  const costs = costsOf();
  const requirements = findings.requirements.map((finding) => {
    const isBeside = (scenario: string): number => (exercises.get(scenario)?.includes(finding.id) ? 0 : 1);
    const failures = finding.failures.toSorted(
      (a, b) =>
        isBeside(a.scenario) - isBeside(b.scenario) ||
        (costs.get(a.script) ?? 0) - (costs.get(b.script) ?? 0),
    );
    return { ...finding, failures: failures.slice(0, KEPT_MAX) };
  });
  return { ...findings, requirements };
}

/**
 * How much a reader of each script has to follow: its calls, and as much as one call for each doubling of a second
 * that it lasts, and for each kilobyte that it sends.
 */
export function scriptCosts(events: Iterable<HistoryEvent>): ReadonlyMap<number, number> {
  const played = new Map<number, { readonly fromMs: number; toMs: number; calls: number; bytes: number }>();
  for (const event of events) {
    if (event.kind === 'script')
      played.set(event.script, { fromMs: event.atMs, toMs: event.atMs, calls: 0, bytes: 0 });
    if (event.kind !== 'call') continue;
    const script = played.get(event.script);
    if (script === undefined) continue;
    script.toMs = Math.max(script.toMs, event.receivedMs ?? event.sentMs);
    script.calls += 1;
    script.bytes += event.request.body.as === 'none' ? 0 : event.request.body.bytes;
  }
  return new Map(
    [...played].map(([number, { fromMs, toMs, calls, bytes }]) => [
      number,
      calls + Math.log2(1 + (toMs - fromMs) / 1_000) + bytes / 1_000,
    ]),
  );
}
