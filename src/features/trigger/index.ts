/** `trigger`: what it is. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import { INTERNAL, UNREACHABLE, USAGE } from '../../cli/options/exit-codes.js';
import { parsed, text, url } from '../../cli/options/option.js';
import { API_KEY } from '../../cli/options/option-table.js';
import { EMULATOR_ARGUMENT } from '../../cli/running-emulator.js';
import { readUserJson } from '../../files/user-file.js';

const TRIGGER_OPTIONS = {
  webhook: url('Address of your receiver, such as http://localhost:3000/hook, for the webhook of the job'),
  job: text('For resend-webhook: id of a job that has ended, or the beginning of the id'),
  input: parsed(
    (file, _option, cwd) => readUserJson(file, cwd, 'input'),
    'JSON file with the input of the job, for your own handler',
    { defaultDescription: 'instructions for the scripted worker' },
  ),
  ...API_KEY,
};

const TRIGGER_ARGUMENTS = {
  event: text('Event to produce; default: list the events', {
    values: async () => [...(await import('./trigger-command.js')).EVENTS.keys()],
  }),
  ...EMULATOR_ARGUMENT,
};

export type TriggerSettings = CommandSettings<typeof TRIGGER_OPTIONS, typeof TRIGGER_ARGUMENTS>;

export const trigger = command({
  usage: 'trigger [event] [url]',
  describe:
    'Make a running emulator produce an event that your application must handle, such as a failed job',
  options: TRIGGER_OPTIONS,
  arguments: TRIGGER_ARGUMENTS,
  examples: [
    ['runproof trigger failed', 'make a job fail on the emulator that runproof serve runs'],
    ['runproof trigger webhook-retried --webhook http://localhost:3000/hook', 'call your receiver twice'],
    ['runproof trigger resend-webhook --job ID', 'call the receiver of this job again'],
  ],
  exits: [
    [0, 'the event happened'],
    [1, 'the event did not happen; the last line says why'],
    USAGE,
    [UNREACHABLE[0], 'no Runproof emulator answers at the address, or the emulator rejects the key'],
    INTERNAL,
    [130, 'interrupted; the job continues'],
  ],
  run: async (settings, io) => (await import('./trigger-command.js')).trigger(settings, io),
});
