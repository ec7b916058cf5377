/** A contradiction in a line or two, for a terminal. */
import { seconds } from '../observed/reading.js';
import type { Bound, Contradiction } from './contradiction.js';

export function contradictionInWords(contradiction: Contradiction): readonly string[] {
  switch (contradiction.kind) {
    case 'time': {
      const { bounds, overMs } = contradiction;
      const most = bounds.filter(({ limit }) => limit === 'at-most');
      const least = bounds.filter(({ limit }) => limit === 'at-least');
      return [`${sumOf(most)}, ${seconds(overMs)} short of ${sumOf(least)}`];
    }
    case 'order':
      return [contradiction.seen.map(({ call, showed }) => `#${call} ${showed}`).join(', then ')];
    case 'number': {
      const { of, told, least, most, parts } = contradiction;
      const counted = parts.filter((part) => part.most > 0);
      const sum = counted.map((part) => `${spanOf(part)} ${part.what}`).join(' + ');
      return [`${of}: ${sum === '' ? 'nothing' : sum} = ${spanOf({ least, most })}, told ${told}`];
    }
  }
}

const spanOf = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? `${least}` : `${least}–${most}`;

/** `0.041 s (#0) + 10.000 s ttl + 0.250 s allowed lateness = 10.291 s`. */
function sumOf(bounds: readonly Bound[]): string {
  const fromClock = bounds.filter(({ from }) => from === 'clock');
  const others = bounds.filter(({ from, ms }) => from !== 'clock' && ms !== 0);
  const terms = [...fromClock, ...others].map(termOf);
  const sumMs = bounds.reduce((sum, { ms }) => sum + ms, 0);
  return terms.length > 1 ? `${terms.join(' + ')} = ${seconds(sumMs)}` : (terms[0] ?? seconds(sumMs));
}

function termOf({ ms, why, call, requirement, from }: Bound): string {
  if (call !== null) return `${seconds(ms)} (#${call})`;
  return from === 'clock' && requirement === null ? seconds(ms) : `${seconds(ms)} ${why}`;
}
