/** The life-cycle of a job as `list lifecycle` prints it: as text, or as a state diagram of Mermaid. */
import type { Transition } from '../../oracle/ledger/findings.js';

/** For each state: the transitions out of it, the requirements that bound them, and what must not happen. */
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

/** Only the allowed transitions, one edge for each pair of states. */
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
