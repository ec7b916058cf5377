/** The thread that judges what passes, so that a call never waits for it. */
import { setPriority } from 'node:os';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Seen } from '../../proxy/seen.js';
import { renderFormat, type Report } from '../../report/index.js';
import { renderContext } from '../conclude/render-context.js';
import { LiveJudge, type Alert, type LiveSettings, type LiveState } from './live-judge.js';
import { Recording } from './recording.js';

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

const FORMATS = ['json', 'html'] as const;
const LOOK_EVERY_MS = 1_000;
/** So long the jobs that are not over are judged at the end. */
const FINISH_MS = 8_000;
/** On one core, calls come first. */
const NICE = 10;

/** Judges what comes through the port until that is closed. */
export function serveJudge(port: MessagePort, settings: LiveSettings): void {
  const send = (answer: JudgeAnswer): void => port.postMessage(answer);
  const unrecorded = (reason: string): void =>
    send({ alerts: [{ kind: 'unrecorded', reason }], state: judge.state });
  const recording = settings.record === undefined ? null : new Recording(settings.record, unrecorded);
  const judge = new LiveJudge(settings, (exchange) => recording?.add(exchange));
  const look = (): void => {
    const { alerts, more } = judge.look(Date.now());
    send({ alerts, state: judge.state });
    timer = setTimeout(look, more ? 0 : LOOK_EVERY_MS);
  };
  let timer = setTimeout(look, LOOK_EVERY_MS);
  port.on('close', () => clearTimeout(timer));
  port.on('message', (task: JudgeTask) => {
    if ('finish' in task) {
      clearTimeout(timer);
      recording?.close(Date.now(), judge.underWay);
      const { alerts } = judge.look(Date.now());
      return send({ finished: reportOf(judge), alerts, state: judge.state });
    }
    if (task.missed > 0) judge.miss(task.missed);
    recording?.miss(task.missed);
    const alerts = task.batch.flatMap((seen) => judge.take(seen));
    recording?.write(Date.now());
    send({ taken: task.batch.length });
    if (alerts.length > 0) send({ alerts, state: judge.state });
  });
}

function reportOf(judge: LiveJudge): FinishedReport | null {
  const endMs = performance.now() + FINISH_MS;
  for (const _ of judge.finish(Date.now())) if (performance.now() > endMs) break;
  const { finished } = judge;
  if (finished === null) return null;
  const { report, shown } = finished;
  const context = renderContext(shown);
  return { report, files: FORMATS.map((format) => renderFormat(format, report, context)) };
}

if (parentPort !== null) {
  try {
    setPriority(0, NICE);
  } catch {
    // Not everywhere may a thread be polite.
  }
  serveJudge(parentPort, workerData as LiveSettings);
}
