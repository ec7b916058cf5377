/** `campaign`: what it is. */
import { SEED_MAX } from '../../checking/plan/seed.js';
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, USAGE } from '../../cli/options/exit-codes.js';
import {
  DIALECT,
  EDITION,
  RUNS_DEFAULT,
  RUNS_MAX,
  SEARCHED,
  THREADS,
  out,
} from '../../cli/options/option-table.js';
import {
  duration,
  flag,
  grouped,
  integer,
  oneOf,
  parsed,
  repeatable,
  required,
  text,
  withDefault,
} from '../../cli/options/option.js';
import { hostAndPort } from '../../cli/options/values.js';

const ACTIONS = ['start', 'work', 'watch', 'report', 'list', 'stop', 'resume', 'remove', 'schedule'] as const;

const CAMPAIGN_OPTIONS = {
  ...grouped('start:', {
    runs: integer(1, RUNS_MAX, 'Number of scripts; with --target, the number of checks of each target', {
      defaultDescription: `${RUNS_DEFAULT}; required with --target`,
    }),
    seed: integer(0, SEED_MAX, 'Number that sets all random values (required); reuse it to repeat them'),
    ...EDITION,
    ...DIALECT,
    ...SEARCHED,
  }),
  ...grouped('start --target, schedule:', {
    target: repeatable('Address of an endpoint to check; start accepts several', { as: 'targets' }),
    check: text("Options to pass to check, such as --check='--profile quick --budget 3m'"),
    every: text('schedule: how often to check the target, such as 10m; "never" ends its checks', {
      defaultDescription: '10m',
    }),
  }),
  ...grouped('work:', {
    ...THREADS,
    lease: withDefault(
      duration(
        'If a worker is silent for this long, give its work to another worker',
        { as: 'leaseMs', defaultDescription: '30s' },
        1_000,
      ),
      30_000,
    ),
    once: flag('End when no work is left; with watch, print the state once'),
    checks: flag('Check deployed endpoints instead of exploring'),
    listen: parsed(
      (value, option) => hostAndPort(option, value),
      'With --checks: HOST:PORT at which to serve a page with the trend, and /metrics for Prometheus',
    ),
    'on-change': text('With --checks: command to run after a change; its standard input lists the changes'),
  }),
  ...grouped('report:', out('reports/campaign-<name>')),
};

const CAMPAIGN_ARGUMENTS = {
  action: required(
    oneOf(
      ACTIONS,
      'start, work, watch, report, list; stop: let workers finish their current work and take no more; resume: continue after stop; remove: delete a campaign that is stopped or has ended; schedule: check an endpoint again and again',
      { called: 'the action' },
    ),
  ),
  server: required(text('redis://HOST:PORT, or postgres://USER@HOST/DATABASE')),
  name: text('Name of the campaign, as start prints it; default: the newest'),
};

export type CampaignSettings = CommandSettings<typeof CAMPAIGN_OPTIONS, typeof CAMPAIGN_ARGUMENTS>;

export const campaign = command({
  usage: 'campaign <action> <server> [name]',
  describe:
    'Explore on many machines, or check deployed endpoints repeatedly; Redis, Valkey or PostgreSQL distributes the work',
  options: CAMPAIGN_OPTIONS,
  arguments: CAMPAIGN_ARGUMENTS,
  examples: [
    ['runproof campaign start redis://127.0.0.1 --seed 7 --runs 10000000', 'start a campaign (once)'],
    ['runproof campaign work redis://127.0.0.1', 'work on the campaign (on each machine)'],
    ['runproof campaign watch redis://127.0.0.1', 'show progress, coverage and findings (on any machine)'],
    ['runproof campaign report redis://127.0.0.1', 'write the folder that explore would write'],
  ],
  exits: [
    [0, 'done; report: no required rule was broken'],
    [1, 'report: a required rule was broken'],
    USAGE,
    [3, 'the queue server does not answer; report: a target was lost, or rejected the key'],
    INTERNAL,
    [
      6,
      'report: too few rules were decided, work was set aside after three failures, or there is an ALARM, such as a missed planted bug',
    ],
    [7, 'report: the campaign has not ended'],
    [130, 'work, watch: interrupted'],
  ],
  run: async (settings, io) => (await import('./campaign-command.js')).campaign(settings, io),
});
