/**
 * Which calls a log or a page shows, in words that must all match: `5xx` and `429` are status codes; `/run` is a whole part of a
 * path, and not `/runsync`; any other word is text anywhere in the line, such as the beginning of a job's id; `-word` leaves out
 * what the word matches.
 */
interface ShownCall {
  /** Null while it is pending, and of what has none. */
  readonly status: number | null;
  /** The line as it is shown. */
  readonly text: string;
}

export type CallFilter = (call: ShownCall) => boolean;

const STATUS = /^(\d)(\d\d|xx)$/;

/** @throws {RangeError} for no words, a `-` without one, and codes that no answer has; the message says what to write */
export function callFilter(filter: string): CallFilter {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) throw new RangeError("requires words, such as '5xx -/health'");
  const tests = words.map((word) => (word.startsWith('-') ? not(testOf(word.slice(1))) : testOf(word)));
  return (call) => tests.every((test) => test(call));
}

const not =
  (test: CallFilter): CallFilter =>
  (call) =>
    !test(call);

function testOf(word: string): CallFilter {
  if (word === '') throw new RangeError('has a - without a word: write -word, such as -/health');
  const [, hundreds, rest] = STATUS.exec(word) ?? [];
  if (hundreds === undefined) {
    const isPath = word.startsWith('/') && !word.endsWith('/');
    return ({ text }) => (isPath ? hasPart(text.toLowerCase(), word) : text.toLowerCase().includes(word));
  }
  if (!'12345'.includes(hundreds))
    throw new RangeError(`has ${word}, which is not a status code: write 1xx to 5xx, or one such as 429`);
  const [low, high] = rest === 'xx' ? [`${hundreds}00`, `${hundreds}99`] : [word, word];
  return ({ status }) => status !== null && status >= Number(low) && status <= Number(high);
}

/** Whether it contains the path, and there the part of the path ends. */
const hasPart = (text: string, path: string): boolean =>
  text
    .split(path)
    .slice(1)
    .some((after) => /^([/?\s]|$)/.test(after));
