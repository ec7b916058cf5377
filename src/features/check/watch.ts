/** `check --watch`: checks again whenever the server has been restarted, what failed first. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnreachableError, UsageError } from '../../util/errors.js';
import { escapeLines } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import { program } from '../../program-name.js';
import { YOUR_ADDRESS } from '../../cli/options/address.js';
import { parseAddress } from '../../cli/options/address.js';
import type { Io } from '../../cli/io.js';
import type { CheckSettings } from './index.js';

/** Between two tries to connect: a server that is away for less than this is not noticed. */
const POLL_MS = 150;

/** What failed may need the other scripts to be decided: of itself, it leaves too little decided. */
const NOTHING_FAILED: readonly ExitCode[] = [0, 5, 6, 7];

/**
 * @param check one check, whose exit code it gives
 * @returns the exit code of the last check, once the user interrupts
 * @throws {UsageError} without an address
 */
export async function checkOnRestart(
  settings: CheckSettings,
  io: Io,
  check: (settings: CheckSettings) => Promise<ExitCode>,
): Promise<ExitCode> {
  const origin = watchedOrigin(settings);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  /** Null: the server did not answer, so that nothing was checked. */
  const checked = async (failures: boolean): Promise<ExitCode | null> => {
    try {
      return await check(failures ? { ...settings, lastFailed: true } : settings);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      io.note(`${escapeLines(error.message)}\n`);
      return null;
    }
  };
  try {
    let code = await checked(false);
    for (;;) {
      if (stop.signal.aborted) return code ?? 3;
      io.note(`waiting until ${origin} is restarted; Ctrl-C ends\n`);
      if (!(await isRestarted(origin, code === null, io, stop.signal))) return code ?? 3;
      io.note(`${origin} answers again\n`);
      code = await checkFailuresFirst(code, checked, stop.signal);
    }
  } finally {
    forget();
  }
}

/**
 * After a restart: what failed, and everything once none of that fails.
 *
 * @param code of the check before
 * @param checked makes a check, of what failed or of everything; null: the server did not answer
 */
export async function checkFailuresFirst(
  code: ExitCode | null,
  checked: (failures: boolean) => Promise<ExitCode | null>,
  signal: AbortSignal,
): Promise<ExitCode | null> {
  const failed = code === 1 ? await checked(true) : 0;
  const isMended = failed !== null && NOTHING_FAILED.includes(failed);
  return isMended && !signal.aborted ? checked(false) : failed;
}

/** The origin of the server that is watched. @throws {UsageError} without an address */
export function watchedOrigin({ url }: Pick<CheckSettings, 'url'>): string {
  if (url === undefined)
    throw new UsageError(`--watch requires the URL of a server: ${program()} check ${YOUR_ADDRESS} --watch`);
  return new URL(parseAddress(url).baseUrl).origin;
}

/** True once the server has been away and listens again; false when the signal is aborted. */
export async function isRestarted(
  origin: string,
  wasAway: boolean,
  io: Pick<Io, 'note'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { hostname, port, protocol } = new URL(origin);
  const at = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  let isAway = wasAway;
  while (!signal.aborted) {
    const listens = await canConnect(at);
    // What listens may not be ready yet.
    await sleep(POLL_MS);
    if (listens && isAway) return !signal.aborted;
    if (!listens && !isAway) io.note(`${origin} has stopped\n`);
    isAway ||= !listens;
  }
  return false;
}

/** Connections are not kept: a server that ends gracefully would wait for them. */
function canConnect(at: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
