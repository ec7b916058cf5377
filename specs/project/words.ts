/** Words of this project that were replaced, with the words to use. Add a word here once it occurs nowhere. */
import ts from 'typescript';
import { parse, walk, type Source } from './sources.js';

/** Word → what to write instead. Matched as whole words, in any case. */
const REPLACED_WORDS: { readonly [word: string]: string } = {
  sighting: 'status observation',
  sightings: 'status observations',
  ghost: 'submission of unknown outcome',
  ghosts: 'submissions of unknown outcome',
  onlooker: 'observer',
  onlookers: 'observers',
  turnstile: 'semaphore',
  turnstiles: 'semaphores',
  rehearsal: 'dry run',
  rehearsed: 'simulated',
  laboratory: 'test bed',
  neighbour: 'second endpoint',
  mended: 'fixed',
  'made small': 'shrunk',
  'went on': 'continued',
  reckon: 'assume, or estimate',
  reckons: 'assumes, or estimates',
  reckoned: 'assumed, or estimated',
  theatre: 'run',
  rehearse: 'simulate',
  timetable: 'scheduler',
  'play-out': 'run',
  player: 'script runner',
  mishap: 'network fault',
  mishaps: 'network faults',
  census: 'state counts',
  hog: 'blocking job',
  hogs: 'blocking jobs',
  foresee: 'predict',
  foresees: 'predicts',
  unforeseen: 'unpredictable',
  excuse: 'waiver',
  inexcusable: 'not waivable',
  mend: 'fix',
  beheaded: 'truncated',
  blame: 'attribute',
  blamed: 'attributed',
  flaw: 'defect',
  flaws: 'defects',
  scene: 'context',
  surroundings: 'composition root',
  inquiry: 'capability probe',
  'works off': 'processes',
  'work off': 'process',
  'makes small': 'shrinks',
  'make small': 'shrink',
  nobody: 'the name of the part that does not, or the passive',
  somebody: 'the part that it is',
  whoever: 'the part that it is',
  everybody: 'the parts that they are',
  patience: 'time limit',
  breach: 'violation',
  he: 'it, or they',
  his: 'its, or their',
  him: 'it, or them',
  untold: 'not reported',
  thrice: 'three times',
  'letter by letter': 'verbatim',
  'put up with': 'tolerate',
};

/**
 * Habits of this project's English that stop a native reader, with what to write in README.md, docs/, help, and the rules and
 * conditions for clients. Comments, other output of the program and the history in CHANGELOG.md are not held to these.
 */
const REPLACED_IN_DOCUMENTS: { readonly [words: string]: string } = {
  musts: 'required rules',
  shoulds: 'advice',
  'stay open': 'stay undecided',
  'stays open': 'stays undecided',
  'stayed open': 'stayed undecided',
  'is told': 'what prints, reports or says it, in the active voice',
  'are told': 'what prints, reports or says it, in the active voice',
  'is waited for': 'what waits, in the active voice',
  'put aside': 'set aside',
  'goes on': 'continues',
  'all the same': 'anyway',
  meanwhile: 'at that time, or during …',
  'in vain': 'without success',
  'as well': 'too, or also',
  'unless said': 'by default',
  'not yet there': 'not supported yet',
  'of elsewhere': 'which file, or any file',
  'known fault': 'planted bug',
  'known faults': 'planted bugs',
  'planted error': 'planted bug',
  'planted errors': 'planted bugs',
  'our own endpoint': 'the emulator',
  'leads to': 'results in, or resolves to',
  anew: 'again',
  'the gravest': 'the worst',
  'in its middle': 'halfway',
  'what was seen': 'what it is, such as the status page',
  'what passed': 'calls, or traffic',
  'is paid for': 'costs money, or you pay for it',
  'no more after': 'stops … once',
  'come on top': 'take additional time',
  'comes on top': 'takes additional time',
  'is no pass': 'is not a pass',
  'is no number': 'is not a number',
  'is no json': 'is not JSON',
  'is no object': 'is not an object',
};

/** A line of text that a person reads. */
export interface Prose {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a Markdown file, without code. */
export function linesOf({ path, text }: Source): readonly Prose[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    return isCode ? [] : [{ path, line: index + 1, text: withoutCode(line) }];
  });
}

/** The comments of a source file, line by line. */
export function commentsOf(source: Source): readonly Prose[] {
  const file = parse(source);
  const found = new Map<number, Prose>();
  walk(file, (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      const first = file.getLineAndCharacterOfPosition(pos).line + 1;
      for (const [index, text] of withoutCode(source.text.slice(pos, end)).split('\n').entries())
        found.set(first + index, { path: source.path, line: first + index, text });
    }
  });
  return [...found.values()];
}

/** The string literals of a source file, such as help texts. */
export function literalsOf(source: Source): readonly Prose[] {
  const file = parse(source);
  const found: Prose[] = [];
  walk(file, (node) => {
    if (!ts.isStringLiteralLike(node)) return;
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    found.push({ path: source.path, line, text: node.text });
  });
  return found;
}

/** One message for each replaced word: where it is, and what to write. */
export const replacedWordsIn = (prose: readonly Prose[]): readonly string[] => found(REPLACED_WORDS, prose);

/** The same of the habits that documents and help are to avoid. */
export const habitsIn = (prose: readonly Prose[]): readonly string[] => found(REPLACED_IN_DOCUMENTS, prose);

function found(words: { readonly [word: string]: string }, prose: readonly Prose[]): readonly string[] {
  const all = new RegExp(`\\b(${Object.keys(words).join('|')})\\b`, 'gi');
  return prose.flatMap(({ path, line, text }) =>
    [...text.matchAll(all)].map(
      ([word]) => `${path}:${line}: write "${words[word.toLowerCase()]}" instead of "${word}"`,
    ),
  );
}

const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, '');
