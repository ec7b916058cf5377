/** What a report says of steps that were stopped, or that failed. */
import type { Findings } from '../oracle/index.js';
import { quoteForShell } from '../report/escape.js';
import { formatDuration, pluralize } from '../report/formatting.js';
import { program } from '../program-name.js';
import type { RunToConclude } from './conclude-run.js';
import type { ShrinkResult, Step } from './conclude-thread.js';
import type { StoppedBy } from './deadlines.js';

/** Findings, why there are no more of them, or the error of Runproof itself. */
export type JudgedSo = Step<Findings> | { readonly problem: Error };

const CUT_BY: { readonly [cut in StoppedBy]: string } = {
  time: '',
  budget: ', with the budget',
  interrupted: ', at the signal',
};

export function whyUnjudged(
  judged: JudgedSo,
  { folder, redactor }: Pick<RunToConclude, 'folder' | 'redactor'>,
  nothing: 'nothing' | 'nothing more' = 'nothing',
): string | null {
  if ('done' in judged) return null;
  if ('problem' in judged)
    return redactor.text(`judging failed, so ${nothing} is decided: ${judged.problem.message}`);
  const again =
    folder === null
      ? ''
      : `: "${program()} judge ${quoteForShell(`${folder.name}/history.ndjson`)}" judges it with more time`;
  return redactor.text(
    `judging stopped after ${formatDuration(judged.afterMs)}${CUT_BY[judged.cut]}, so ${nothing} is decided${again}`,
  );
}

export function unshrunkIn({ cut, unshrunk, tookMs }: ShrinkResult): readonly string[] {
  if (cut === null || unshrunk === 0) return [];
  const left = unshrunk === null ? 'failures' : pluralize(unshrunk, 'failure');
  return [
    `shrinking stopped after ${formatDuration(tookMs)}${CUT_BY[cut]}: ${left} ${unshrunk === 1 ? 'is' : 'are'} shown unshrunk`,
  ];
}
