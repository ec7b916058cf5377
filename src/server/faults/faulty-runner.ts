import { endsRun } from '../../worker/scripted-worker.js';
import { stepOf, type CreateRunner, type StartEffect, type WorkTimer } from '../handlers/handler-runner.js';
import type { Fault, Faults } from './faults.js';

/**
 * A runner whose workers crash, fail jobs or start late, as the faults say. With an effect, the delay is the
 * time until it: the handler runs meanwhile. Delays pass on the endpoint's clock.
 */
export function createFaultyRunner(createRunner: CreateRunner, faults: Faults): CreateRunner {
  return (ports) => {
    /** The fault to come of each run. */
    const timers = new Map<number, WorkTimer>();
    const forget = (attempt: number): void => {
      timers.get(attempt)?.cancel();
      timers.delete(attempt);
    };
    const runner = createRunner({
      ...ports,
      report(attempt, report) {
        if (endsRun(report)) forget(attempt);
        ports.report(attempt, report);
      },
    });

    function happen({ attempt, job }: StartEffect, fault: Fault): void {
      faults.record('worker', job, fault);
      runner.stop(attempt);
      const message = `fault injected by serve: ${fault.text}`;
      ports.report(attempt, fault.effect?.kind === 'fail' ? { kind: 'error', message } : { kind: 'crash' });
    }

    return {
      start(effect) {
        const { attempt } = effect;
        const fault = faults.ofRun();
        if (fault === null) return runner.start(effect);
        const isLateOnly = fault.effect === null;
        timers.set(
          attempt,
          ports.after(
            fault.delayMs,
            () => {
              timers.delete(attempt);
              if (isLateOnly) runner.start(effect);
              else happen(effect, fault);
            },
            stepOf(effect, isLateOnly ? 'start' : 'fault'),
          ),
        );
        if (isLateOnly) faults.record('worker', effect.job, fault);
        else if (fault.delayMs > 0) runner.start(effect);
      },
      stop(attempt) {
        forget(attempt);
        runner.stop(attempt);
      },
      settling: () => runner.settling(),
      askEnded: (endpoint, worker) => runner.askEnded?.(endpoint, worker),
      close() {
        for (const attempt of [...timers.keys()]) forget(attempt);
        runner.close();
      },
    };
  };
}
