/** The emulator without limits, for a load test. usage: emulator.js [DATA_FOLDER]; prints its port */
import { startServer } from '../../src/server/index.js';

const data = process.argv[2];
const server = await startServer({
  workers: 50,
  rules: { rateLimit: () => Infinity, concurrencyLimit: () => Infinity },
  ...(data === undefined ? {} : { data }),
});
process.stdout.write(`${new URL(server.url).port}\n`);
