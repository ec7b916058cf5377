/**
 * `npx jiti specs/hostile/main.ts`, after `npm run build`: tries every mode of the hostile server with a budget of 5 s, a slice of them with Ctrl-C in the
 * middle as well, then puts a proxy before every mode, and prints what came of each. Exits 1 where something does not
 * hold.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Limits } from './expectations.js';
import { MODES } from './modes/index.js';
import { tryMode, type ModeResult } from './try-mode.js';
import { tryProxy } from './try-proxy.js';

const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
    interrupt: { type: 'boolean', default: false },
    scope: { type: 'string', default: '' },
    patience: { type: 'string', default: '60' },
    list: { type: 'boolean', default: false },
    subject: { type: 'string', default: 'check,proxy' },
  },
});

const limits: Limits = {
  budgetMs: Number(values.budget) * 1000,
  overrunMs: 3_000,
  stopMs: 2_000,
  memoryMb: 600,
};
const only = values.only.flatMap((text) => text.split(','));
const chosen = MODES.filter(({ name }) => only.length === 0 || only.some((one) => matches(name, one)));
const how = {
  program: join(import.meta.dirname, '../../bin/runproof.js'),
  limits,
  seed: Number(values.seed),
  scope: values.scope.split(' ').filter((word) => word !== ''),
  keep: values.keep,
  killAfterMs: Number(values.patience) * 1000,
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function matches(name: string, glob: string): boolean {
  return glob.endsWith('*') ? name.startsWith(glob.slice(0, -1)) : name === glob;
}

if (values.list) {
  for (const { name, what } of MODES) say(`${name.padEnd(30)} ${what}`);
  process.exit(0);
}
say(`${chosen.length} of ${MODES.length} modes, budget ${values.budget} s, --seed ${values.seed}`);
const subjects = values.subject.split(',');
if (subjects.includes('check')) say(`${'mode'.padEnd(34)} exit    calls  seconds    MB  jobs left  secrets`);

/** Every fifth is stopped by Ctrl-C too, when half of its budget is over. */
const STOPPED_EACH = 5;
const wanted = (subjects.includes('check') ? chosen : []).flatMap((mode, at) => [
  ...(values.interrupt ? [] : [{ mode, interruptAfterMs: null }]),
  ...(values.interrupt || at % STOPPED_EACH === 0 ? [{ mode, interruptAfterMs: limits.budgetMs / 2 }] : []),
]);
const tried: ModeResult[] = [];
const queue = [...wanted];
await Promise.all(
  Array.from({ length: Number(values['at-once']) }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const one = await tryMode(next.mode, { ...how, interruptAfterMs: next.interruptAfterMs });
      tried.push(one);
      for (const line of linesOf(one)) say(line);
    }
  }),
);

function linesOf({
  mode,
  interrupted,
  ran,
  calls,
  jobsLeft,
  unnamed,
  secrets,
  breaches,
}: ModeResult): readonly string[] {
  const name = `${mode.name}${interrupted ? ' (Ctrl-C)' : ''}`;
  const time =
    ran.stoppedWithinMs === null ? '' : ` (${(ran.stoppedWithinMs / 1000).toFixed(1)} s after Ctrl-C)`;
  const jobs = jobsLeft === unnamed ? String(jobsLeft) : `${unnamed} (${jobsLeft} named)`;
  const row = [
    name.padEnd(34),
    String(ran.exit ?? ran.signal).padStart(4),
    String(calls).padStart(8),
    (ran.tookMs / 1000).toFixed(1).padStart(8),
    String(ran.peakMb).padStart(5),
    jobs.padStart(10),
    String(secrets).padStart(8),
  ];
  return [
    `${row.join(' ')}${time}`,
    ...breaches.slice(0, 8).map((breach) => `    ! ${breach.slice(0, 400)}`),
  ];
}

const most = (numbers: readonly number[]): number => Math.max(0, ...numbers);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const bad = tried.filter(({ breaches }) => breaches.length > 0);
if (subjects.includes('check')) sayTotals();

let proxied = 0;
let proxiedBad = 0;
if (subjects.includes('proxy')) {
  await tryProxy(chosen, { program: how.program, memoryMb: limits.memoryMb }, ({ name, breaches }) => {
    proxied += 1;
    if (breaches.length > 0) proxiedBad += 1;
    for (const breach of breaches) say(`proxy: ${name}\n    ! ${breach.slice(0, 400)}`);
  });
  say(`the proxy: ${proxied - proxiedBad} of ${proxied} servers and clients hold`);
}
process.exitCode = bad.length + proxiedBad === 0 ? 0 : 1;

function sayTotals(): void {
  say('');
  say(
    `longest overrun of the budget: ${(most(tried.map(({ ran }) => ran.tookMs - limits.budgetMs)) / 1000).toFixed(1)} s (≤ 3 s)`,
  );
  say(
    `longest wait after Ctrl-C:     ${(most(tried.map(({ ran }) => ran.stoppedWithinMs ?? 0)) / 1000).toFixed(1)} s (≤ 2 s)`,
  );
  say(`highest memory:                ${most(tried.map(({ ran }) => ran.peakMb))} MB (≤ 600 MB)`);
  say(`jobs left that nobody names:   ${sum(tried.map(({ unnamed }) => unnamed))}`);
  say(
    `jobs left and named:           ${sum(tried.map(({ jobsLeft, unnamed }) => jobsLeft - unnamed))}, where the server does not let them be ended`,
  );
  say(`secrets found:                 ${sum(tried.map(({ secrets }) => secrets))}`);
  say(`${tried.length - bad.length} of ${tried.length} runs hold`);
  if (bad.length > 0) say(`not: ${[...new Set(bad.map(({ mode }) => mode.name))].join(', ')}`);
}
