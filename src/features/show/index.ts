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
    'Print JSON, one line for each failure. For a call, script or job: one line for each of its calls, as in history.ndjson. With --at: one line for each job',
  ),
  at: parsed(
    instantIn,
    'Print the states that each job may have been in at a time of its script, such as 12s, or after a call, such as call:7',
  ),
  as: oneOf(
    SHOWN_AS,
    'Print a failed requirement as a test that runs without Runproof (vitest, pytest, go), or as an issue that disputes the failure (dispute)',
  ),
};

const SHOW_ARGUMENTS = {
  report: required(text('report.json, or its folder')),
  what: repeatable(
    'Call number, requirement, scenario, job (job: and the beginning of its id, such as job:12) or script (script:N); default: what failed',
  ),
};

export type ShowSettings = CommandSettings<typeof SHOW_OPTIONS, typeof SHOW_ARGUMENTS>;

export const show = command({
  usage: 'show <report> [what..]',
  describe: 'Show a failure, script, job or call of a report: what was sent, and what came back',
  options: SHOW_OPTIONS,
  arguments: SHOW_ARGUMENTS,
  examples: [
    ['runproof show reports/embedded-1 1396', 'show the request, headers, body and answer of call #1396'],
    ['runproof show reports/embedded-1 2.2/ttl-default-removes', 'describe the script that shows a failure'],
    [
      'runproof show reports/embedded-1 2.2/ttl-default-removes --as vitest > ttl.test.ts',
      'write a test that fails until the server is fixed',
    ],
    [
      'runproof show reports/embedded-1 2.2/ttl-default-removes --at 12s',
      'show which states the job may have been in 12 s after the script began, and why no others',
    ],
  ],
  exits: DONE_CODES,
  run: async (settings, io) => (await import('./show-command.js')).show(settings, io),
});
