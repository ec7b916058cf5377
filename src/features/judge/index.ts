/** `judge`: what it is. */
import { command, type CommandSettings } from '../../cli/command.js';
import { CHECK_CODES } from '../../cli/exit-codes.js';
import { repeatable } from '../../cli/option.js';
import { JUDGE_OPTIONS } from './options.js';

const JUDGE_ARGUMENTS = { files: repeatable('Recorded traffic (HAR, NDJSON), or a history.ndjson') };

export type JudgeSettings = CommandSettings<typeof JUDGE_OPTIONS, typeof JUDGE_ARGUMENTS>;

export const judge = command({
  usage: 'judge <files..>',
  describe: 'Find bugs in recorded calls (HAR, NDJSON), or judge an earlier run again',
  options: JUDGE_OPTIONS,
  arguments: JUDGE_ARGUMENTS,
  examples: [
    ['runproof judge staging.har', 'calls that a browser or a proxy recorded'],
    ['runproof judge reports/embedded-1/history.ndjson --edition runpod', 'judge by another edition'],
  ],
  exits: CHECK_CODES.map(([code, meaning]) => [
    code,
    code === 3 ? 'the target was lost during the recorded run' : meaning,
  ]),
  run: async (settings, io) => (await import('./judge-command.js')).judge(settings, io),
});
