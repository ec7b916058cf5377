import { readFileSync } from 'node:fs';
import type { Report } from '../../src/report/index.js';
import { CONSEQUENCE, type KnownClient } from './clients.js';
import { commandFor, ROOT } from './run.js';
import { ruleNamed } from './results.js';

/** An issue for the makers of a client, ready to be sent: each violation with its sentence, its proof and the shortest program. */
export function makersReport(
  client: KnownClient,
  version: string,
  reports: ReadonlyMap<string, Report>,
): string {
  const parts = client.findings.flatMap(({ rule: id, does, where, line }) => {
    if (id === CONSEQUENCE) return [];
    const shown = shortest(id, reports);
    const rule = ruleNamed(id);
    if (shown === null || rule === undefined) return [];
    const { program, failure } = shown;
    return [
      `## ${does}\n`,
      `Expected: ${rule.text}${whySo(rule.source)}\n`,
      `In \`${client.source}\`: ${where}${line === undefined ? '' : ` (\`${line}\`)`}.\n`,
      `Under the condition \`${failure.scenario}\`: ${failure.actual}\n`,
      fenced('text', failure.proof.join('\n').replaceAll(ROOT, '')),
      `To see it, save this as \`${program}\` and run \`${commandFor(program, [failure.scenario])}\`:\n`,
      fenced(program.endsWith('.py') ? 'python' : 'js', textOf(program)),
    ];
  });
  return [
    `# ${client.name} ${version}: what it does when calls fail\n`,
    'Found with `runproof client`, which runs a program against an emulator of the API and makes calls fail.\n',
    ...parts,
  ].join('\n');
}

const textOf = (program: string): string =>
  readFileSync(new URL(`programs/${program}`, import.meta.url), 'utf8').trimEnd();

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;

type Source = NonNullable<ReturnType<typeof ruleNamed>>['source'];

function whySo(source: Source): string {
  if (source.kind === 'document') return ` The API's document, section ${source.section}: "${source.quote}"`;
  return source.kind === 'http' ? ` (${source.reference})` : ` ${source.why}`;
}

/** The failure that the fewest lines of code show. */
function shortest(rule: string, reports: ReadonlyMap<string, Report>) {
  const all = [...reports].flatMap(([program, { requirements }]) => {
    const failure = requirements.find(({ id }) => id === rule)?.failures[0];
    return failure === undefined ? [] : [{ program, failure }];
  });
  return all.sort((a, b) => textOf(a.program).length - textOf(b.program).length)[0] ?? null;
}
