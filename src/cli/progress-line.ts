/** One line of progress, for a terminal of any width. */

const BAR_MAX = 24;
const BAR_MIN = 6;
/** Below this width there is no bar. */
const WIDTH_WITH_BAR = 36;
/** Before so much has run, no time that is left is named. */
const TELLING_MS = 3_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A bar and the parts, as many as fit in one line; the last one that fits only in part is cut.
 *
 * @param share what is done, 0 to 1; null for no bar
 * @param columns of the terminal; its last column stays free, or some terminals would wrap
 */
export function fitted(share: number | null, parts: readonly string[], columns: number): string {
  const width = Math.max(1, columns - 1);
  const cells = Math.max(BAR_MIN, Math.min(BAR_MAX, Math.floor(width / 4)));
  const done = Math.floor((share ?? 0) * cells);
  const bar =
    share === null || width < WIDTH_WITH_BAR ? '' : `${'█'.repeat(done)}${'░'.repeat(cells - done)} `;
  const line = `${bar}${parts.join('  ')}`;
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/**
 * How much longer it takes at the pace so far; null while too little has run to tell.
 *
 * @param share what is done, 0 to 1
 */
export function leftAtPace(tookMs: number, share: number): number | null {
  return tookMs < TELLING_MS || share === 0 ? null : (tookMs * (1 - share)) / share;
}

/** A duration ahead, as people say it: `about 40 s`, `about 3 min`, `about 1 h 20 min`. */
export function roughly(ms: number): string {
  if (ms < 10_000) return 'a few seconds';
  if (ms < 90_000) return `about ${Math.round(ms / 10_000) * 10} s`;
  if (ms < HOUR_MS) return `about ${Math.round(ms / MINUTE_MS)} min`;
  const minutes = Math.round((ms % HOUR_MS) / (10 * MINUTE_MS)) * 10;
  const hours = Math.floor(ms / HOUR_MS) + (minutes === 60 ? 1 : 0);
  return `about ${hours} h${minutes === 0 || minutes === 60 ? '' : ` ${minutes} min`}`;
}
