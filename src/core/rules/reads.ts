import type { QuestionId, ReadingId } from '../../spec/index.js';

/** Looks up the reading of an open question. */
export type ReadingOf = <Q extends QuestionId>(question: Q) => ReadingId<Q>;
