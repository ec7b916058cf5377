/** In words, by how a run ends; anything else is told as an interruption. */
const WORDS: { readonly [ending: string]: string } = {
  time: 'the time of the run was over',
  budget: 'the budget of the run ran out',
  'stopped-early': 'the run stopped early',
};

/** Why a script was given up when its signal was aborted. */
export const whyAborted = (signal: AbortSignal): string => WORDS[String(signal.reason)] ?? 'interrupted';
