/** The thread that judges what passes, so that a call never waits for it. What it does is loaded where it is done. */
import type { Exchange } from '../../history/exchange.js';
import type { Alert, LiveJudge, LiveSettings, LiveState } from '../../judging/live/live-judge.js';
import type { Gap } from '../../judging/live/untold.js';
import type { Report } from '../../report/index.js';
import { threadKind, type Outside } from '../../threads/thread.js';

export interface FinishedReport {
  readonly report: Report;
  /** By their paths in the folder of the report. */
  readonly files: readonly { readonly file: string; readonly content: string }[];
}

/** Told after what was seen, and every second. */
export interface Known {
  /** By requirement, as far as they are new. */
  readonly failing: ReturnType<LiveJudge['takeFailing']>;
  readonly alerts: readonly Alert[];
  readonly state: LiveState;
}

/** What the thread is asked. */
export interface JudgeMethods {
  /** @param missed how many calls have begun since the last time that were not told */
  take(batch: readonly Exchange<Uint8Array>[], missed: number, gap: Gap | null): void;
  /** Judges what is left; nothing follows. Null: no call of the API has passed. */
  finish(): FinishedReport | null;
}

export const JUDGING = threadKind({
  name: 'judge',
  file: new URL('./judge-worker.js', import.meta.url),
  limits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  create: async (settings: LiveSettings, outside: Outside<Known>): Promise<JudgeMethods> =>
    (await import('./judging.js')).judging(settings, outside),
});
