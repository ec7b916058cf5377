/** A command that follows something ends with the reader of its output, also while it has nothing to say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const FOLLOWS = `
require('jiti').createJiti(process.cwd() + '/').import('./src/cli/unread.ts').then(({ onUnread }) => {
  const going = setInterval(() => {}, 1_000);
  const forget = onUnread(() => {
    process.stderr.write('unread');
    clearInterval(going);
    forget();
  });
  process.stdout.write('one\\ntwo\\n');
  setTimeout(() => process.stderr.write('goes on '), 300);
});
`;

it.runIf(process.platform === 'linux')('notices the end of the reader without writing to it', async () => {
  const pipeline = '"$0" -e "$1" | { read -r line; read -r line; sleep 1; }';
  const shell = spawn('bash', ['-c', pipeline, process.execPath, FOLLOWS]);
  let told = '';
  shell.stderr.on('data', (data) => (told += String(data)));
  await once(shell, 'close');
  expect(told).toBe('goes on unread');
});
