/** A job's id as a segment of a path (section 4), including ids that no path can hold. */
import { SHORT_FORM_MARK, TEXT_CHARS_WHOLE_MAX } from './long-text.js';

/** An unpaired UTF-16 surrogate. */
const UNPAIRED = /\p{Surrogate}/gu;

/**
 * Whether a call can name the job. An id with an unpaired surrogate cannot be written in UTF-8; one of more
 * than 4,096 characters is kept by its beginning and end only, and common servers reject request lines of
 * that length anyway.
 */
export function canBeNamed(id: string): boolean {
  return (
    id !== '' &&
    id.length <= TEXT_CHARS_WHOLE_MAX &&
    !id.startsWith(SHORT_FORM_MARK) &&
    id.search(UNPAIRED) === -1
  );
}

/** Any text as one segment of a path. Unpaired surrogates become U+FFFD; it never throws. */
export function segmentOf(text: string): string {
  // A segment of dots would be resolved as "here" or "one up".
  if (text === '.' || text === '..') return text.replaceAll('.', '%2E');
  return encodeURIComponent(text.replace(UNPAIRED, '\ufffd'));
}
