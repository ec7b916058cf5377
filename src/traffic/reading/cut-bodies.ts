/** Bodies without their ends, which recorders cut off. */
import { JSONParser } from '@streamparser/json';
import { jsonOf, type Headers, type Message } from '../../history/exchange.js';

/** The bodies of one exchange: recorders keep only so much of one. */
export class Bodies {
  /** How many had no end. */
  cut = 0;

  /**
   * The text of a body, or undefined where its end is missing.
   *
   * @param sizeBytes how large it was, if the recording says so elsewhere than in a header
   */
  whole(text: Message['body'], headers: Headers, sizeBytes = 0): Message['body'] {
    if (typeof text !== 'string' || !isCut(text, headers, sizeBytes)) return text;
    this.cut += 1;
    return undefined;
  }
}

function isCut(text: string, headers: Headers, sizeBytes: number): boolean {
  const bytes = Buffer.byteLength(text);
  const sentBytes = 'content-encoding' in headers ? Number.NaN : Number(headers['content-length']);
  if (sentBytes === bytes) return false;
  return sentBytes > bytes || sizeBytes > bytes || isBeginOfJson(text);
}

/** What loggers write where they cut: `…`, `...`, `... (truncated)`, `[truncated 120 more]`. */
const CUT_MARK = /(?:…|\.{3}|[([<]\s*truncated)[^"{}]{0,40}$/iu;

/** An object or array whose end is missing. */
function isBeginOfJson(text: string): boolean {
  if (!/^\s*[{[]/u.test(text) || jsonOf(text) !== undefined) return false;
  return [text, text.replace(CUT_MARK, '')].some((begin) => {
    const parser = new JSONParser({ paths: [], keepStack: false });
    // `write` throws as well.
    parser.onError = () => {};
    try {
      parser.write(begin);
    } catch {
      return false;
    }
    return !parser.isEnded;
  });
}
