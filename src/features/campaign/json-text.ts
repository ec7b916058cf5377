import { isObject, jsonIn } from '../../util/json.js';
import { violationOf, type Schema } from '../../util/json-schema.js';
import { UsageError } from '../../util/errors.js';
import type { Engine } from './engine.js';
import { whyOtherVersion } from './other-version.js';

/** JSON as text in the data of a job: PostgreSQL would put the members of an object into another order. */
export interface JsonText {
  readonly text: string;
}

export const textOf = (value: unknown): JsonText => ({ text: JSON.stringify(value) });

/** @throws {UsageError} if it is not what the schema says; `name` says what is damaged */
export function valueIn<T>(data: unknown, schema: Schema, name: string): T {
  const value = recordIn(data);
  const violation = violationOf(value, schema);
  if (violation === null) return value as T;
  throw new UsageError(`${name} is damaged on the server: ${violation}. Remove it there, and start it again`);
}

const recordIn = (data: unknown): unknown =>
  isObject(data) && typeof data['text'] === 'string' ? jsonIn(data['text']) : undefined;

/** The records in a queue that no worker takes from; those removed meanwhile are left out, and so is what does not match the schema. */
export async function recordsIn<T>(engine: Engine, index: string, schema: Schema): Promise<readonly T[]> {
  const jobs = await engine.queue<JsonText, unknown>(index).getJobs(['waiting']);
  return jobs
    .filter((job) => job?.data !== undefined)
    .flatMap(({ id, data }) => {
      try {
        return [valueIn<T>(data, schema, `${id ?? 'a record'} in the queue ${index}`)];
      } catch (error) {
        // What another version wrote may look otherwise, and is not damaged.
        engine.warn(whyOtherVersion(id ?? 'a record', recordIn(data)) ?? (error as UsageError).message);
        return [];
      }
    });
}
