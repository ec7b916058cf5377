/** What section 9 of the document requires. */
import { inSection } from './rows.js';

export const SECTION_9 = inSection('9', [
  {
    id: '9/other-version-not-served',
    level: 'should',
    text: 'A path with another version segment, such as `/v1/…`, is not answered with success.',
    quote: 'The API version is the path segment `v2` in every operation path.',
    needs: ['endpoint-in-path'],
  },
  {
    id: '9/path-without-version-not-served',
    level: 'should',
    text: 'A path without the version segment is not answered with success.',
    quote: 'The API version is the path segment `v2` in every operation path.',
    needs: ['endpoint-in-path'],
  },
]);
