/** What `proxy` refuses before it listens. */
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { createFakeIo } from '../../cli/fake-io.js';

it.each([
  [['--upstream', 'http://127.0.0.1:1', '--listen', 'here'], '--listen requires HOST:PORT'],
  [['--listen', '127.0.0.1:0'], '--upstream requires the address of the service'],
  [
    ['--upstream', 'https://api.example.test', '--rewrite-webhooks'],
    '--rewrite-webhooks requires an address at which api.example.test reaches this proxy',
  ],
  [['--upstream', 'http://127.0.0.1:1', '--rewrite-webhooks', 'me'], '--rewrite-webhooks requires an http'],
  [
    ['--upstream', 'http://127.0.0.1:1', '--status-listen', '0.0.0.0:0'],
    'other machines can reach it, and it shows what clients send; set RUNPROOF_STATUS_TOKEN',
  ],
  [['--upstream', 'http://127.0.0.1:1', '--key', 'key.pem'], '--key requires --cert FILE'],
  [['--upstream', 'http://127.0.0.1:1', '--cert', 'cert.pem'], '--cert requires --key FILE'],
  [['--upstream', 'example.test'], '--upstream requires an http or https address'],
  [
    ['--upstream', 'http://127.0.0.1:1', '--alert-url', 'me'],
    '--alert-url requires an http or https address',
  ],
])('%j is a wrong usage', async (args, why) => {
  const io = createFakeIo();
  expect(await runCli(['proxy', ...args], io)).toBe(2);
  expect(io.complained()).toContain(why);
});
