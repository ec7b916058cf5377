/** `list`: what can be checked, for people and, with `--json`, for programs. */
import { jsonText } from '../../report/escape.js';
import { pluralize } from '../../report/formatting.js';
import type { ExitCode } from '../../report/index.js';
import { LEGAL_VARIANTS, MUTANTS, type Mutant, type Variant } from '../../mutants/index.js';
import { QUESTIONS, REQUIREMENTS } from '../../spec/index.js';
import type { OpenQuestion, Requirement } from '../../spec/types.js';
import type { NamedScenario } from '../../scenario/index.js';
import { UsageError } from '../../util/errors.js';
import type { Io } from '../../cli/io.js';
import { wantsJson } from '../../cli/options/option-table.js';
import { shippedScenarios } from '../../files/shipped-scenarios.js';
import { lifecycleMermaid, lifecycleText } from './lifecycle-text.js';
import { transitions } from '../../oracle/index.js';
import type { ListSettings } from './index.js';
import { decidability, REAL_TIME_KINDS, TARGET_KINDS, type Decidable } from '../../judging/decidable.js';
import { requirementPlaces, type RequirementPlaces } from './requirement-places.js';
import { program } from '../../program-name.js';

export async function list(settings: ListSettings, io: Io): Promise<ExitCode> {
  checkTogether(settings);
  const { what, where, decidable, mermaid } = settings;
  const asJson = wantsJson(settings);
  const print = <T>(items: readonly T[], json: (item: T) => object, line: (item: T) => string): void => {
    io.out(asJson ? `${jsonText(items.map(json), 2)}\n` : items.map((item) => `${line(item)}\n`).join(''));
  };
  if (where) print(requirementPlaces(await shippedScenarios()), (item) => item, whereLines);
  else if (decidable) {
    const found = await decidability(REQUIREMENTS, await shippedScenarios(), (place) => {
      const number = `${TARGET_KINDS.indexOf(place) + 1} of ${TARGET_KINDS.length}`;
      io.note(`playing every scenario, on target ${number}: ${place}\n`);
    });
    print(found, (item) => item, decidableLines);
    if (!asJson) io.out(`${decidableTotals(found)}\n`);
  } else if (what === 'lifecycle') {
    const rows = transitions();
    if (asJson) io.out(`${jsonText(rows, 2)}\n`);
    else io.out(mermaid ? lifecycleMermaid(rows) : lifecycleText(rows));
  } else if (what === 'requirements') print<Requirement>(REQUIREMENTS, (item) => item, requirementLine);
  else if (what === 'questions') print<OpenQuestion>(QUESTIONS, (item) => item, questionLines);
  else if (what === 'scenarios') print(await shippedScenarios(), scenarioJson, scenarioLine);
  else if (what === 'mutants') print(MUTANTS, mutantJson, mutantLine);
  else print(LEGAL_VARIANTS, variantJson, variantLine);
  return 0;
}

function checkTogether({ what, where, decidable, mermaid }: ListSettings): void {
  for (const [option, given] of Object.entries({ decidable, where }))
    if (given && what !== 'requirements')
      throw new UsageError(`--${option} is for requirements: ${program()} list requirements --${option}`);
  if (mermaid && what !== 'lifecycle')
    throw new UsageError(`--mermaid is for the life-cycle: ${program()} list lifecycle --mermaid`);
  if (decidable && where)
    throw new UsageError('--decidable and --where exclude each other: choose one of them');
}

function requirementLine({ id, level, text: sentence }: Requirement): string {
  return `${level.padEnd(6)} ${id}  ${sentence}`;
}

function questionLines({ id, question, readings, unobservable }: OpenQuestion): string {
  return [
    `${id}  ${question}`,
    ...readings.map(
      (reading) =>
        `         ${reading.id}: ${reading.text}${reading.unseen === undefined ? '' : ` (cannot be observed: ${reading.unseen})`}`,
    ),
    ...(unobservable === undefined ? [] : [`         cannot be observed: ${unobservable}`]),
  ].join('\n');
}

/** Scenarios and faults shown as text; JSON contains all. */
const SHOWN_MAX = 3;

function decidableLines({ id, places, needs, scenarios, reason }: Decidable): string {
  if (reason !== null) return `${id}\n         decided nowhere: ${reason}`;
  const live = REAL_TIME_KINDS.filter((place) => places.includes(place)).at(-1);
  const where = [
    ...places.filter((place) => place === 'simulator'),
    ...(places.includes('controlled') ? ['test control'] : []),
    ...(live === undefined ? [] : [`real time from --profile ${live}`]),
  ];
  return [
    `${id}\n         decided: ${where.join(', ')}`,
    ...(needs.length === 0 ? [] : [`         needs: ${needs.join(', ')}`]),
    `         by: ${firstOf(scenarios).join(', ')}`,
  ].join('\n');
}

function firstOf(names: readonly string[]): readonly string[] {
  const more = names.length - SHOWN_MAX;
  return more > 0 ? [...names.slice(0, SHOWN_MAX), `and ${more} more`] : names;
}

function whereLines({
  id,
  text: words,
  sentence,
  checks,
  explains,
  scenarios,
  faults,
}: RequirementPlaces): string {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['sentence', sentence === null ? [] : [sentence]],
    ['check', checks],
    ['named by', explains],
    ['scenario', firstOf(scenarios.map(({ place }) => place))],
    ['fault', firstOf(faults.map((fault) => `${fault.place ?? 'src/mutants'} ${fault.id}`))],
  ];
  const lines = rows.flatMap(([name, places]) =>
    places.map((place, at) => `         ${(at === 0 ? name : '').padEnd(10)}${place}`),
  );
  return [`${id}  ${words}`, ...lines].join('\n');
}

function decidableTotals(found: readonly Decidable[]): string {
  return TARGET_KINDS.map(
    (place) =>
      `${place === 'simulator' || place === 'controlled' ? place : `--profile ${place}`}: ` +
      `${found.filter(({ places }) => places.includes(place)).length} of ${found.length}`,
  ).join(', ');
}

function scenarioJson({ name, title, exercises, needs, workers, exclusive }: NamedScenario): object {
  return { name, title, exercises, needs, workers, exclusive };
}

const scenarioLine = ({ name, title, exercises }: NamedScenario): string =>
  `${name}  ${title} (${pluralize(exercises.length, 'requirement')})`;

function mutantJson({ id, title, breaks }: Mutant): object {
  return { id, title, breaks };
}

function mutantLine({ id, title, breaks }: Mutant): string {
  return `${id}  ${title} (breaks ${breaks.join(', ')})`;
}

function variantJson({ id, title, edition, dialect }: Variant): object {
  return { id, title, edition, dialect };
}

function variantLine({ id, title }: Variant): string {
  return `${id}  ${title}`;
}
