/** `serve`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL } from '../../cli/options/exit-codes.js';
import { SERVE_OPTIONS } from './options.js';

export type ServeSettings = CommandSettings<typeof SERVE_OPTIONS>;

export const serve = command({
  usage: 'serve',
  describe: 'Run the emulator: a correct service on this machine, with a web page',
  options: SERVE_OPTIONS,
  examples: [
    ['runproof serve --port 8080 --endpoint my-endpoint --workers 3', 'run three scripted workers'],
    ['runproof serve --clock controlled', 'let only a test or the page move the clock'],
    ['runproof serve --handler ./handler.mjs --watch --log', 'process the jobs with your own handler'],
    [
      "runproof serve --log --fault 'status:5%=503' --fault 'run:#1=lost-reply'",
      'inject faults, to test a client',
    ],
    ['runproof serve --mutant ttl-spares-running', 'run a server with a planted bug, to try out check'],
    ['runproof serve --record calls.json', 'save the calls; runproof replay calls.json repeats them'],
  ],
  exits: [
    [0, 'ended by Ctrl-C or SIGTERM'],
    [2, 'wrong usage, or the address or the data folder cannot be used'],
    INTERNAL,
    [130, 'ended at once by a second Ctrl-C'],
  ],
  run: async (settings, io) => (await import('./serve-command.js')).serve(settings, io),
});
