import type { QuestionId, ReadingId } from '../../spec/index.js';

/** How an open question is read. */
export type ReadingOf = <Q extends QuestionId>(question: Q) => ReadingId<Q>;
