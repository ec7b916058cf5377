/** The requirements of the document, one file for each section, in the document's order. */
import type { Requirement } from '../types.js';
import { SECTION_1 } from './section-1.js';
import { SECTION_2_1 } from './section-2-1.js';
import { SECTION_2_2 } from './section-2-2.js';
import { SECTION_2_3 } from './section-2-3.js';
import { SECTION_2_4 } from './section-2-4.js';
import { SECTION_2_5 } from './section-2-5.js';
import { SECTION_2_6 } from './section-2-6.js';
import { SECTION_2_7 } from './section-2-7.js';
import { SECTION_3 } from './section-3.js';
import { SECTION_4 } from './section-4.js';
import { SECTION_4_1 } from './section-4-1.js';
import { SECTION_4_2 } from './section-4-2.js';
import { SECTION_4_3 } from './section-4-3.js';
import { SECTION_4_4 } from './section-4-4.js';
import { SECTION_4_5 } from './section-4-5.js';
import { SECTION_4_6 } from './section-4-6.js';
import { SECTION_4_7 } from './section-4-7.js';
import { SECTION_4_8 } from './section-4-8.js';
import { SECTION_4_9 } from './section-4-9.js';
import { SECTION_5 } from './section-5.js';
import { SECTION_6 } from './section-6.js';
import { SECTION_7 } from './section-7.js';
import { SECTION_8 } from './section-8.js';
import { SECTION_9 } from './section-9.js';

const ALL = [
  ...SECTION_1,
  ...SECTION_2_1,
  ...SECTION_2_2,
  ...SECTION_2_3,
  ...SECTION_2_4,
  ...SECTION_2_5,
  ...SECTION_2_6,
  ...SECTION_2_7,
  ...SECTION_3,
  ...SECTION_4,
  ...SECTION_4_1,
  ...SECTION_4_2,
  ...SECTION_4_3,
  ...SECTION_4_4,
  ...SECTION_4_5,
  ...SECTION_4_6,
  ...SECTION_4_7,
  ...SECTION_4_8,
  ...SECTION_4_9,
  ...SECTION_5,
  ...SECTION_6,
  ...SECTION_7,
  ...SECTION_8,
  ...SECTION_9,
];

/** The id of a requirement, such as `2.2/ttl-removes-running`. @public */
export type RequirementId = (typeof ALL)[number]['id'];

/** Every requirement of the document, sorted by section. @public */
export const REQUIREMENTS: readonly (Requirement & { readonly id: RequirementId })[] = ALL;

/** A section of the document with requirements, such as `2.2`. */
export type Section = (typeof ALL)[number]['section'];
