/** `show`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { DONE_CODES } from '../../cli/options/exit-codes.js';
import { oneOf, parsed, repeatable, required, text } from '../../cli/options/option.js';
import { jsonOrText } from '../../cli/options/option-table.js';
import { instantIn } from '../../cli/options/values.js';

/** What `--as` makes of a failure: a test in a language, or a text that contradicts it. */
const SHOWN_AS = ['vitest', 'pytest', 'go', 'dispute'] as const;

const SHOW_OPTIONS = {
  ...jsonOrText(
    'Print a line of JSON for each failure, with its proof; for a call, script or job: for each of its calls, as in history.ndjson; with --at: for each job',
  ),
  at: parsed(
    instantIn,
    'Print the states that each job may have been in: at a time of its script, such as 12s, or after a call, such as call:7',
  ),
  as: oneOf(
    SHOWN_AS,
    'Print the failure of a requirement as a test that needs no Runproof, or as a text that disputes it',
  ),
};

const SHOW_ARGUMENTS = {
  report: required(text('report.json, or its folder')),
  what: repeatable(
    'A call by its number, a requirement, a scenario, a job by its id or the start of it (job:12), or script:N; default: what failed',
  ),
};

export type ShowSettings = CommandSettings<typeof SHOW_OPTIONS, typeof SHOW_ARGUMENTS>;

export const show = command({
  usage: 'show <report> [what..]',
  describe: 'Open a failure, script, job or call of a report: what was sent, what came back',
  options: SHOW_OPTIONS,
  arguments: SHOW_ARGUMENTS,
  examples: [
    ['runproof show reports/embedded-1 1396', 'request, headers, body and answer of call #1396'],
    ['runproof show reports/embedded-1 2.2/ttl-default-removes', 'the script that shows a failure, in words'],
    [
      'runproof show reports/embedded-1 2.2/ttl-default-removes --as vitest > ttl.test.ts',
      'a test that fails until the server is fixed',
    ],
    [
      'runproof show reports/embedded-1 2.2/ttl-default-removes --at 12s',
      'the states that its job may have been in 12 s after its script began, and why in no others',
    ],
  ],
  exits: DONE_CODES,
  run: async (settings, io) => (await import('./show-command.js')).show(settings, io),
});
