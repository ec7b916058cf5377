/** The life of a job as a state diagram of Mermaid. */
import { MARK_SYMBOL } from '../../formatting.js';
import {
  alsoSeen,
  CAPTION,
  failuresOf,
  howManySeen,
  wordsOf,
  type Edge,
  type Lifecycle,
} from './lifecycle-edges.js';

/** Readable on light and on dark: Mermaid knows no second set of colours. */
const STYLES = {
  seen: 'fill:#e5f5ea,stroke:#1a6b3c,color:#1c1f23',
  unseen: 'fill:#eef0f2,stroke:#5d6670,color:#1c1f23,stroke-dasharray:4 3',
  fail: 'fill:#fdecea,stroke:#b3261e,color:#b3261e,stroke-width:2px',
  known: 'fill:#fff3dc,stroke:#8a5300,color:#8a5300',
  advice: 'fill:#fff3dc,stroke:#8a5300,color:#8a5300',
};

/** Lines have no style there: a failure is marked by its sign. */
const labelOf = (edge: Edge): string =>
  wordsOf(edge)
    .map((word) => (word.endsWith(' failed') ? `${MARK_SYMBOL.fail} ${word}` : word))
    .join('<br/>');

export function stateMermaid(lifecycle: Lifecycle): string {
  const { edges, states } = lifecycle;
  const used = Object.entries(STYLES).filter(([mark]) => states.some((state) => state.mark === mark));
  const comments = [
    ...failuresOf(lifecycle),
    `${howManySeen(lifecycle)}.`,
    ...alsoSeen(lifecycle),
    ...CAPTION.slice(0, 2),
  ];
  const lines = [
    'stateDiagram-v2',
    ...comments.map((text) => `  %% ${text}`),
    '  [*] --> IN_QUEUE: /run, /runsync',
    ...edges.map((edge) => `  ${edge.from} --> ${edge.to}: ${labelOf(edge)}`),
    ...used.map(([mark, style]) => `  classDef ${mark} ${style}`),
    ...states.map(({ name, mark }) => `  class ${name} ${mark}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
