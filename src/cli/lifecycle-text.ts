/** The life-cycle of a job as `list lifecycle` prints it: as text, or as a state diagram of Mermaid. */
import type { Transition } from '../oracle/index.js';

/** State by state: what leads out of it, no sooner and no later than which requirement says, and what must not. */
export function lifecycleText(transitions: readonly Transition[]): string {
  const states = [...new Set(transitions.map(({ from }) => from))];
  return states
    .map((state) => {
      const rows = transitions.filter(({ from }) => from === state);
      return `${state}\n${rows.map(transitionText).join('')}`;
    })
    .join('\n');
}

function transitionText({ from, to, by, notEarlier, notLater, requires }: Transition): string {
  const lines = [
    by !== null
      ? `  becomes ${to} by ${by}`
      : from === to
        ? '  stays'
        : `  does not become ${to} by anything else`,
    ...listed('must', requires),
    ...listed('not earlier', notEarlier),
    ...listed('not later', notLater),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const listed = (what: string, ids: readonly string[]): readonly string[] =>
  ids.map((id, at) => `      ${(at === 0 ? what : '').padEnd(12)}${id}`);

/** The allowed transitions alone, one edge for each two states. */
export function lifecycleMermaid(transitions: readonly Transition[]): string {
  const edges = new Map<string, string[]>();
  for (const { from, to, by } of transitions) {
    if (by === null) continue;
    const edge = `${from} --> ${to}`;
    edges.set(edge, [...(edges.get(edge) ?? []), by]);
  }
  const lines = [...edges].map(([edge, names]) => `  ${edge}: ${[...new Set(names)].join(', ')}`);
  return ['stateDiagram-v2', '  [*] --> IN_QUEUE: /run, /runsync', ...lines, '  GONE --> [*]', ''].join('\n');
}
