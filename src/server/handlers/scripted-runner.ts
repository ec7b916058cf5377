import { endsRun, scriptedWorker, type WorkerTimeline } from '../../worker/scripted-worker.js';
import {
  stepOf,
  type CreateRunner,
  type StartEffect,
  type WorkStep,
  type WorkTimer,
} from './handler-runner.js';

/** Runs the scripted worker on the endpoint's clock: a step without a delay is taken at once. */
export const createScriptedRunner: CreateRunner = (ports) => {
  /** Attempts in progress, each with the timer of its next step; null while it hangs or takes a step. */
  const running = new Map<number, WorkTimer | null>();

  function runSteps(effect: StartEffect, timeline: WorkerTimeline, first: number): void {
    const { attempt } = effect;
    for (let index = first; index < timeline.length; index++) {
      const { afterMs, report } = timeline[index]!;
      if (afterMs > 0 && index !== first) return wait(effect, timeline, index);
      if (endsRun(report)) running.delete(attempt);
      ports.report(attempt, report);
      // The report itself may have ended the attempt.
      if (!running.has(attempt)) return;
    }
  }

  function wait(effect: StartEffect, timeline: WorkerTimeline, index: number): void {
    const { attempt } = effect;
    running.set(
      attempt,
      ports.after(
        timeline[index]!.afterMs,
        () => {
          running.set(attempt, null);
          runSteps(effect, timeline, index);
        },
        stepOf(effect, timeline[index]!.report.kind, endAfter(timeline, index)),
      ),
    );
  }

  return {
    start(effect) {
      const timeline = scriptedWorker(effect);
      running.set(effect.attempt, null);
      if ((timeline[0]?.afterMs ?? 0) > 0) wait(effect, timeline, 0);
      else runSteps(effect, timeline, 0);
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

/** The end of the run after this step; null when this step is the end, or when the run hangs. */
function endAfter(timeline: WorkerTimeline, index: number): WorkStep['end'] {
  const rest = timeline.slice(index + 1);
  const last = rest.at(-1);
  if (last === undefined || !endsRun(last.report)) return null;
  return { does: last.report.kind, afterMs: rest.reduce((sum, { afterMs }) => sum + afterMs, 0) };
}
