/** `list`: what it is. */
import { UsageError } from '../../util/errors.js';
import { didYouMean } from '../../util/suggest.js';
import { command, type CommandSettings } from '../../cli/options/command.js';
import { DONE_CODES } from '../../cli/options/exit-codes.js';
import { flag, parsed, withDefault } from '../../cli/options/option.js';
import { jsonOrText } from '../../cli/options/option-table.js';

const LISTS = ['requirements', 'questions', 'scenarios', 'mutants', 'variants', 'lifecycle'] as const;

const LIST_OPTIONS = {
  ...jsonOrText(),
  decidable: flag('requirements: show on which targets each can be decided'),
  where: flag('requirements: show file and line of each sentence, check, scenario and planted bug'),
  mermaid: flag('lifecycle: print a Mermaid state diagram'),
};

const LIST_ARGUMENT = {
  what: withDefault(
    parsed(
      listNamed,
      `${LISTS.join(', ')}; variants are correct services that follow other readings or have late timers`,
      { values: LISTS },
    ),
    LISTS[0],
  ),
};

export type ListSettings = CommandSettings<typeof LIST_OPTIONS, typeof LIST_ARGUMENT>;

export const list = command({
  usage: 'list [what]',
  describe: 'List requirements, open questions, scenarios, mutants (bugs to plant), variants, or job states',
  options: LIST_OPTIONS,
  arguments: LIST_ARGUMENT,
  examples: [
    ['runproof list scenarios', 'list the names that --only takes'],
    ['runproof list requirements --where', 'in a clone: show file and line of the check of each rule'],
    ['runproof list lifecycle', 'show the states of a job, their transitions, and the rules about each'],
  ],
  exits: DONE_CODES,
  run: async (settings, io) => (await import('./list-command.js')).list(settings, io),
});

function listNamed(name: string): (typeof LISTS)[number] {
  const what = LISTS.find((each) => each === name);
  if (what !== undefined) return what;
  throw new UsageError(
    `there is no list "${name}".${didYouMean(name, LISTS)} The lists are ${LISTS.join(', ')}`,
  );
}
