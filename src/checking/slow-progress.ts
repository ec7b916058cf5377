import { formatDuration } from '../report/formatting.js';
import type { CheckTargetOptions } from './check-options.js';

/** Real time: that of the process may be faked by what is checked. */
interface RealTime {
  nowMs(): number;
  /** Calls back again and again; `refresh` begins the pause anew. */
  every(ms: number, callback: () => void): { refresh(): unknown; stop(): void };
}

interface SlowProgress {
  readonly onProgress: NonNullable<CheckTargetOptions['onProgress']>;
  readonly onPhase: NonNullable<CheckTargetOptions['onPhase']>;
  /** The check has ended. */
  stop(): void;
}

/** Where nothing happens, it says so no more often. */
const STILL_MS = 1_000;

/**
 * Says how far a check is, each time that so many ms have passed since it last said anything, whether or not anything
 * happened meanwhile. Once it has, it also says when a phase begins.
 *
 * @param everyMs `Infinity`: nothing is said
 */
export function slowProgress(everyMs: number, time: RealTime, say: (line: string) => void): SlowProgress {
  const begunMs = time.nowMs();
  let saidMs = begunMs;
  let scripts = 'planning';
  let phase: string | null = null;
  let decided = '';
  const tell = (where: string, pauseMs: number): void => {
    const now = time.nowMs();
    if (now - saidMs < pauseMs) return;
    saidMs = now;
    timer?.refresh();
    say(`${where} after ${formatDuration(now - begunMs)}${decided}`);
  };
  const goesOn = (): void => tell(phase === null ? scripts : `still ${phase}`, 0);
  const timer = everyMs === Infinity ? null : time.every(Math.max(everyMs, STILL_MS), goesOn);
  return {
    onProgress({ ended, total }) {
      scripts = `${ended} of ${total} scripts`;
      tell(scripts, everyMs);
    },
    onPhase(next, decidedByNow) {
      phase = next;
      decided = decidedByNow === null ? '' : `, ${decidedByNow} required rules decided`;
      tell(phase, saidMs > begunMs ? 0 : everyMs);
    },
    stop: () => timer?.stop(),
  };
}
