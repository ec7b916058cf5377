import type { Engine } from './engine.js';

/** JSON as text in the data of a job: PostgreSQL would put the members of an object into another order. */
export interface JsonText {
  readonly text: string;
}

export const textOf = (value: unknown): JsonText => ({ text: JSON.stringify(value) });

export const valueIn = <T>({ text }: JsonText): T => JSON.parse(text) as T;

/** The records in a queue that no worker takes from; those removed meanwhile are left out. */
export async function recordsIn<T>(engine: Engine, index: string): Promise<readonly T[]> {
  const jobs = await engine.queue<JsonText, unknown>(index).getJobs(['waiting']);
  return jobs.filter((job) => job?.data !== undefined).map(({ data }) => valueIn<T>(data));
}
