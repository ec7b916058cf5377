/** How the tables of faults are written down. */
export interface Group<Id extends string> {
  readonly section: string;
  readonly sentence: string;
  readonly faults: Readonly<Record<Id, string>>;
}

/** Faults that break one and the same sentence. */
export function breaking<Id extends string>(
  section: string,
  sentence: string,
  faults: Readonly<Record<Id, string>>,
): Group<Id> {
  return { section, sentence, faults };
}

export type IdsOf<T> = T extends Group<infer Id> ? Id : never;
