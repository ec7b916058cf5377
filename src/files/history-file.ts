/** Reads a recorded history. It may come from elsewhere: nothing is taken for granted. */
import { inPresentWords } from '../history/earlier-words.js';
import type { HistoryEvent } from '../history/events.js';
import { UsageError } from '../util/errors.js';
import { readUserFile } from './user-file.js';
import { shippedSchema } from '../package-files.js';
import { isObject, jsonIn } from '../util/json.js';
import { definition, violationOf } from '../util/json-schema.js';

/** @throws {UsageError} for a file that is not a history, with the number of the wrong line */
export function readHistory(file: string, cwd: string): readonly HistoryEvent[] {
  const lines = readUserFile(file, cwd).split('\n');
  const schema = shippedSchema('history');
  const events: HistoryEvent[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const read = jsonIn(line);
    const event = isObject(read) ? inPresentWords(read as unknown as HistoryEvent) : read;
    const isFirst = events.length === 0;
    if (isFirst && !(isObject(event) && event['kind'] === 'run')) break;
    // Without its first line it is no history any more.
    const instead = isFirst ? '' : ', or take the line out';
    const problem = (what: string): UsageError =>
      new UsageError(`${file}:${index + 1} is not a line of a history: ${what}. Record it again${instead}`);
    if (!isObject(event)) throw problem('it is not a JSON object');
    const kinds = schema['oneOf'] as readonly { readonly $ref: string }[];
    const kind = kinds
      .map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1))
      .find((one) => one === event['kind']);
    if (kind === undefined) throw problem(`there is no kind ${JSON.stringify(event['kind'])}`);
    const violation = violationOf(event, definition(schema, kind), schema);
    if (violation !== null) throw problem(violation);
    events.push(event as unknown as HistoryEvent);
  }
  if (events.length === 0)
    throw new UsageError(
      `${file} is not a history: its first line must be of kind "run", schema runproof-history/1`,
    );
  return events;
}
