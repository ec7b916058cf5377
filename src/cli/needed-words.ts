import { shippedSchema } from '../package-files.js';
import { createRedactor } from '../report/redact.js';
import { REQUIREMENTS } from '../spec/index.js';
import { UsageError } from '../util/errors.js';
import { isObject } from '../util/json.js';

/** @throws {UsageError} where hiding these keys would hide words without which no report could be read again */
export function refuseNeededWords(keys: readonly string[], whose: string): void {
  const { text } = createRedactor(keys);
  const names = REQUIREMENTS.flatMap(({ id, text: rule }) => [id, ...(rule.match(/`[^`]+`/g) ?? [])]);
  // Failures are masked as texts of JSON, and of a history only what the target has said.
  const quoted = wordsOf(shippedSchema('failure')).map((word) => JSON.stringify(word));
  const words = [...names, ...wordsOf(shippedSchema('report')), ...quoted];
  if (words.every((word) => text(word) === word)) return;
  throw new UsageError(
    `${whose} is, or nearly is, a word of the job API or of report files. Keys are hidden everywhere, and without this word no report could be read: give the server a key that is harder to guess`,
  );
}

/** Names of members, and the values that they are limited to. */
function wordsOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf);
  if (!isObject(schema)) return [];
  const { properties, enum: values = [], const: value } = schema;
  const own = [...Object.keys(properties ?? {}), ...(values as unknown[]), value];
  return [...own.filter((word) => typeof word === 'string'), ...Object.values(schema).flatMap(wordsOf)];
}
