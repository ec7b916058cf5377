/** A job's id as a segment of a path (section 4), also where no path can hold it. */
import { SHORT_FORM_MARK, TEXT_CHARS_WHOLE_MAX } from './long-text.js';

/** What has no partner in its pair of UTF-16 units. */
const UNPAIRED = /\p{Surrogate}/gu;

/**
 * Whether a call can name the job. An id with half a character cannot be written in UTF-8; one of more than 4,096
 * characters is kept by its beginning and end alone, and common servers take no request line of that length anyway.
 */
export function canBeNamed(id: string): boolean {
  return (
    id !== '' &&
    id.length <= TEXT_CHARS_WHOLE_MAX &&
    !id.startsWith(SHORT_FORM_MARK) &&
    id.search(UNPAIRED) === -1
  );
}

/** Any text as one segment of a path. Half characters become U+FFFD, as in every address; it never throws. */
export function segmentOf(text: string): string {
  // On its way a segment of dots alone would be taken for "here" or "one up".
  if (text === '.' || text === '..') return text.replaceAll('.', '%2E');
  return encodeURIComponent(text.replace(UNPAIRED, '\ufffd'));
}
