/** `docs/requirements.md`: where each requirement is checked, what brings it about and what breaks it, by the document's sections. */
import { readFileSync } from 'node:fs';
import { brokenBy } from '../../proof/breaks/index.js';
import { named } from '../../scenarios/index.js';
import { requirementPlaces, type RequirementPlaces } from '../../src/features/list/requirement-places.js';
import { requirement, type Requirement, type RequirementId } from '../../src/spec/index.js';
import { FAULTS } from '../naive/faults/wrongs.js';

/** Of scenarios and of faults: the rest changes with every new one, and `list requirements --where` tells them all. */
const SHOWN_MAX = 3;

const HEAD = `# Requirements

Where each requirement is checked, which scenarios bring it about, and which known faults break it, by the sections of the
[document](queue-endpoint-api.md). Written by \`npm run generate\`, from the sources: do not edit. Of scenarios and faults
the first ${SHOWN_MAX} are named, the most pointed first; \`npx runproof list requirements --where\` adds line numbers.

A **check** decides the requirement. A fault is one of [src/mutants/](../src/mutants); where no mutant is made for the
requirement, one of the naive server in \`specs/naive/\` that breaks it, as \`proof/breaks/\` says.
`;

/** The whole page. */
export function requirementsPage(): string {
  const titles = sectionTitles();
  let section = '';
  const parts = requirementPlaces(named).map((where) => {
    const one: Requirement = requirement(where.id as RequirementId);
    const heading = one.section === section ? '' : `\n## ${one.section} ${titles.get(one.section) ?? ''}\n`;
    section = one.section;
    return `${heading}\n${entry(where, one)}`;
  });
  return `${HEAD}${parts.join('')}`;
}

function sectionTitles(): ReadonlyMap<string, string> {
  const document = readFileSync(new URL('../../docs/queue-endpoint-api.md', import.meta.url), 'utf8');
  return new Map(
    [...document.matchAll(/^#+ (\d(?:\.\d)?)\.? (.*)$/gm)].map(([, section, title]) => [section!, title!]),
  );
}

function entry(where: RequirementPlaces, { untestable, undecided }: Requirement): string {
  const lines = [
    ['check', unique(where.checks.map(fileOf)).map((path) => link(path.replace('src/oracle/', ''), path))],
    ['scenarios', where.scenarios.map(({ name, place }) => link(name, fileOf(place))).slice(0, SHOWN_MAX)],
    ['faults', faultsOf(where).slice(0, SHOWN_MAX)],
    ['not tested', untestable === undefined ? [] : [untestable]],
    ['not decided', undecided === undefined ? [] : [undecided]],
  ] as const;
  const told = lines.filter(([, words]) => words.length > 0);
  return [
    `- **\`${where.id}\`** (${where.level}): ${where.text}`,
    ...told.map(([name, words]) => `  - ${name}: ${words.join(', ')}`),
    '',
  ].join('\n');
}

function faultsOf({ id, faults }: RequirementPlaces): readonly string[] {
  if (faults.length > 0) return faults.map((fault) => link(fault.id, fileOf(fault.place!)));
  const naive = FAULTS.filter((fault) => fault.legal === undefined && brokenBy(fault.id).has(id));
  return naive
    .toSorted((a, b) => brokenBy(a.id).size - brokenBy(b.id).size)
    .map((fault) => `${fault.id} (naive)`);
}

/** Line numbers would change with every edit. */
function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}

function link(name: string, path: string): string {
  return `[${name}](../${path})`;
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
