/** `clean`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import { required, text } from '../../cli/options/option.js';
import { CONNECTION_OPTIONS, GENERAL_OPTIONS, URL_ARGUMENT } from '../../cli/options/option-table.js';

const JOBS_ARGUMENT = { jobs: required(text('File jobs.ndjson of a report')) };

const CONFIGURED = { ...CONNECTION_OPTIONS, ...GENERAL_OPTIONS, ...URL_ARGUMENT };

export type CleanSettings = CommandSettings<
  typeof CONNECTION_OPTIONS,
  typeof JOBS_ARGUMENT,
  typeof CONFIGURED
>;

export const clean = command({
  usage: 'clean <jobs>',
  describe: 'Cancel the jobs that an interrupted run left behind',
  options: CONNECTION_OPTIONS,
  arguments: JOBS_ARGUMENT,
  examples: [
    [
      'runproof clean reports/api.example.test-my-endpoint-7/jobs.ndjson',
      'clean up after a run that was killed',
    ],
  ],
  exits: [[0, 'every job has ended'], USAGE, [3, 'some jobs could not be ended'], INTERNAL],
  run: async (settings, io) => (await import('./clean-command.js')).clean(settings, io),
  configured: CONFIGURED,
});
