/** The bounds that contradict each other, among all that a zone was given: a circle whose sum is below zero. */
import type { Miss, RawBound } from '../model/tracer.js';
import type { Node, Remembered } from '../model/traced-zone.js';

/** A raw bound along the circle: from `right` to `left`. */
export type Link = RawBound;

/**
 * The shortest way, in ms and then in links, from the last bound's `left` to its `right`, closed by that bound. Worked
 * out anew from the bounds themselves: the zone's matrix is not believed. Null where the sum is not below zero.
 */
export function negativeCycle({ zone, last }: Miss): readonly Link[] | null {
  if (zone === null) return null;
  const bounds = [...remembered(zone.log)];
  const start = nameOf(zone.node(last.left));
  const goal = nameOf(zone.node(last.right));
  const best = new Map<string, Way>([[start, { ms: 0, links: 0, rules: 0, by: null, from: null }]]);
  // So often as there are instants: each round brings the shortest ways one link further.
  for (let changed = true, rounds = 0; changed && rounds <= bounds.length; rounds += 1) {
    changed = false;
    for (const bound of bounds) {
      const from = nameOf(bound.right);
      const way = best.get(from);
      if (way === undefined) continue;
      const rules = way.rules + Number(bound.rule !== null);
      const next = { ms: way.ms + bound.ms, links: way.links + 1, rules, by: bound, from };
      const to = nameOf(bound.left);
      const known = best.get(to);
      if (known !== undefined && !shorter(next, known)) continue;
      best.set(to, next);
      changed = true;
    }
  }
  const found = best.get(goal);
  if (found === undefined || found.ms + last.ms >= 0) return null;
  const links: Link[] = [last];
  for (let at = goal; at !== start;) {
    const way = best.get(at)!;
    links.unshift(linkOf(way.by!));
    at = way.from!;
  }
  return links;
}

interface Way {
  readonly ms: number;
  readonly links: number;
  readonly rules: number;
  readonly by: Remembered | null;
  readonly from: string | null;
}

/** Of ways as short the one with fewer links, and of these the one that rests on what was observed. */
function shorter(left: Way, right: Way): boolean {
  if (left.ms !== right.ms) return left.ms < right.ms;
  return left.links === right.links ? left.rules < right.rules : left.links < right.links;
}

function* remembered(log: Remembered | null): Generator<Remembered> {
  for (let bound = log; bound !== null; bound = bound.before) yield bound;
}

const nameOf = ({ instant, generation }: Node): string => `${instant}@${generation}`;

function linkOf({ left, right, ms, rule, slackMs, op }: Remembered): Link {
  return { left: left.instant, right: right.instant, ms, rule, slackMs, op };
}
