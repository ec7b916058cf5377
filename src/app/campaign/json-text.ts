/** JSON as text in the data of a job: PostgreSQL would put the members of an object into another order. */
export interface JsonText {
  readonly text: string;
}

export const textOf = (value: unknown): JsonText => ({ text: JSON.stringify(value) });

export const valueIn = <T>({ text }: JsonText): T => JSON.parse(text) as T;
