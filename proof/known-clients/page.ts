import { CLIENT_RULES } from '../../src/client/rules/index.js';
import { CONSEQUENCE, KNOWN_CLIENTS, type KnownClient } from './clients.js';
import { readResults, type Results } from './results.js';

const HEAD = `<!-- Made by \`npm run generate\` from proof/known-clients/; \`npm run clients\` judges again. -->

# Known clients, judged

Runproof judged these official clients, unmodified, with \`runproof client --edition runpod\`, and found these bugs. We confirmed each one in
the client's source. To test yours, see [judge a client](judge-a-client.md).
`;

const TAIL = `\`client/ending\` follows from other rules: a program that uses the client succeeds although its job failed, or fails although a repeated
call would have succeeded.

In the repository, \`npm run clients\` makes this page: it runs all programs under all conditions. \`npm run clients -- --check\`, which CI
runs, repeats the conditions that show a violation, except those that last minutes, and compares the results.

Runproof cannot judge clients for RunPod in the edition \`document\`: they expect \`/stream\` to answer with an object that has a member
\`stream\`, but [the document](queue-endpoint-api.md) describes an array.
`;

/** docs/clients.md. */
export function clientsPage(results: Results = readResults()): string {
  const columns = KNOWN_CLIENTS.flatMap((client) =>
    Object.entries(client.programs).map(([file, calls]) => ({ client, calls, result: results[file] })),
  ).flatMap(({ result, ...rest }) => (result === undefined ? [] : [{ ...rest, result }]));
  const marks = CLIENT_RULES.map(({ id }) => ({
    id,
    marks: columns.map(({ result: { broken, kept } }) =>
      id in broken ? '✘' : kept.includes(id) ? '✔' : '–',
    ),
  })).filter(({ marks: all }) => all.includes('✘'));
  const others = columns.map(
    ({ result: { kept } }) => kept.filter((id) => !marks.some((row) => row.id === id)).length,
  );
  return [
    HEAD,
    'The rules that at least one client violates: ✘ violated, ✔ kept, – not put to the test.\n',
    table(
      ['', ...columns.map((_, nth) => `${nth + 1}`)],
      [
        ...marks.map(({ id, marks: all }) => [`\`${id}\``, ...all]),
        ['other rules kept', ...others.map(String)],
      ],
    ),
    columns
      .map(
        ({ client, calls, result }, nth) =>
          `${nth + 1}. ${client.name} ${result.version} (${client.registry}): ${calls}`,
      )
      .join('\n') + '\n',
    ...KNOWN_CLIENTS.filter(({ findings }) => findings.length > 0).map(section),
    TAIL,
  ].join('\n');
}

function section({ name, version, registry, note, source, findings }: KnownClient): string {
  const rows = findings
    .filter(({ rule }) => rule !== CONSEQUENCE)
    .map(({ rule, does, where }) => [`\`${rule}\``, does, where]);
  return [
    `## \`${name}\` ${version} (${registry})\n`,
    ...(note === undefined ? [] : [`${note}\n`]),
    table(['rule', 'what it does', `in its source, \`${source}\``], rows),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => '-'), ...rows];
  const widths = head.map((_, nth) => Math.max(3, ...all.map((row) => [...row[nth]!].length)));
  const line = (row: readonly string[], fill: string): string =>
    `| ${row.map((cell, nth) => cell + fill.repeat(widths[nth]! - [...cell].length)).join(' | ')} |`;
  return `${all.map((row, nth) => line(row, nth === 1 ? '-' : ' ')).join('\n')}\n`;
}
