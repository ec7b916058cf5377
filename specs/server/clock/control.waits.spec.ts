import { startServer } from '../../../src/server/index.js';
import { describeControlContract } from './control-contract.js';

describeControlContract('our own server', async () => {
  const server = await startServer({ clock: 'controlled', apiKeys: ['contract-key'] });
  return { baseUrl: server.url, controlUrl: server.controlUrl, apiKey: 'contract-key', close: server.close };
});
