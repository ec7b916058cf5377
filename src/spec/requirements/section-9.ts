/** What section 9 of the document requires. */
import type { Requirement } from '../types.js';

export const SECTION_9 = [
  {
    id: '9/other-version-not-served',
    section: '9',
    level: 'should',
    text: 'A path with another version segment, such as `/v1/…`, is not answered with success.',
    quote: 'The API version is the path segment `v2` in every operation path.',
    needs: ['endpoint-in-path'],
    waitMs: 0,
  },
  {
    id: '9/path-without-version-not-served',
    section: '9',
    level: 'should',
    text: 'A path without the version segment is not answered with success.',
    quote: 'The API version is the path segment `v2` in every operation path.',
    needs: ['endpoint-in-path'],
    waitMs: 0,
  },
] as const satisfies readonly Requirement[];
