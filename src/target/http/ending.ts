/** How long a run may take to come to its end once it was told to: whoever waits for it has had enough. */

/** Real ms in which jobs are ended, from the signal on: then no call is waited for any more. */
export const ENDING_MS = 1_350;
/** Of these: how long answers are waited for that tell which jobs there are. The shortest `wait` is a second. */
export const LEARNING_MS = 1_050;

/** Calls `stop` so long after the signal. Returns the way to forget it. */
export function stopAfter(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer ??= setTimeout(stop, ENDING_MS);
  };
  if (signal.aborted) start();
  signal.addEventListener('abort', start);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', start);
  };
}
