/** The thread that judges and reports a run. Its answers depend only on what it is asked and on when it is stopped. */
import { threadKind, type Outside } from '../threads/thread.js';
import { Concluder, type Shrunk } from './concluder.js';

/** Tells each failure as soon as it is shrunk. */
export class ThreadConcluder extends Concluder {
  readonly #outside: Outside<Shrunk>;

  constructor(outside: Outside<Shrunk>) {
    super();
    this.#outside = outside;
  }

  override shrink(
    stop = this.#outside.isStopped,
    onFound = this.#outside.tell,
    only: readonly string[] | null = null,
  ): number {
    return super.shrink(stop, onFound, only);
  }
}

export const CONCLUDING = threadKind({
  name: 'conclude',
  file: new URL('./conclude-worker.js', import.meta.url),
  // Enough for the garbage of judging one run.
  limits: { maxYoungGenerationSizeMb: 32 },
  create: (_: null, outside: Outside<Shrunk>) => new ThreadConcluder(outside),
});
