/** A running emulator of ours, its calls and its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findApiKey, keyInShell } from '../../cli/options/api-key.js';
import type { Io } from '../../cli/io.js';
import { findEmulator, type Answer } from '../../cli/running-emulator.js';
import { escapeControls } from '../../report/escape.js';
import { formatDuration } from '../../report/formatting.js';
import { LOCAL_API_KEY } from '../../spec/local-key.js';
import type { TriggerSettings } from './index.js';

/** By then each event has happened, on the clock of the emulator. */
const LIMIT_MS = 30_000;
const LOOKS_EVERY_MS = 100;

export type Emulator = Awaited<ReturnType<typeof openEmulator>>;

/** @throws {UnreachableError} unless an emulator of ours answers there, and takes the key */
export async function openEmulator(settings: TriggerSettings, io: Io) {
  const found = await findEmulator(settings, io);
  const control = (path: string, body: object | null = null): Promise<Answer> =>
    found.ask(body === null ? 'GET' : 'POST', `/_control${path}`, body);
  const { features } = (await control('')).body;
  const isControlled = Array.isArray(features) && features.includes('clock');
  const clock = async (): Promise<{ readonly [name: string]: unknown }> => (await control('/clock')).body;
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
    /** Sends the webhook of a job again, as the page does: its token is in the page. */
    async resendWebhook(id: string): Promise<Answer> {
      const { text } = await found.ask('GET', '/', null, { headers: { accept: 'text/html' } });
      const token = /name="runproof-token" content="([\w-]+)"/.exec(text)?.[1] ?? '';
      const query = new URLSearchParams({ endpoint: found.endpoint, id }).toString();
      return found.ask('POST', `/_page/webhook?${query}`, null, { headers: { 'x-runproof-page': token } });
    },
    /** Waits for a moment, or advances a controlled clock to its next event. False: no more comes in time. */
    async pass(): Promise<boolean> {
      if (!isControlled) {
        await sleep(LOOKS_EVERY_MS / Math.max(1, speed));
        return passedMs() < LIMIT_MS;
      }
      const { nowMs: fromMs, nextEventAtMs: next } = await clock();
      if (typeof next !== 'number' || next - begunMs > LIMIT_MS) return false;
      const { body } = await control('/clock/advance', { byMs: Math.max(0, next - Number(fromMs)) });
      nowMs = Number(body['nowMs']);
      return true;
    },
  };
}
