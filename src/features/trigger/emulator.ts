/** A running emulator of ours, its calls and its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findApiKey, keyInShell } from '../../cli/options/api-key.js';
import type { Io } from '../../cli/io.js';
import { findEmulator, type Answer } from '../../cli/running-emulator.js';
import { escapeControls } from '../../report/escape.js';
import { formatDuration, someOf } from '../../report/formatting.js';
import type { LogEntry, LoggedWebhook } from '../../server/logged-call.js';
import type { JobState, PageState } from '../../server/page/page-state.js';
import { LOCAL_API_KEY } from '../../spec/local-key.js';
import { UsageError } from '../../util/errors.js';
import type { TriggerSettings } from './index.js';

/** By then each event has happened, on the clock of the emulator. */
export const LIMIT_MS = 30_000;
/** A rate that is used up is free again after this time. */
export const RATE_MS = 10_000;
const LOOKS_EVERY_MS = 100;
/** What ends a job. */
const ENDS: readonly string[] = ['worker-success', 'worker-error', 'execution-timeout', 'ttl'];

interface LogPart {
  readonly entries: readonly LogEntry[];
}

export interface WebhookLog {
  /** The number of the newest entry. */
  readonly last: number;
  /** Where the emulator calls webhooks in place of their addresses; null: at these, or it shows no log. */
  readonly forwardedTo: string | null;
  readonly calls: readonly LoggedWebhook[];
}

export type Emulator = Awaited<ReturnType<typeof openEmulator>>;

/** @throws {UnreachableError} unless an emulator of ours answers there, and takes the key */
export async function openEmulator(settings: TriggerSettings, io: Io) {
  const found = await findEmulator(settings, io);
  const control = (path: string, body: object | null = null): Promise<Answer> =>
    found.ask(body === null ? 'GET' : 'POST', `/_control${path}`, body);
  const { features } = (await control('')).body;
  const isControlled = Array.isArray(features) && features.includes('clock');
  const clock = async (): Promise<{ readonly [name: string]: unknown }> => (await control('/clock')).body;
  /** As the page does: its token is in the page. */
  const page = async (method: 'GET' | 'POST', what: string, id: string): Promise<Answer> => {
    const { text } = await found.ask('GET', '/', null, { headers: { accept: 'text/html' } });
    const token = /name="runproof-token" content="([\w-]+)"/.exec(text)?.[1] ?? '';
    const query = new URLSearchParams({ endpoint: found.endpoint, id }).toString();
    return found.ask(method, `/_page/${what}?${query}`, null, { headers: { 'x-runproof-page': token } });
  };
  const begunMs = isControlled ? Number((await clock())['nowMs']) : io.monotonicMs();
  let nowMs = begunMs;
  const key = findApiKey(settings, io) === undefined ? LOCAL_API_KEY : keyInShell(settings, io.cwd);
  const speed = isControlled ? 1 : found.speed;
  const passedMs = (): number => Math.round(((isControlled ? nowMs : io.monotonicMs()) - begunMs) * speed);
  return {
    ...{ ...found, isControlled, passedMs },
    /** Prints a line with the time. */
    say: (line: string) => io.note(`${formatDuration(passedMs()).padStart(9)}  ${escapeControls(line)}\n`),
    /** A line for the shell. */
    commandToAdvance: (byMs: number) =>
      `curl -d '{"byMs":${byMs}}' -H "authorization: ${key}" ${found.origin}/_control/clock/advance`,
    /** The id of the only job whose id begins so, as far as the page lists jobs; otherwise what is given. */
    async jobBeginning(start: string): Promise<string> {
      const { body } = await found.ask('GET', `/_page/state?filter=${encodeURIComponent(start)}`);
      const { endpoints = [] } = body as Partial<PageState>;
      const jobs = endpoints.find(({ id }) => id === found.endpoint)?.jobs ?? [];
      const ids = jobs.map(({ id }) => id).filter((id) => id.startsWith(start));
      if (ids.length > 1 && !ids.includes(start))
        throw new UsageError(`--job ${start}: ${ids.length} ids begin so: ${someOf(ids)}`);
      return ids.length === 1 ? ids[0]! : start;
    },
    /** When a job that has not ended will: ` and ends in 4 s`; empty where the page does not know. */
    async endOf(id: string): Promise<string> {
      const { nowMs = 0, next = [] } = (await page('GET', 'job', id)).body as Partial<JobState>;
      const end = next.find(({ kind }) => ENDS.includes(kind));
      if (end === undefined) return '';
      const most = end.kind.startsWith('worker-') ? '' : ' at the latest';
      return ` and ends${most} in ${formatDuration(end.atMs - nowMs)}${isControlled ? ' on its clock' : ''}`;
    },
    /** What its log has of webhooks. */
    async webhooks(after = 0): Promise<WebhookLog> {
      const { body } = await found.ask('GET', `/_page/log?after=${after}`);
      const { last = 0, forwardedTo = null, entries = [] } = body as Partial<WebhookLog & LogPart>;
      return {
        last,
        forwardedTo,
        calls: entries.flatMap((entry) => ('webhook' in entry ? entry.webhook : [])),
      };
    },
    /** Sends the webhook of a job again. */
    resendWebhook: (id: string): Promise<Answer> => page('POST', 'webhook', id),
    /**
     * Waits for a moment, or advances a controlled clock to its next event; where calls are refused, at most until the rate is
     * free. False: no more comes in time.
     */
    async pass(isRefused: boolean): Promise<boolean> {
      if (!isControlled) {
        await sleep(LOOKS_EVERY_MS / Math.max(1, speed));
        return passedMs() < LIMIT_MS;
      }
      const { nowMs: fromMs, nextEventAtMs } = await clock();
      const freeMs = isRefused ? Number(fromMs) + RATE_MS : Infinity;
      const next = isRefused ? Math.min(freeMs, Number(nextEventAtMs ?? freeMs)) : nextEventAtMs;
      if (typeof next !== 'number' || next - begunMs > LIMIT_MS) return false;
      const { body } = await control('/clock/advance', { byMs: Math.max(0, next - Number(fromMs)) });
      nowMs = Number(body['nowMs']);
      return true;
    },
  };
}
