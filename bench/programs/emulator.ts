/** The emulator without limits, for a load test. usage: emulator.js [DATA_FOLDER [SYNC_MS]]; prints its port */
import { createApp, startServer } from '../../src/server/index.js';
import { listenFor } from '../../src/server/http-server.js';
import { openDataFolder } from '../../src/server/store/data-folder.js';

const [data, syncMs] = process.argv.slice(2);
const options = {
  workers: 50,
  rules: { rateLimit: () => Infinity, concurrencyLimit: () => Infinity },
};

/** On a disk each sync of which takes so much longer. */
async function onSlowDisk(folder: string, delayMs: number): Promise<number> {
  const store = await openDataFolder(folder, 'real', false, delayMs);
  const app = createApp({ page: 'open', ...options }, { store });
  return (await listenFor(app, { host: '127.0.0.1', port: 0 })).port;
}

const port =
  data !== undefined && syncMs !== undefined
    ? await onSlowDisk(data, Number(syncMs))
    : (await startServer({ ...options, ...(data === undefined ? {} : { data }) })).port;
process.stdout.write(`${port}\n`);
