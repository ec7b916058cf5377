import { WEATHERS } from '../../src/client/weather/index.js';
import type { Report } from '../../src/report/index.js';
import { BY_SPEED, type KnownClient } from './clients.js';
import { judgeProgram, type Found } from './run.js';
import { readResults, type Results } from './results.js';

/** Conditions that may last minutes: only `npm run clients` tries them. */
const SLOW = new Set(WEATHERS.filter(({ limitFactor = 1 }) => limitFactor > 1).map(({ id }) => id));

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
  const shows = Object.entries(result.broken)
    .map(([rule, conditions]) => [rule, conditions.filter((id) => !SLOW.has(id))] as const)
    .filter(([rule, conditions]) => rule !== BY_SPEED && conditions.length > 0);
  const first = await judgeProgram(client, found, program, [
    ...new Set(['clear', ...shows.map(([, [condition]]) => condition!)]),
  ]);
  const isBroken = (rule: string, { requirements }: Report): boolean =>
    requirements.some(({ id, verdict }) => id === rule && verdict === 'fail');
  // Some depend on how far the job is: the others of these conditions are tried before anything is said.
  const missed = shows.filter(([rule]) => !isBroken(rule, first));
  const others = [...new Set(missed.flatMap(([, conditions]) => conditions.slice(1)))];
  const second =
    others.length === 0 ? first : await judgeProgram(client, found, program, ['clear', ...others]);
  return [
    ...missed
      .filter(([rule]) => !isBroken(rule, second))
      .map(([rule, conditions]) => `${program} does not violate ${rule} under ${conditions.join(', ')}`),
    ...first.requirements
      .filter(({ id, verdict }) => verdict === 'fail' && id !== BY_SPEED && !(id in result.broken))
      .map(({ id, failures }) => `${program} violates ${id}: ${failures[0]?.actual}`),
  ];
}
