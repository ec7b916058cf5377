import { setFlagsFromString } from 'node:v8';

/** Later versions compile differently, and might not know the flags. */
const MEASURED_V8 = '11.';

/**
 * Makes the compiler of this process, and so of all its threads, optimize later and inline less. Playing and judging spend
 * their time in some thousand functions, none of which has more than a few percent: by default, compiling them takes each
 * thread longer than it saves within some ten thousand runs, and later code is no slower. Judging a recorded `check`
 * takes a fifth less CPU time so.
 */
export function compileLess(): void {
  if (!process.versions.v8.startsWith(MEASURED_V8)) return;
  // Bytes of bytecode; the defaults are 132 KiB and 920.
  setFlagsFromString('--interrupt-budget=300000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
}
