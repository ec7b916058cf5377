import { BY_SPEED, type KnownClient } from './clients.js';
import { judgeProgram, type Found } from './run.js';
import { readResults, type Results } from './results.js';

/** What the page says of a client and is not so, one message each: of its version, its source and its programs. */
export async function drift(
  client: KnownClient,
  found: Found,
  results: Results = readResults(),
): Promise<readonly string[]> {
  const wrong = client.findings
    .filter(({ line }) => line !== undefined && !found.sourceText.includes(line))
    .map(({ rule, line }) => `${client.source} of ${client.name} no longer has the line of ${rule}: ${line}`);
  if (found.version !== client.version)
    wrong.push(`${client.name} ${found.version} is installed, and clients.ts says ${client.version}`);
  for (const program of Object.keys(client.programs))
    wrong.push(...(await driftOf(client, found, program, results[program])));
  return wrong;
}

async function driftOf(
  client: KnownClient,
  found: Found,
  program: string,
  result: Results[string] | undefined,
): Promise<readonly string[]> {
  if (result === undefined) return [`${program} was never judged: npm run clients`];
  // One condition for each violation, and the one under which all is well.
  const shows = Object.entries(result.broken).map(([rule, [condition]]) => [rule, condition!] as const);
  const { requirements } = await judgeProgram(client, found, program, [
    ...new Set(['clear', ...shows.map(([, condition]) => condition)]),
  ]);
  const broken = requirements.filter(({ verdict }) => verdict === 'fail');
  return [
    ...shows
      .filter(([rule]) => rule !== BY_SPEED && !broken.some(({ id }) => id === rule))
      .map(([rule, condition]) => `${program} does not violate ${rule} under ${condition}`),
    ...broken
      .filter(({ id }) => id !== BY_SPEED && !(id in result.broken))
      .map(({ id, failures: [first] }) => `${program} violates ${id}: ${first?.actual}`),
  ];
}
