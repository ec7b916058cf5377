/**
 * `specs/run/` promises to run the specs, each at the time and in the company that it needs, and to tell what failed. It
 * changes nothing in what they assert.
 *
 * What a spec file needs is said by the end of its name:
 *
 * - `x.spec.ts` is **pure**: it opens no socket, starts no process and no thread, and waits for no real time.
 * - `x.waits.spec.ts` does some of that. Its tests depend on real time, so that they may be disturbed by what runs beside
 *   them.
 * - `x.long.spec.ts` may do everything, and takes longer than `SECONDS_MAX`.
 *
 * `x.own.spec.ts`, or `.own` before one of the other endings, has a process of its own: it changes what all code of
 * a process shares, such as its timers or its globals.
 */
export const KINDS = ['pure', 'waits', 'long'] as const;
export type Kind = (typeof KINDS)[number];

/** What a file outside `long` may take, in seconds of processor time, and again of waiting, where it is recorded. */
export const SECONDS_MAX = 5;
/** Beside other files it may compute this many times as long: processors share what they are made of. */
export const BESIDE_OTHERS = 2;
export const TOO_LONG = 'make it quicker, or end its name with .long.spec.ts';

export function kindOf(path: string): Kind {
  return KINDS.find((kind) => path.endsWith(`.${kind}.spec.ts`)) ?? 'pure';
}

/** Which files belong to a project of vitest: of a kind, in a process of their own or not. */
export function globsOf(kind: Kind, own: boolean): { include: string[]; exclude: string[] } {
  const ending = kind === 'pure' ? '.spec.ts' : `.${kind}.spec.ts`;
  const others = kind === 'pure' ? ['specs/**/*.waits.spec.ts', 'specs/**/*.long.spec.ts'] : [];
  return own
    ? { include: [`specs/**/*.own${ending}`], exclude: [] }
    : { include: [`specs/**/*${ending}`], exclude: [`specs/**/*.own${ending}`, ...others] };
}
