import { formatDuration } from '../report/formatting.js';
import type { CheckTargetOptions } from './check-options.js';

/**
 * Says how far a check is, each time that so many ms have passed since it last said anything. Once it has, it also says when
 * a phase begins: none reports how far it is, and the longest would pass in silence.
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
  const tell = (where: string, pauseMs = everyMs): void => {
    const now = nowMs();
    if (now - saidMs < pauseMs) return;
    saidMs = now;
    say(`${where} after ${formatDuration(now - begunMs)}`);
  };
  return {
    onProgress: ({ ended, total }) => tell(`${ended} of ${total} scripts`),
    onPhase: (phase) => tell(phase, saidMs > begunMs ? 0 : everyMs),
  };
}
