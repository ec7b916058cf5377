/** How much too early a timer may seem to strike where the target's clock is not the harness's own. */

/** By so much may two clocks go apart while NTP sets one of them right. */
const DRIFT_PPM = 500;

/** For a timer of so many ms; `earlyMs`: what rounding allows, 0 where both go by one clock. */
export function earlyFor(earlyMs: number, ms: number): number {
  return earlyMs === 0 || ms === Infinity ? earlyMs : earlyMs + Math.ceil((ms * DRIFT_PPM) / 1e6);
}
