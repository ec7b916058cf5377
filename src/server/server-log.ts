/** What `serve --log` prints and `runproof log` asks for: calls and attempts of webhooks once they have ended, and faults. */
import { kept } from './calls/call-log.js';
import type { LogEntry } from './logged-call.js';
import type { ServerObserver } from './observer.js';
import type { AppOptions } from './options.js';

type Content<Entry = LogEntry> = Entry extends LogEntry ? Omit<Entry, 'number' | 'time'> : never;

const ENTRIES_MAX = 1_000;

export interface ServerLog extends Required<Pick<ServerObserver, 'webhookCalled'>> {
  /** Where webhooks go in place of their addresses; null: to their addresses. */
  readonly forwardedTo: string | null;
  add(content: Content, atMs: number): void;
  /** Of the last 1,000 entries those after this one; all, if it is none of this server. */
  after(number: number): readonly LogEntry[];
  /** The number of the newest entry; 0 without one. */
  last(): number;
}

/** @param hasCalendar the endpoint's clock shows dates */
export function createServerLog(
  { clock, speed, onLog, bodies, forwardWebhooks }: AppOptions,
  hasCalendar: boolean,
): ServerLog {
  const entries: LogEntry[] = [];
  const forwardedTo = forwardWebhooks === undefined ? null : shownUrl(forwardWebhooks);
  let number = 0;
  const timeOf = (atMs: number): string | number => {
    if (clock !== 'controlled' && speed === undefined) return new Date().toISOString();
    return speed !== undefined && hasCalendar ? new Date(atMs).toISOString() : atMs;
  };
  const add = (content: Content, atMs: number): void => {
    const entry: LogEntry = { number: ++number, time: timeOf(atMs), ...content };
    entries.push(entry);
    if (entries.length > ENTRIES_MAX) entries.shift();
    onLog?.(entry);
  };
  return {
    ...{ forwardedTo, add },
    after: (from) => entries.filter((entry) => from > number || entry.number > from),
    last: () => number,
    webhookCalled({ job, url, body, ...at }) {
      const startMs = performance.now();
      return (end) => {
        const tookMs = Math.round(performance.now() - startMs);
        const request = bodies === true ? kept(JSON.stringify(body)) : null;
        add({ webhook: { job, url: shownUrl(url), forwardedTo, ...at, ...end, tookMs, request } }, at.atMs);
      };
    },
  };
}

/** What may be a secret is left out. */
export const shownUrl = (url: string): string =>
  url.replace(/([?#]).*$/su, '$1…').replace(/^([^:]*:)[\\/]*[^\\/]*@/u, '$1//');
