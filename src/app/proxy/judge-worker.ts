/** The thread that judges what passes, so that a call never waits for it. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Seen } from '../../proxy/seen.js';
import { renderFormat, type Report } from '../../report/index.js';
import { renderContext } from '../conclude/render-context.js';
import { LiveJudge, type Alert, type LiveSettings, type LiveState } from './live-judge.js';
import { Recording } from './recording.js';
import type { Gap } from './untold.js';

/** `batch`: what was seen since; `missed`: how many calls have begun since that were not told; `finish`: nothing follows. */
export type JudgeTask =
  | { readonly batch: readonly Seen[]; readonly missed: number; readonly gap: Gap | null }
  | { readonly finish: true };

export interface FinishedReport {
  readonly report: Report;
  /** By their paths in the folder of the report. */
  readonly files: readonly { readonly file: string; readonly content: string }[];
}

export type JudgeAnswer =
  | { readonly taken: true }
  | Known
  | (Known & { readonly finished: FinishedReport | null });

interface Known {
  /** By requirement, as far as they are new. */
  readonly failing: ReturnType<LiveJudge['takeFailing']>;
  readonly alerts: readonly Alert[];
  readonly state: LiveState;
}

const LOOK_EVERY_MS = 1_000;
/** So long the jobs that are not over are judged at the end. */
const FINISH_MS = 8_000;
/** Judges what comes through the port until that is closed. */
export function serveJudge(port: MessagePort, settings: LiveSettings): void {
  const send = (answer: JudgeAnswer): void => port.postMessage(answer);
  const unrecorded = (reason: string): void => send(known([{ kind: 'unrecorded', reason }]));
  const recording = settings.record === undefined ? null : new Recording(settings.record, unrecorded);
  const judge = new LiveJudge(settings, (exchange) => recording?.add(exchange));
  const known = (alerts: readonly Alert[]): Known => ({
    failing: judge.takeFailing(),
    alerts,
    state: judge.state,
  });
  const look = (): void => {
    const { alerts, more } = judge.look(Date.now());
    send(known(alerts));
    timer = setTimeout(look, more ? 0 : LOOK_EVERY_MS);
  };
  let timer = setTimeout(look, LOOK_EVERY_MS);
  // Of the calls that are not told while some of them are under way.
  let missedInGap = 0;
  let openSinceMs: number | null = null;
  port.on('close', () => clearTimeout(timer));
  port.on('message', (task: JudgeTask) => {
    if ('finish' in task) {
      clearTimeout(timer);
      if (openSinceMs !== null) recording?.miss(missedInGap, openSinceMs, Date.now());
      recording?.close(Date.now(), judge.underWay);
      const { alerts } = judge.look(Date.now());
      const finished = reportOf(judge, settings);
      return send({ finished, ...known(alerts) });
    }
    const { batch, missed, gap } = task;
    missedInGap += missed;
    if (gap !== null) judge.miss(missed, gap);
    const alerts = batch.flatMap((seen) => judge.take(seen));
    openSinceMs = gap?.byMs === null ? gap.fromMs : null;
    if (gap !== null && gap.byMs !== null) {
      recording?.miss(missedInGap, gap.fromMs, gap.byMs);
      missedInGap = 0;
    }
    recording?.write(Date.now());
    send({ taken: true });
    if (alerts.length > 0) send(known(alerts));
  });
}

function reportOf(judge: LiveJudge, { formats, reader }: LiveSettings): FinishedReport | null {
  const endMs = performance.now() + FINISH_MS;
  for (const _ of judge.finish(Date.now())) if (performance.now() > endMs) break;
  const { finished } = judge;
  if (finished === null) return null;
  const { report, shown, scripts } = finished;
  const context = renderContext(shown, reader);
  const files = formats.flatMap((format) =>
    format === 'terminal' ? [] : [renderFormat(format, report, context)],
  );
  return { report, files: [...files, ...[...scripts].map(([file, content]) => ({ file, content }))] };
}

if (parentPort !== null) serveJudge(parentPort, workerData as LiveSettings);
