/** `campaign`: what it is. */
import { command, type CommandSettings } from '../../cli/command.js';
import { INTERNAL, USAGE } from '../../cli/exit-codes.js';
import { CAMPAIGN_ARGUMENTS, CAMPAIGN_OPTIONS } from './options.js';

export type CampaignSettings = CommandSettings<typeof CAMPAIGN_OPTIONS, typeof CAMPAIGN_ARGUMENTS>;

export const campaign = command({
  usage: 'campaign <action> <server> [name]',
  describe: 'Explore on many machines that share the work through Redis, Valkey or PostgreSQL',
  options: CAMPAIGN_OPTIONS,
  arguments: CAMPAIGN_ARGUMENTS,
  examples: [
    ['runproof campaign start redis://127.0.0.1 --seed 7 --runs 10000000', 'start a campaign, once'],
    ['runproof campaign work redis://127.0.0.1', 'work on it, on each machine'],
    ['runproof campaign watch redis://127.0.0.1', 'show progress, coverage and findings, on any machine'],
    ['runproof campaign report redis://127.0.0.1', 'write the folder that explore would write'],
  ],
  exits: [
    [0, 'done; report: no required rule was broken'],
    [1, 'report: a required rule was broken'],
    USAGE,
    [3, 'no server answers; report: a target was lost, or rejected the key'],
    INTERNAL,
    [
      6,
      'report: too little was decided, work was set aside after three failures, or there is an ALARM, such as a missed planted bug',
    ],
    [7, 'report: the campaign has not ended'],
    [130, 'work, watch: interrupted'],
  ],
  run: async (settings, io) => (await import('./campaign-command.js')).campaign(settings, io),
});
