/** The chart of an endpoint's jobs that wait and run. */
import type { DepthPoint } from '../../server/page/queue-depths.js';
import { page } from './page.js';
import { brief } from './times.js';

const WIDTH = 600;
const HEIGHT = 64;
/** How long ago the chart begins at most, on a real clock, in real ms. */
const CHART_MS = 300_000;
const KINDS = ['waiting', 'running'];

/** Where each instant is: to scale, or, where the clock jumps, by the logarithm of the time since the one before. */
function placesOf(times: readonly number[], isReal: boolean): readonly number[] {
  let sum = 0;
  const sums = times.map((ms, at) => {
    const gapMs = ms - (times[at - 1] ?? ms);
    return (sum += isReal || at === 0 ? gapMs : Math.log2(2 + gapMs));
  });
  return sums.map((each) => (sum === 0 ? 0 : (each / sum) * WIDTH));
}

/** @param points from which instant on how many jobs waited and ran */
export function Depth({ points }: { readonly points: readonly DepthPoint[] }) {
  const { clock, speed, nowMs } = page.state!;
  const isReal = clock === 'real';
  const fromMs = Math.max(points[0]?.[0] ?? 0, isReal ? nowMs - CHART_MS * speed : 0);
  const first = points.findLastIndex(([atMs]) => atMs <= fromMs);
  const shown = points.slice(Math.max(0, first));
  if (shown.length < 2 && !shown.some(([, waiting, running]) => waiting + running > 0)) return null;
  const places = placesOf(
    [...shown.map(([atMs]) => Math.max(fromMs, atMs)), Math.max(fromMs, nowMs)],
    isReal,
  );
  const charts = KINDS.map((kind, at) => {
    const counts = shown.map((point) => point[at + 1]!);
    return { kind, counts, most: Math.max(...counts) };
  });
  const high = Math.max(1, ...charts.map(({ most }) => most));
  const pathOf = (counts: readonly number[]): string => {
    const steps = counts.map((count, index) => {
      const y = HEIGHT - (count / high) * HEIGHT;
      return `V${y.toFixed(1)}H${places[index + 1]!.toFixed(1)}`;
    });
    return `M0 ${HEIGHT}${steps.join('')}V${HEIGHT}`;
  };
  const words = charts.map(({ kind, counts, most }) => ` ${kind} ${counts.at(-1)}, at most ${most}`);
  const over = ` over the last ${brief(nowMs - fromMs)}${isReal ? '' : ' (gaps to a logarithmic scale)'}`;
  return (
    <figure class="depth">
      <svg
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Jobs${words.join(';')}${over}`}
      >
        {charts.map(({ kind, counts }) => (
          <path class={kind} d={pathOf(counts)} />
        ))}
      </svg>
      <figcaption class="soft">
        {charts.map(({ kind }, at) => (
          <span>
            <span class={`key ${kind}`} aria-hidden="true">
              ■
            </span>
            {words[at]}{' '}
          </span>
        ))}
        {over}
      </figcaption>
    </figure>
  );
}
