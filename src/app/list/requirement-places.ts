/** Where each requirement is told, checked, brought about and broken: read out of the sources, which the package ships. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS, type Mutant } from '../../mutants/index.js';
import { PACKAGE_ROOT } from '../../package-files.js';
import type { NamedScenario } from '../../scenario/index.js';
import { REQUIREMENTS, type Level, type Requirement } from '../../spec/index.js';
import { UsageError } from '../errors.js';
import { lineAt, idsIn, type Source, type SourcePlace } from './ids-in-source.js';

export interface RequirementPlaces {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  /** Where its sentence stands. */
  readonly sentence: SourcePlace | null;
  /** Where the oracle decides it: where it is named as an explanation alone, there. */
  readonly checks: readonly SourcePlace[];
  /** Where the oracle names it as the explanation of what was seen otherwise. */
  readonly explains: readonly SourcePlace[];
  /** Scenarios that exercise it: those first that name it first, then those that exercise the least besides. */
  readonly scenarios: readonly { readonly name: string; readonly place: SourcePlace }[];
  /** Known faults that break it, those first whose main requirement it is. */
  readonly faults: readonly {
    readonly id: string;
    readonly title: string;
    readonly place: SourcePlace | null;
  }[];
}

/** These name requirements that are checked elsewhere: which of them a contradiction or a wrong count is laid to. */
const EXPLAINING = ['src/oracle/attribution/', 'src/oracle/counts/wrong-counts.ts'];

/** Where a sentence says by this member what an answer holds, the check is whoever reads it. */
const COUNTS = 'countInAnswer';

/** Requirements that a file of the oracle decides, as opposed to naming them when another one has found something. */
function isExplaining(path: string): boolean {
  return EXPLAINING.some((beginning) => path.startsWith(beginning));
}

/**
 * Every requirement with its places.
 *
 * @throws {UsageError} when the sources are not there
 */
export function requirementPlaces(scenarios: readonly NamedScenario[]): readonly RequirementPlaces[] {
  const sentences = placesIn('src/spec/requirements');
  const oracle = placesIn('src/oracle');
  const inScenarios = sourcesBelow('scenarios');
  const inMutants = sourcesBelow('src/mutants');
  const requirements: readonly Requirement[] = REQUIREMENTS;
  const counts = sourcesBelow('src/oracle').flatMap((source) => placeOfWord(source, COUNTS));
  return requirements.map(({ id, level, text, [COUNTS]: count }) => {
    const places = [...(count === undefined ? [] : counts), ...(oracle.get(id) ?? [])];
    const decides = places.filter((place) => !isExplaining(place));
    return {
      id,
      level,
      text,
      sentence: sentences.get(id)?.[0] ?? null,
      checks: decides.length > 0 ? decides : places,
      explains: decides.length > 0 ? places.filter(isExplaining) : [],
      scenarios: exercising(id, scenarios).map(({ name }) => ({
        name,
        place: placeOfScenario(inScenarios, name, id),
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
      `the sources are not there: ${root} is missing. The package and the repository hold them`,
    );
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => ({ path, text: readFileSync(join(PACKAGE_ROOT, path), 'utf8') }));
}

/** The places of each id, one for each file that names it. */
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

function placeOfScenario(sources: readonly Source[], name: string, id: string): SourcePlace {
  const path = `scenarios/${name}.ts`;
  const source = sources.find((one) => one.path === path);
  return (source && idsIn(source).get(id)) ?? `${path}:1`;
}

/** Its id, or the text of which ids are made for each operation or code: `rate-${op}-half`. */
function placeOfMutant(sources: readonly Source[], id: string): SourcePlace | null {
  for (const { path, text } of sources) {
    const at = text.indexOf(`'${id}'`);
    if (at !== -1) return `${path}:${lineAt(text, at)}`;
  }
  for (const { path, text } of sources)
    for (const { 1: template, index } of text.matchAll(/`((?:[a-z0-9-]|\$\{[^}]*\})+)`/g)) {
      const made = new RegExp(`^${template!.replace(/\$\{[^}]*\}/g, '.+')}$`);
      if (made.test(id)) return `${path}:${lineAt(text, index)}`;
    }
  return null;
}
