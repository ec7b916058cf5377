/**
 * `npm run variants -- [options]`: the shipped suite on every correct endpoint that we know to make.
 *
 *   --clock simulator|controlled|real   default simulator; real is the profile quick
 *   --only TEXT       endpoints whose name holds it; may be repeated
 *   --light           without the scenarios that send thousands of calls
 *   --focus N         of each endpoint only the scenarios that can tell it from the plain one of its edition, which are
 *                     those that go otherwise on the simulator, and N others drawn from the seed
 *   --shard I/N       every N-th of them, from the I-th (1 to N)
 *   --combined N      combinations of readings for each edition, drawn from the seed; default 100
 *   --seed N          default 1
 *   --runs N          scripts drawn of each scenario; default 1
 *   --at-once N       servers at once; default 1, in real time 6
 *
 * Ends with 1 when a `must` was failed or an advice was given.
 */
import { parseArgs } from 'node:util';
import type { NamedScenario } from '../../src/scenario/scenario.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { createRandom } from '../../src/time/random.js';
import { conformers, type Conformer } from './correct-endpoints.js';
import { canBeJudged, judged, QUICK_WAIT_MS, type Alarm, type Clock } from './judge-variant.js';
import { distinguishingScenarios } from './distinguishing.js';

const { values } = parseArgs({
  options: {
    clock: { type: 'string', default: 'simulator' },
    only: { type: 'string', multiple: true, default: [] },
    light: { type: 'boolean', default: false },
    focus: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    combined: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    'at-once': { type: 'string' },
  },
});
const clock = values.clock as Clock;
if (!['simulator', 'controlled', 'real'].includes(clock)) throw new Error(`there is no clock ${clock}`);
const [shard, shards] = values.shard.split('/').map(Number) as [number, number];
const seed = Number(values.seed);
const runs = Number(values.runs);
const focus = values.focus === undefined ? null : Number(values.focus);
/** Enough where nearly every scenario distinguishes it. */
const TELLING_MAX = 24;
/** Without a terminal, a line from time to time. */
const TOLD_EVERY = 10;
const atOnce = Number(values['at-once'] ?? (clock === 'real' ? 6 : 1));

const chosen = conformers(seed, Number(values.combined))
  .filter((each) => canBeJudged(each, clock))
  .filter(({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)))
  .filter((_, index) => index % shards === shard - 1);

const scenarios = shippedScenarios.filter(({ needs }) => !(values.light && needs.includes('load-allowed')));
const write = (line: string): void => void process.stdout.write(`${line}\n`);
write(`${chosen.length} endpoints, clock ${clock}, seed ${seed}, ${runs} run(s) of each scenario`);

function scenariosFor(conformer: Conformer): readonly NamedScenario[] {
  if (focus === null) return scenarios;
  const maxWaitMs = clock === 'real' ? QUICK_WAIT_MS : Infinity;
  const telling = distinguishingScenarios(conformer, { seed, scenarios, maxWaitMs });
  const tells = ({ name }: NamedScenario): boolean => telling?.has(name) === true;
  const drawn = createRandom(seed).fork(conformer.name).shuffle(scenarios);
  const some = drawn.filter(tells).slice(0, TELLING_MAX);
  const others = drawn.filter((one) => !tells(one)).slice(0, focus);
  return scenarios.filter((one) => some.includes(one) || others.includes(one));
}

const alarms: Alarm[] = [];
const unstable = new Map<string, string[]>();
const waiting = [...chosen];
let done = 0;

async function next(conformer: Conformer): Promise<void> {
  try {
    const judgement = await judged(conformer, clock, { seed, runs, scenarios: selected.get(conformer)! });
    alarms.push(...judgement.alarms);
    for (const question of judgement.unstable) {
      unstable.set(question, [...(unstable.get(question) ?? []), conformer.name]);
    }
    for (const alarm of judgement.alarms) tell(alarm);
  } catch (error) {
    const { message } = error as Error;
    const alarm: Alarm = {
      conformer: conformer.name,
      clock,
      level: 'must',
      requirement: `cannot be judged: ${message}`,
      failed: 1,
      scenario: '',
      lines: [],
    };
    alarms.push(alarm);
    tell(alarm);
  }
  done += 1;
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${chosen.length}`);
  else if (done % TOLD_EVERY === 0) write(`${done} of ${chosen.length}`);
}

function tell({ conformer, level, requirement, failed, scenario, lines }: Alarm): void {
  write(
    `${level.toUpperCase().padEnd(7)} ${conformer}: ${requirement} (${failed} times, first in ${scenario})`,
  );
  for (const line of lines) write(`          ${line}`);
}

const begun = Date.now();
// Found out beforehand: while endpoints run in real time, nothing else may take it.
const selected = new Map(chosen.map((conformer) => [conformer, scenariosFor(conformer)]));
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let conformer = waiting.shift(); conformer !== undefined; conformer = waiting.shift())
      await next(conformer);
  }),
);

write('');
for (const level of ['must', 'should', 'may', 'warning'] as const) {
  const those = alarms.filter((alarm) => alarm.level === level);
  write(`${level}: ${those.length === 0 ? 'none' : ''}`);
  const byRequirement = new Map<string, Alarm[]>();
  for (const alarm of those)
    byRequirement.set(alarm.requirement, [...(byRequirement.get(alarm.requirement) ?? []), alarm]);
  for (const [requirement, each] of byRequirement) {
    const names = [...new Set(each.map(({ conformer }) => conformer))];
    write(`  ${requirement}: ${names.length} endpoint(s): ${names.slice(0, 4).join(', ')}`);
  }
}
write(`questions that wanted one answer and got several: ${unstable.size === 0 ? 'none' : ''}`);
for (const [question, names] of unstable)
  write(`  ${question}: ${names.length}: ${names.slice(0, 3).join(', ')}`);
write(`${done} endpoints in ${Math.round((Date.now() - begun) / 1000)} s`);
process.exitCode = alarms.some(({ level }) => level === 'must' || level === 'should') ? 1 : 0;
