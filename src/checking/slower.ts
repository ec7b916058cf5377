/** What is told of a target that refuses calls with 429 although no limit of section 8 explains it. */
import type { RunSummary } from '../target/port.js';

/** While the run goes on. */
export const slowerNow = (callsPerSecond: number): string =>
  `the target refused calls with 429; calls are now spaced at ${inWords(callsPerSecond)} a second`;

/** In the report; nothing where calls were never made fewer. */
export function slowerAtLast({ slowestCallsPerSecond }: RunSummary): readonly string[] {
  if (slowestCallsPerSecond === undefined) return [];
  const most = inWords(slowestCallsPerSecond);
  return [
    'the target refused calls with 429 that no limit of section 8 explains, so calls were spaced, ' +
      `at ${most} a second at the slowest. What was refused decides nothing: --calls-per-second ${most} makes no more from the start`,
  ];
}

const inWords = (callsPerSecond: number): string =>
  callsPerSecond < 10 ? `${Math.floor(10 * callsPerSecond) / 10}` : `${Math.floor(callsPerSecond)}`;
