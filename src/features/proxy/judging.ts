/** Judges what passes, and records it where that is asked for. */
import { renderFormat } from '../../report/formats/index.js';
import type { Outside } from '../../threads/thread.js';
import { renderContext } from '../../judging/render-context.js';
import { LiveJudge, type Alert, type LiveSettings } from '../../judging/live/live-judge.js';
import { Recording } from './recording.js';
import type { FinishedReport, JudgeMethods, Known } from './judge-worker.js';

const LOOK_EVERY_MS = 1_000;
/** So long the jobs that are not over are judged at the end. */
const FINISH_MS = 8_000;

export function judging(settings: LiveSettings, { tell, stopped }: Outside<Known>): JudgeMethods {
  const unrecorded = (reason: string): void => tell(known([{ kind: 'unrecorded', reason }]));
  const recording = settings.record === undefined ? null : new Recording(settings.record, unrecorded);
  const judge = new LiveJudge(settings, (exchange) => recording?.add(exchange));
  const known = (alerts: readonly Alert[]): Known => ({
    failing: judge.takeFailing(),
    alerts,
    state: judge.state,
  });
  const look = (): void => {
    const { alerts, more } = judge.look(Date.now());
    tell(known(alerts));
    timer = setTimeout(look, more ? 0 : LOOK_EVERY_MS);
  };
  let timer = setTimeout(look, LOOK_EVERY_MS);
  // Of the calls that are not told while some of them are under way.
  let missedInGap = 0;
  let openSinceMs: number | null = null;
  stopped.addEventListener('abort', () => clearTimeout(timer));
  if (stopped.aborted) clearTimeout(timer);
  return {
    take(batch, missed, gap) {
      missedInGap += missed;
      if (gap !== null) judge.miss(missed, gap);
      const alerts = batch.flatMap((exchange) => judge.take(exchange));
      openSinceMs = gap?.byMs === null ? gap.fromMs : null;
      if (gap !== null && gap.byMs !== null) {
        recording?.miss(missedInGap, gap.fromMs, gap.byMs);
        missedInGap = 0;
      }
      recording?.write(Date.now());
      if (alerts.length > 0) tell(known(alerts));
    },
    finish() {
      clearTimeout(timer);
      if (openSinceMs !== null) recording?.miss(missedInGap, openSinceMs, Date.now());
      recording?.close(Date.now(), judge.underWay);
      const { alerts } = judge.look(Date.now());
      const finished = reportOf(judge, settings);
      tell(known(alerts));
      return finished;
    },
  };
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
