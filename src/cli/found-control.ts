/** What a server on this machine needs no option for: the key of our own `serve`, and test control at its usual address. */
import { LOCAL_API_KEY } from '../server/index.js';
import { findClockControl } from '../target/http/index.js';
import { isLoopbackUrl } from '../util/address.js';
import type { Io } from './io.js';
import type { TargetSettings } from './options/settings.js';

/** Says what is used. Elsewhere than on this machine nothing is used that was not named. */
export async function withFound(settings: TargetSettings, io: Pick<Io, 'note'>): Promise<TargetSettings> {
  const { address, controlUrl } = settings;
  if (address === undefined) return settings;
  const { apiKey = LOCAL_API_KEY } = settings;
  if (settings.apiKey === undefined)
    io.note(
      `no API key was given, by RUNPROOF_API_KEY or --api-key-file: trying ${LOCAL_API_KEY}, the key of runproof serve\n`,
    );
  const keyed = { ...settings, apiKey };
  if (controlUrl !== undefined) return keyed;
  const isHere = isLoopbackUrl(address.baseUrl);
  // Another host may have given its origin's other paths to others: the key is not for them.
  const found = await findClockControl(address.baseUrl, isHere ? apiKey : null, settings);
  if (found === null) return keyed;
  const { basePath, otherEndpoint, callsPerSecond } = settings;
  const isExcluded = [basePath, otherEndpoint, callsPerSecond].some((one) => one !== undefined);
  if (!isHere || isExcluded) {
    io.note(
      `test control answers at ${found}: add --control ${found}, or the run decides nothing about time\n`,
    );
    return keyed;
  }
  io.note(`test control found: the run moves the clock, as with --control ${found}\n`);
  return { ...keyed, controlUrl: found, replayOptions: [...settings.replayOptions, '--control', found] };
}
