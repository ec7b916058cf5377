/** `proxy`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { PROXY_OPTIONS } from './options.js';

export type ProxySettings = CommandSettings<typeof PROXY_OPTIONS>;

export const proxy = command({
  usage: 'proxy',
  describe: 'Forward calls to a service, and report bugs as they happen',
  options: PROXY_OPTIONS,
  examples: [
    [
      'runproof proxy --upstream https://api.example.test --listen 127.0.0.1:8090',
      'let clients call http://127.0.0.1:8090, and see each bug in the terminal at once',
    ],
    [
      "runproof proxy --upstream http://127.0.0.1:8080 --on-violation 'mail -s violation ops'",
      'also run a command for each alert',
    ],
  ],
  exits: [
    [0, 'ended by Ctrl-C: no required rule failed, and enough rules were decided'],
    [1, 'a required rule failed, or the service differs from --dialect'],
    USAGE,
    [3, 'calls went through the proxy, but it could judge none of them'],
    INTERNAL,
    [6, 'too few rules were decided (--min-decided, --require-conforms)'],
    [130, 'ended at once by a second Ctrl-C'],
  ],
  run: async (settings, io) => (await import('./proxy-command.js')).proxy(settings, io),
});
