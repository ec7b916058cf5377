/** The emulator without limits, for a load test. usage: emulator.js [DATA_FOLDER [SYNC_MS]]; prints its port */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApp, startServer } from '../../src/server/index.js';
import { createHttpServer } from '../../src/server/http-server.js';
import { openDataFolder } from '../../src/server/store/data-folder.js';

const [data, syncMs] = process.argv.slice(2);
const options = {
  workers: 50,
  rules: { rateLimit: () => Infinity, concurrencyLimit: () => Infinity },
};

/** On a disk each sync of which takes so much longer. */
async function onSlowDisk(folder: string, delayMs: number): Promise<number> {
  const store = await openDataFolder(folder, 'real', false, delayMs);
  const server = createHttpServer(createApp({ page: 'open', ...options }, { store }), {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const port =
  data !== undefined && syncMs !== undefined
    ? await onSlowDisk(data, Number(syncMs))
    : (await startServer({ ...options, ...(data === undefined ? {} : { data }) })).port;
process.stdout.write(`${port}\n`);
