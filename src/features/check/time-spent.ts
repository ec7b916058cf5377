/** Where the time of a command went, as its user waited for it. */
import { formatDuration } from '../../report/formatting.js';

/** Parts that take less are not worth naming. */
const NAMED_MS = 100;

export class TimeSpent {
  private readonly parts = new Map<string, number>();
  private readonly nowMs: () => number;
  private what: string;
  private sinceMs: number;

  /** `what` it has gone into since `sinceMs`. */
  constructor(nowMs: () => number, what: string, sinceMs = nowMs()) {
    this.nowMs = nowMs;
    this.what = what;
    this.sinceMs = sinceMs;
  }

  /** From now on the time goes into this. */
  begin(what: string): void {
    const nowMs = this.nowMs();
    this.parts.set(this.what, (this.parts.get(this.what) ?? 0) + nowMs - this.sinceMs);
    this.what = what;
    this.sinceMs = nowMs;
  }

  /** `31.2 s (planning 1.1 s, running 27.3 s, judging 2.8 s)`. */
  text(): string {
    this.begin(this.what);
    const all = [...this.parts.values()].reduce((sum, ms) => sum + ms, 0);
    const named = [...this.parts].filter(([, ms]) => ms >= NAMED_MS);
    const parts = named.map(([what, ms]) => `${what} ${formatDuration(ms)}`);
    return `${formatDuration(all)}${parts.length < 2 ? '' : ` (${parts.join(', ')})`}`;
  }
}
