/** Times in words. */
const two = (amount: number): string => String(Math.floor(amount)).padStart(2, '0');

/** A duration at a glance: 4.2 s, 1 min 40 s, 2 h 05 min, 1 d 03 h. */
export function span(ms: number | null): string {
  if (ms === null) return '–';
  const s = Math.max(0, ms) / 1_000;
  if (s < 100) return `${s.toFixed(1)} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
  if (s < 86_400) return `${Math.floor(s / 3_600)} h ${two((s / 60) % 60)} min`;
  return `${Math.floor(s / 86_400)} d ${two((s / 3_600) % 24)} h`;
}

/** Without a remainder of zero: 3 s, 30 min, 1 d. */
export const brief = (ms: number): string => span(ms).replace(/\.0(?= s$)| 00 (s|min|h)$/, '');

/** An instant of the controlled clock: 1 d 02:03:04.005. */
export function clockTime(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const time = [(ms / 3_600_000) % 24, (ms / 60_000) % 60, (ms / 1_000) % 60].map(two).join(':');
  return `${days > 0 ? `${days} d ` : ''}${time}.${String(ms % 1_000).padStart(3, '0')}`;
}
