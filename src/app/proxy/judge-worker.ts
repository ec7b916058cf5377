/** The thread that judges what passes, so that a call never waits for it. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Seen } from '../../proxy/seen.js';
import { renderFormat, type Report } from '../../report/index.js';
import { renderContext } from '../conclude/render-context.js';
import { LiveJudge, type Alert, type LiveSettings, type LiveState } from './live-judge.js';

/** `batch`: what was seen since, and how many calls were not told; `finish`: nothing follows. */
export type JudgeTask =
  { readonly batch: readonly Seen[]; readonly missed: number } | { readonly finish: true };

export interface FinishedReport {
  readonly report: Report;
  readonly files: readonly { readonly file: string; readonly content: string }[];
}

export type JudgeAnswer =
  | { readonly taken: number }
  | { readonly alerts: readonly Alert[]; readonly state: LiveState }
  | {
      readonly finished: FinishedReport | null;
      readonly alerts: readonly Alert[];
      readonly state: LiveState;
    };

const LOOK_EVERY_MS = 1_000;
/** On one core, calls come first. */
const NICE = 10;

if (parentPort !== null) {
  const port = parentPort;
  try {
    setPriority(0, NICE);
  } catch {
    // Not everywhere may a thread be polite.
  }
  const judge = new LiveJudge(workerData as LiveSettings);
  const send = (answer: JudgeAnswer): void => port.postMessage(answer);
  const look = (): void => {
    const { alerts, more } = judge.look(Date.now());
    send({ alerts, state: judge.state });
    setTimeout(look, more ? 0 : LOOK_EVERY_MS);
  };
  setTimeout(look, LOOK_EVERY_MS);
  port.on('message', (task: JudgeTask) => {
    if ('finish' in task) {
      const { alerts } = judge.look(Date.now());
      const finished = judge.finish(Date.now());
      const files =
        finished === null
          ? null
          : {
              report: finished.report,
              files: (['json', 'html'] as const).map((format) =>
                renderFormat(format, finished.report, renderContext(finished.shown)),
              ),
            };
      return send({ finished: files, alerts, state: judge.state });
    }
    if (task.missed > 0) judge.miss(task.missed);
    const alerts = task.batch.flatMap((seen) => judge.take(seen));
    send({ taken: task.batch.length });
    if (alerts.length > 0) send({ alerts, state: judge.state });
  });
}
