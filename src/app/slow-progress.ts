import { formatDuration } from '../report/formatting.js';
import type { CheckTargetOptions } from './check-options.js';

/**
 * Says how far a check is, each time that so many ms have passed since it last said anything.
 *
 * @param nowMs real time: that of the process may be faked by what is checked
 */
export function slowProgress(
  everyMs: number,
  nowMs: () => number,
  say: (line: string) => void,
): Pick<CheckTargetOptions, 'onProgress' | 'onPhase'> {
  const begunMs = nowMs();
  let saidMs = begunMs;
  const tell = (where: string): void => {
    const now = nowMs();
    if (now - saidMs < everyMs) return;
    saidMs = now;
    say(`${where} after ${formatDuration(now - begunMs)}`);
  };
  return {
    onProgress: ({ ended, total }) => tell(`${ended} of ${total} scripts`),
    onPhase: (phase) => tell(phase),
  };
}
