/** `judge`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { CHECK_CODES } from '../../cli/options/exit-codes.js';
import {
  BASELINE,
  CLIENTS,
  DIAGRAM,
  EDITION,
  EXECUTION_TIMEOUT_DEFAULT,
  FORMAT,
  HELD_DIALECT,
  MIN_DECIDED,
  OPEN,
  OUTPUT,
  SCOPE,
  SELECTION,
  out,
} from '../../cli/options/option-table.js';
import { CRASHES, WORLDS, YES_NO } from '../../cli/options/option-values.js';
import { duration, grouped, many, oneOf, repeatable, text } from '../../cli/options/option.js';
import { endpointAddress } from '../../cli/options/values.js';
import { CLOCK_SKEW_MS } from '../../traffic/clock-skew.js';

export const JUDGE_OPTIONS = {
  ...grouped(SCOPE, {
    edition: {
      ...EDITION.edition,
      describe: 'Edition of the rules: document or runpod',
      defaultDescription: 'the recorded one',
    },
    grace: duration('How late a timer may fire, such as 500ms', {
      as: 'graceMs',
      defaultDescription: 'the recorded one',
    }),
    world: oneOf(WORLDS, 'For recorded traffic: closed if no other client uses the endpoint, else open', {
      defaultDescription: 'open',
    }),
    crashes: oneOf(YES_NO, CRASHES, { defaultDescription: 'yes' }),
    ...EXECUTION_TIMEOUT_DEFAULT,
    endpoint: many(
      'For recorded traffic: address of an endpoint to judge, such as https://host/v2/abc',
      { as: 'endpoints', defaultDescription: 'every address that answers like an endpoint' },
      (given, option) => given.map((one) => endpointAddress(option, one)),
    ),
    'clock-skew': duration('For recorded traffic in several files: how much their clocks may differ', {
      as: 'clockSkewMs',
      defaultDescription: `${CLOCK_SKEW_MS / 1000}s if a job is in several files`,
    }),
    complete: oneOf(YES_NO, 'For recorded traffic: no if calls of the recorded clients may be missing', {
      defaultDescription: 'yes, but unknown for the rules of --clients',
    }),
  }),
  ...SELECTION,
  ...HELD_DIALECT,
  ...grouped(OUTPUT, {
    ...FORMAT,
    ...out('no report is written'),
    ...MIN_DECIDED,
    'min-decided': { ...MIN_DECIDED['min-decided'], defaultDescription: '10%; 1 for recorded traffic' },
    ...BASELINE,
    ...CLIENTS,
    ...DIAGRAM,
    ...OPEN,
    'save-digests': text(
      'Write the calls to this file with digests instead of payloads, so that you can share them',
    ),
    'save-smallest': text('Save to this file the smallest part of the history that shows the first failure'),
  }),
};

const OF_RECORDED_RUN: { readonly [code: number]: string } = {
  3: 'the target was lost during the recorded run',
  7: 'the budget of the recorded run ended before enough rules were decided, or that run reached its time limit',
};

const JUDGE_ARGUMENTS = { files: repeatable('Recordings (HAR, NDJSON), or the history.ndjson of a run') };

export type JudgeSettings = CommandSettings<typeof JUDGE_OPTIONS, typeof JUDGE_ARGUMENTS>;

export const judge = command({
  usage: 'judge <files..>',
  describe: 'Find bugs in recorded calls (HAR, NDJSON), or judge an earlier run again',
  options: JUDGE_OPTIONS,
  arguments: JUDGE_ARGUMENTS,
  examples: [
    ['runproof judge staging.har', 'judge calls that a browser or a proxy recorded'],
    ['runproof judge reports/embedded-1/history.ndjson --edition runpod', 'judge a run by another edition'],
  ],
  exits: CHECK_CODES.map(([code, meaning]) => [code, OF_RECORDED_RUN[code] ?? meaning]),
  run: async (settings, io) => (await import('./judge-command.js')).judge(settings, io),
});
