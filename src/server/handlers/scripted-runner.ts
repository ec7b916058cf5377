import { endsRun, scriptedWorker, type WorkerTimeline } from '../../worker/scripted-worker.js';
import type { CreateRunner, WorkTimer } from './handler-runner.js';

/** Runs the scripted worker on the endpoint's clock: a step without a delay is taken at once. */
export const createScriptedRunner: CreateRunner = (ports) => {
  /** Attempts in progress, each with the timer of its next step; null while it hangs or takes a step. */
  const running = new Map<number, WorkTimer | null>();

  function runSteps(attempt: number, timeline: WorkerTimeline, first: number): void {
    for (let index = first; index < timeline.length; index++) {
      const { afterMs, report } = timeline[index]!;
      if (afterMs > 0 && index !== first) return wait(attempt, timeline, index);
      if (endsRun(report)) running.delete(attempt);
      ports.report(attempt, report);
      // The report itself may have ended the attempt.
      if (!running.has(attempt)) return;
    }
  }

  function wait(attempt: number, timeline: WorkerTimeline, index: number): void {
    running.set(
      attempt,
      ports.after(timeline[index]!.afterMs, () => {
        running.set(attempt, null);
        runSteps(attempt, timeline, index);
      }),
    );
  }

  return {
    start(effect) {
      const timeline = scriptedWorker(effect);
      running.set(effect.attempt, null);
      if ((timeline[0]?.afterMs ?? 0) > 0) wait(effect.attempt, timeline, 0);
      else runSteps(effect.attempt, timeline, 0);
    },
    stop(attempt) {
      running.get(attempt)?.cancel();
      running.delete(attempt);
    },
    settling: () => null,
    close() {
      for (const timer of running.values()) timer?.cancel();
      running.clear();
    },
  };
};
