/** What a server on this machine needs no option for: the key of our own `serve`, and test control at its usual address. */
import { LOCAL_API_KEY } from '../server/index.js';
import type { Edition } from '../spec/types.js';
import { findClockControl } from '../target/http/index.js';
import { isLoopbackUrl } from '../util/address.js';
import type { Io } from './io.js';
import { EDITIONS } from './options/option-values.js';
import type { TargetSettings } from './options/settings.js';

/** How long an emulator on this machine may take to say what it is. */
const WAITED_MS = 1_000;

/** Says what is used. Elsewhere than on this machine nothing is used that was not named. */
export async function withFound(settings: TargetSettings, io: Pick<Io, 'note'>): Promise<TargetSettings> {
  const { address, controlUrl } = settings;
  if (address === undefined) return settings;
  const { apiKey = LOCAL_API_KEY } = settings;
  if (settings.apiKey === undefined)
    io.note(
      `no API key in RUNPROOF_API_KEY or --api-key-file: trying ${LOCAL_API_KEY}, the key of runproof serve\n`,
    );
  const keyed = { ...settings, apiKey };
  if (controlUrl !== undefined) return keyed;
  const isHere = isLoopbackUrl(address.baseUrl);
  if (isHere && apiKey === LOCAL_API_KEY) await sayOtherEdition(address.baseUrl, settings.edition, io);
  // Another host may have given its origin's other paths to others: the key is not for them.
  const found = await findClockControl(address.baseUrl, isHere ? apiKey : null, settings);
  if (found === null) return keyed;
  const { basePath, otherEndpoint, callsPerSecond } = settings;
  const isExcluded = [basePath, otherEndpoint, callsPerSecond].some((one) => one !== undefined);
  if (!isHere || isExcluded) {
    io.note(
      `test control answers at ${found}: add --control ${found}, or the run decides nothing about time\n`,
    );
    return { ...keyed, unusedControlUrl: found };
  }
  io.note(`test control found: the run moves the clock, as with --control ${found}\n`);
  return { ...keyed, controlUrl: found, replayOptions: [...settings.replayOptions, '--control', found] };
}

/** An emulator of ours with other rules than those that are checked would fail, though it is right. */
async function sayOtherEdition(baseUrl: string, checked: Edition, io: Pick<Io, 'note'>): Promise<void> {
  const said = await fetch(new URL('/_ready', baseUrl), {
    redirect: 'error',
    signal: AbortSignal.timeout(WAITED_MS),
  })
    .then(async (reply) => ((await reply.json()) as { readonly edition?: unknown } | null)?.edition)
    .catch(() => null);
  const edition = EDITIONS.find((one) => one === said);
  if (edition === undefined || edition === checked) return;
  io.note(
    `this emulator follows the edition ${edition}, and the run checks the edition ${checked}: where they differ, its answers fail; add --edition ${edition}\n`,
  );
}
