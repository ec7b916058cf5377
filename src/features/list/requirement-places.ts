/**
 * Where each requirement is stated, checked, exercised and broken: read from the sources, which the package
 * contains.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS, type Mutant } from '../../mutants/index.js';
import { PACKAGE_ROOT } from '../../package-files.js';
import { program } from '../../program-name.js';
import type { NamedScenario } from '../../scenario/index.js';
import { REQUIREMENTS, type Level, type Requirement } from '../../spec/index.js';
import { UsageError } from '../../util/errors.js';
import { lineAt, idsIn, type Source, type SourcePlace } from './ids-in-source.js';

export interface RequirementPlaces {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** Where it is stated. */
  readonly sentence: SourcePlace | null;
  /** Where the oracle decides it. If it is only named as an attribution, that place. */
  readonly checks: readonly SourcePlace[];
  /** Where the oracle attributes violations to it that were found elsewhere. */
  readonly explains: readonly SourcePlace[];
  /**
   * Scenarios that exercise it: first those that name it first, then those that exercise the fewest others.
   */
  readonly scenarios: readonly { readonly name: string; readonly place: SourcePlace }[];
  /** Known faults that break it: first those whose main requirement it is. */
  readonly faults: readonly {
    readonly id: string;
    readonly title: string;
    readonly place: SourcePlace | null;
  }[];
}

/** Says over which cases requirements range, and checks none of them. */
const CASES = 'src/oracle/observed/instances.ts';

/** Says why recorded traffic leaves requirements open, all of them. */
const WHY_OPEN = 'src/oracle/in-traffic/';

/** These files attribute violations to requirements that are checked elsewhere, or say why these stay open. */
const EXPLAINING = [
  'src/oracle/attribution/',
  'src/oracle/counts/wrong-counts.ts',
  'src/oracle/jobs/doubtful.ts',
  CASES,
  'src/oracle/ledger/verdicts.ts',
];

/** An entry with this member needs no check of its own: the code that reads the member checks it. */
const COUNTS = 'countInAnswer';

/** Whether a file of the oracle only attributes violations, and checks nothing itself. */
function isExplaining(path: string): boolean {
  return EXPLAINING.some((beginning) => path.startsWith(beginning));
}

/**
 * Every requirement with its places.
 *
 * @throws {UsageError} where the sources are not, as in the installed package
 */
export function requirementPlaces(scenarios: readonly NamedScenario[]): readonly RequirementPlaces[] {
  const sentences = placesIn('src/spec/requirements');
  const oracle = placesIn('src/oracle');
  const inScenarios = sourcesBelow('scenarios');
  const inMutants = sourcesBelow('src/mutants');
  const requirements: readonly Requirement[] = REQUIREMENTS;
  const counts = sourcesBelow('src/oracle').flatMap((source) => placeOfWord(source, COUNTS));
  return requirements.map(({ id, level, text, [COUNTS]: count }) => {
    const named = (oracle.get(id) ?? []).filter((place) => !place.startsWith(WHY_OPEN));
    const places = [...(count === undefined ? [] : counts), ...named];
    const decides = places.filter((place) => !isExplaining(place));
    return {
      id,
      level,
      text,
      sentence: sentences.get(id)?.[0] ?? null,
      checks: decides.length > 0 ? decides : places.filter((place) => !place.startsWith(CASES)),
      explains: decides.length > 0 ? places.filter(isExplaining) : [],
      scenarios: exercising(id, scenarios).map(({ name }) => ({
        name,
        place: placeOfScenario(inScenarios, name),
      })),
      faults: breaking(id).map((mutant) => ({
        id: mutant.id,
        title: mutant.title,
        place: placeOfMutant(inMutants, mutant.id),
      })),
    };
  });
}

function sourcesBelow(folder: string): readonly Source[] {
  const root = join(PACKAGE_ROOT, folder);
  if (!existsSync(root))
    throw new UsageError(
      `the package has no sources, so --where needs a clone of the repository. "${program()} list requirements --decidable" names the scenarios of each rule, "${program()} list mutants" the planted bugs that break it`,
    );
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => ({ path, text: readFileSync(join(PACKAGE_ROOT, path), 'utf8') }));
}

/** The places of each id, one per file. */
function placesIn(folder: string): ReadonlyMap<string, readonly SourcePlace[]> {
  const all = new Map<string, SourcePlace[]>();
  for (const source of sourcesBelow(folder))
    for (const [id, place] of idsIn(source)) all.set(id, [...(all.get(id) ?? []), place]);
  return all;
}

function placeOfWord({ path, text }: Source, word: string): readonly SourcePlace[] {
  const at = text.indexOf(word);
  return at === -1 ? [] : [`${path}:${lineAt(text, at)}`];
}

function exercising(id: string, scenarios: readonly NamedScenario[]): readonly NamedScenario[] {
  const rank = ({ exercises }: NamedScenario): number => (exercises[0] === id ? 0 : 1_000) + exercises.length;
  const found = scenarios.filter(({ exercises }) => (exercises as readonly string[]).includes(id));
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function breaking(id: string): readonly Mutant[] {
  const rank = ({ breaks }: Mutant): number => (breaks[0] === id ? 0 : 1_000) + breaks.length;
  const found = MUTANTS.filter(({ breaks }) => (breaks as readonly string[]).includes(id));
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Its file, or its line in the file of its family. */
function placeOfScenario(sources: readonly Source[], name: string): SourcePlace {
  const path = `scenarios/${name}.ts`;
  if (sources.some((one) => one.path === path)) return `${path}:1`;
  const [section = '', member = ''] = name.split('/');
  const isHere = new RegExp(`^ +'?${member}'?: `, 'm');
  const family = sources.find((one) => one.path.startsWith(`scenarios/${section}/`) && isHere.test(one.text));
  if (family === undefined) throw new Error(`no file of scenarios/${section}/ defines ${member}`);
  return `${family.path}:${lineAt(family.text, family.text.search(isHere))}`;
}

/** Its id in quotes, or the pattern of its id: `'rate-*-half'`. */
function placeOfMutant(sources: readonly Source[], id: string): SourcePlace | null {
  for (const { path, text } of sources) {
    const at = text.indexOf(`'${id}'`);
    if (at !== -1) return `${path}:${lineAt(text, at)}`;
  }
  for (const { path, text } of sources)
    for (const { 1: pattern, index } of text.matchAll(/'([a-z0-9-]*(?:-\*|\*-)[a-z0-9-]*)'/g))
      if (new RegExp(`^${pattern!.replace('*', '.+')}$`).test(id)) return `${path}:${lineAt(text, index)}`;
  return null;
}
