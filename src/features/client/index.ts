/** `client`: what it is, and what the library has of it. */
import { command, type CommandSettings } from '../../cli/command.js';
import { CLIENT_OPTIONS } from './options.js';

export type ClientSettings = CommandSettings<typeof CLIENT_OPTIONS>;

export const client = command({
  usage: 'client',
  describe: 'Test a client under some fifty conditions: slow queues, lost replies, 429s, cancelled jobs',
  options: CLIENT_OPTIONS,
  examples: [
    ['runproof client -- node my-client.js', 'under every condition'],
    ["runproof client --only 'read-*' --only job-fails -- python my_client.py", 'under some of them'],
    ['runproof client --expect job-fails=3 -- ./my-client', 'your client exits with 3 when its job fails'],
    [
      'runproof client --attach --only rate-limited-once',
      'start no program; judge whatever calls, until Ctrl-C',
    ],
    ['runproof client --list', 'describe every condition and rule'],
  ],
  exits: [
    [0, 'the client survived: it broke no rule and exited as expected'],
    [1, 'the client broke a rule, or did not exit as expected'],
    [2, 'wrong usage, or the client cannot be started or makes no call'],
    [4, 'internal error of Runproof, or its own emulator was wrong'],
    [5, 'the baseline has stale or expired entries'],
    [6, 'nothing was decided'],
    [130, 'interrupted; the results so far are printed'],
  ],
  takesCommand: true,
  run: async (settings, io, given) => (await import('./client-command.js')).client(settings, io, given),
});
