import type { ControlledClock } from '../clock/controlled-clock.js';
import type { HostView } from '../host-view.js';

/** How long, in real time, a handler may take to end its job or to wait for the clock. */
const AT_WORK_MAX_MS = 5_000;
const LOOK_EVERY_MS = 20;
/** Steps of workers that are looked through. */
const STEPS_MAX = 1_000;

/**
 * Advances the clock until a job has ended or was deleted.
 * @param ownHandler the built-in workers run a handler of the user: while it computes or waits for something
 * other than the clock, the clock stands, as the next event may be the job's timeout
 */
export function untilEnded(
  clock: ControlledClock,
  view: () => HostView,
  ownHandler: boolean,
): (endpoint: string, id: string) => Promise<boolean> {
  const isAtWork = (endpoint: string, id: string): boolean => {
    const { service, steps } = view();
    const job = service.job(endpoint, id);
    if (job?.status !== 'IN_PROGRESS' || !(ownHandler || job.external)) return false;
    return !steps(STEPS_MAX).some(({ step }) => step.job === id);
  };
  return (endpoint, id) => {
    let leftMs = AT_WORK_MAX_MS;
    const ready = async (): Promise<void> => {
      for (; leftMs > 0 && isAtWork(endpoint, id); leftMs -= LOOK_EVERY_MS)
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    };
    return clock.advanceUntil(() => view().service.job(endpoint, id)?.endedMs !== null, ready);
  };
}
