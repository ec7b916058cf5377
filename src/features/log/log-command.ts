/** `log`: asks a running emulator for what is new in its log, until Ctrl-C or the end of the emulator. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from '../../cli/io.js';
import { logText } from '../../cli/request-log.js';
import { findEmulator } from '../../cli/running-emulator.js';
import type { ExitCode } from '../../report/index.js';
import { escapeControls } from '../../report/escape.js';
import type { LogEntry } from '../../server/logged-call.js';
import { UnreachableError } from '../../util/errors.js';
import type { LogSettings } from './index.js';

const EVERY_MS = 300;

interface News {
  /** The number of the newest entry. */
  readonly last: number;
  readonly entries: readonly LogEntry[];
}

export async function log(settings: LogSettings, io: Io): Promise<ExitCode> {
  const { json, bodies, logOnly = () => true, last = 0 } = settings;
  const emulator = await findEmulator(settings, io);
  const { origin } = emulator;
  const stop = new AbortController();
  const { signal } = stop;
  const news = async (query: string): Promise<News> => {
    const { status, body } = await emulator.ask('GET', `/_page/log${query}`, null, { signal });
    if (status === 200) return body as unknown as News;
    const why = status === 404 ? 'start it with --page' : escapeControls(String(body['error'] ?? status));
    throw new UnreachableError(`the emulator at ${origin} shows no log: ${why}`);
  };
  let after = Math.max(0, (await news('')).last - last);
  io.note(`following the log of ${origin} until Ctrl-C\n`);
  const forget = io.onInterrupt(() => stop.abort(), true);
  try {
    while (!signal.aborted) {
      const { last: newest, entries } = await news(`?after=${after}`);
      const isNew = newest < after;
      if (isNew) io.note('the emulator was started again\n');
      const [first] = entries;
      const missed = first === undefined ? 0 : first.number - 1 - (isNew ? 0 : after);
      if (missed > 0) io.note(`${missed} entries are missing: more came than the emulator keeps\n`);
      for (const entry of entries) {
        const text = logText(entry, json ? 'json' : bodies ? 'bodies' : 'lines', logOnly);
        if (text !== '') io.out(text);
      }
      after = newest;
      await sleep(EVERY_MS, null, { signal }).catch(() => null);
    }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    if (!signal.aborted) io.note(`the emulator at ${origin} has ended\n`);
  } finally {
    forget();
  }
  return 0;
}
