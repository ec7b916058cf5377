/** The open questions of the document, one file for each section, in the document's order. */
import { QUESTIONS_1 } from './section-1.js';
import { QUESTIONS_2_1 } from './section-2-1.js';
import { QUESTIONS_2_2 } from './section-2-2.js';
import { QUESTIONS_2_3 } from './section-2-3.js';
import { QUESTIONS_2_4 } from './section-2-4.js';
import { QUESTIONS_2_5 } from './section-2-5.js';
import { QUESTIONS_2_7 } from './section-2-7.js';
import { QUESTIONS_3 } from './section-3.js';
import { QUESTIONS_4 } from './section-4.js';
import { QUESTIONS_4_1 } from './section-4-1.js';
import { QUESTIONS_4_3 } from './section-4-3.js';
import { QUESTIONS_4_4 } from './section-4-4.js';
import { QUESTIONS_4_5 } from './section-4-5.js';
import { QUESTIONS_4_6 } from './section-4-6.js';
import { QUESTIONS_4_7 } from './section-4-7.js';
import { QUESTIONS_4_9 } from './section-4-9.js';
import { QUESTIONS_5 } from './section-5.js';
import { QUESTIONS_6 } from './section-6.js';
import { QUESTIONS_7 } from './section-7.js';
import { QUESTIONS_8 } from './section-8.js';
import { QUESTIONS_9 } from './section-9.js';

/** Every open question of the document, sorted by section. @public */
export const QUESTIONS = [
  ...QUESTIONS_1,
  ...QUESTIONS_2_1,
  ...QUESTIONS_2_2,
  ...QUESTIONS_2_3,
  ...QUESTIONS_2_4,
  ...QUESTIONS_2_5,
  ...QUESTIONS_2_7,
  ...QUESTIONS_3,
  ...QUESTIONS_4,
  ...QUESTIONS_4_1,
  ...QUESTIONS_4_3,
  ...QUESTIONS_4_4,
  ...QUESTIONS_4_5,
  ...QUESTIONS_4_6,
  ...QUESTIONS_4_7,
  ...QUESTIONS_4_9,
  ...QUESTIONS_5,
  ...QUESTIONS_6,
  ...QUESTIONS_7,
  ...QUESTIONS_8,
  ...QUESTIONS_9,
] as const;

/** Former open questions that requirements answer now. Older dialect files still name them. */
export const SETTLED_QUESTIONS: ReadonlySet<string> = new Set([
  '1/request-content-type',
  '2.1/empty-input',
  '2.2/ttl-after-retry',
  '4.6/number-of-retries',
]);

/** The id of an open question, such as `4.1/wait-elapsed-body`. @public */
export type QuestionId = (typeof QUESTIONS)[number]['id'];
