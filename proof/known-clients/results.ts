import { readFileSync } from 'node:fs';
import { CLIENT_RULES } from '../../src/client/rules/index.js';
import { KNOWN_CLIENTS } from './clients.js';

/** What the programs came to, as `results.json` holds it. */
export interface Results {
  readonly [program: string]: {
    /** Of the client that was judged. */
    readonly version: string;
    /** Rules that were put to the test and never violated. */
    readonly kept: readonly string[];
    /** Up to three conditions under which each violated rule was violated, the one that shows it best first. */
    readonly broken: { readonly [rule: string]: readonly string[] };
  };
}

export const RESULTS_FILE = new URL('results.json', import.meta.url);

/** With each list in a line. */
export const resultsText = (results: Results): string =>
  `${JSON.stringify(results, null, 2).replaceAll(/\[[^\]]*\]/g, (list) => list.replaceAll(/\s+/g, ' '))}\n`;

export const readResults = (): Results => JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results;

/** Violations whose place in the source nobody has named yet, and places of what is not violated. */
export function unconfirmed(results: Results): readonly string[] {
  return KNOWN_CLIENTS.flatMap(({ name, programs, findings }) => {
    const broken = new Set(Object.keys(programs).flatMap((file) => Object.keys(results[file]?.broken ?? {})));
    return [
      ...[...broken]
        .filter((id) => id !== 'client/ending' && !findings.some(({ rule }) => rule === id))
        .map((id) => `${name} violates ${id}: name the place in clients.ts`),
      ...findings
        .filter(({ rule }) => !broken.has(rule))
        .map(({ rule }) => `${name} does not violate ${rule}: remove it from clients.ts`),
    ];
  });
}

export const ruleNamed = (id: string) => CLIENT_RULES.find((rule) => rule.id === id);
