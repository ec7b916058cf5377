/** What the sources do in one place only, so that it is done in one way. */
import { importsOf } from './imports.js';
import type { Source } from './sources.js';

interface Once {
  /** What a second place must not do. */
  readonly what: string;
  /** The files and folders that may. */
  readonly only: readonly string[];
  readonly found: (source: Source) => boolean;
}

export const ONCE: readonly Once[] = [
  {
    what: 'starts or serves a thread by itself: use src/threads/',
    only: ['src/threads/'],
    found: (source) => importsOf(source).some(({ from }) => /^(node:)?worker_threads$/.test(from ?? '')),
  },
];

/** What a source does that another file is there for, one message each. */
export const secondPlaces = (source: Source): readonly string[] =>
  ONCE.filter(({ only, found }) => !only.some((path) => source.path.startsWith(path)) && found(source)).map(
    ({ what }) => `${source.path} ${what}`,
  );
