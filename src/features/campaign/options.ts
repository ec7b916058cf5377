/** The options and arguments of `campaign`. */
import { SEED_MAX } from '../../checking/plan/seed.js';
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
} from '../../cli/option.js';
import { DIALECT, EDITION, out, RUNS_DEFAULT, RUNS_MAX, SEARCHED, THREADS } from '../../cli/option-table.js';
import { hostAndPort } from '../../cli/values.js';

const CAMPAIGN_ACTIONS = [
  'start',
  'work',
  'watch',
  'report',
  'list',
  'stop',
  'resume',
  'remove',
  'schedule',
] as const;

export const CAMPAIGN_OPTIONS = {
  ...grouped('start:', {
    runs: integer(
      1,
      RUNS_MAX,
      'Number of scripts; with --target (required there): number of checks of each target',
      {
        defaultDescription: String(RUNS_DEFAULT),
      },
    ),
    seed: integer(0, SEED_MAX, 'Required: the same seed gives the same campaign'),
    ...EDITION,
    ...DIALECT,
    ...SEARCHED,
  }),
  ...grouped('start --target, schedule:', {
    target: repeatable('Address of a deployed endpoint; start: may be repeated', { as: 'targets' }),
    check: text("Options of check, such as --check='--profile quick --budget 3m'"),
    every: text('schedule: how often to check the target, such as 10m; "never" ends its checks', {
      defaultDescription: '10m',
    }),
  }),
  ...grouped('work:', {
    ...THREADS,
    lease: withDefault(
      duration(
        'Give the work of a silent worker to another after this time',
        { as: 'leaseMs', defaultDescription: '30s' },
        1_000,
      ),
      30_000,
    ),
    once: flag('End when no work is left; watch: print the state once'),
    checks: flag('Check deployed endpoints instead of exploring'),
    listen: parsed(
      (value, option) => hostAndPort(option, value),
      'With --checks: HOST:PORT of a page with the trend, and of /metrics for Prometheus',
    ),
    'on-change': text('With --checks: command to run after a change; its input lists the changes'),
  }),
  ...grouped('report:', out('reports/campaign-<name>')),
};

export const CAMPAIGN_ARGUMENTS = {
  action: required(oneOf(CAMPAIGN_ACTIONS, CAMPAIGN_ACTIONS.join(', '), { called: 'the action' })),
  server: required(text('redis://HOST:PORT, or postgres://USER@HOST/DATABASE')),
  name: text('Name of the campaign, as start prints it; default: the newest'),
};
