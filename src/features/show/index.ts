/** `show`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { DONE_CODES } from '../../cli/options/exit-codes.js';
import { repeatable, required, text } from '../../cli/options/option.js';
import { json } from '../../cli/options/option-table.js';

const SHOW_OPTIONS = json('Print the calls as JSON, one per line, as history.ndjson has them');

const SHOW_ARGUMENTS = {
  report: required(text('report.json, or its folder')),
  what: repeatable(
    'A call by its number, a requirement, a scenario, a job by its id, or script:N; default: what failed',
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
  ],
  exits: DONE_CODES,
  run: async (settings, io) => (await import('./show-command.js')).show(settings, io),
});
