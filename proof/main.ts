/**
 * `npm run mutants`, `npm run naive`, `npm run readings`, `npm run precision`, `npm run conformant`, `npm run passive`,
 * `npm run clients`: the proofs that the suite works; `npm run corpus`, `npm run findings`: that the oracle still says
 * what it said.
 * Exits 1 where one fails.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clients } from './clients.js';
import { conformant } from './conformant.js';
import { corpus } from './corpus.js';
import { findings } from './findings.js';
import { mutants } from './mutants.js';
import { naive } from './naive.js';
import { passive } from './passive.js';
import { precision } from './precision.js';
import { readings } from './readings.js';
import { rows } from './lifecycle-row-ablation.js';
import { traffic } from './traffic.js';
import type { Wish } from './proof-options.js';

const PROOFS: { readonly [name: string]: (wish: Wish) => Promise<boolean> } = {
  mutants,
  naive,
  readings,
  precision,
  conformant,
  passive,
  traffic,
  clients,
  corpus,
  findings,
  rows,
};
/** Where each of them writes; the others write tables. */
const OUT: { readonly [name: string]: string } = {
  corpus: 'reports/corpus',
  findings: 'reports/findings.ndjson',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '2' },
    threads: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    http: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    dedicated: { type: 'boolean', default: false },
    calls: { type: 'string', default: '1000000' },
    batch: { type: 'string' },
    mode: { type: 'string', default: 'control' },
    profile: { type: 'string', default: 'quick' },
    server: { type: 'string', multiple: true, default: ['naive', 'mutant'] },
    shard: { type: 'string', default: '1/1' },
    resume: { type: 'boolean', default: false },
    'judge-again': { type: 'boolean', default: false },
    bursts: { type: 'boolean', default: false },
    focus: { type: 'boolean', default: false },
    'at-once': { type: 'string' },
    histories: { type: 'string', multiple: true, default: [] },
    every: { type: 'string', default: '1' },
    against: { type: 'string' },
    examples: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const name = positionals[0] ?? '';
const proof = PROOFS[name];
const out = values.out ?? OUT[name] ?? 'reports';
if (proof === undefined) throw new Error(`one of ${Object.keys(PROOFS).join(', ')}`);
const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
function oneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new Error(`--${option} is one of ${known.join(', ')}, not ${text}`);
  return found;
}

function shardOf(text: string): { nth: number; of: number } {
  const [nth = 0, of = 0] = text.split('/').map(Number);
  if (!(nth >= 1 && nth <= of)) throw new Error(`--shard wants a share such as 1/4, not ${text}`);
  return { nth, of };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seed = numberOf(values.seed) ?? Date.now() % 1_000_000;
say(`--seed ${seed}`);
const good = await proof({
  seed,
  runs: Number(values.runs),
  threads: numberOf(values.threads),
  only: values.only.flatMap((text) => text.split(',')),
  http: values.http,
  brief: values.brief,
  real: values.real,
  dedicated: values.dedicated,
  calls: Number(values.calls),
  batch: numberOf(values.batch),
  precision: {
    mode: oneOf('mode', values.mode, ['control', 'real', 'simulator']),
    profile: oneOf('profile', values.profile, ['quick', 'standard']),
    servers: values.server.map((text) => oneOf('server', text, ['naive', 'mutant'])),
    shard: shardOf(values.shard),
    resume: values.resume,
    judgeAgain: values['judge-again'],
    bursts: values.bursts,
    focus: values.focus,
    atOnce: numberOf(values['at-once']),
  },
  findings: {
    histories: values.histories,
    every: Number(values.every),
    against: values.against ?? null,
    examples: Number(values.examples),
  },
  out,
  say,
  write(file, text) {
    mkdirSync(out, { recursive: true });
    const path = join(out, file);
    writeFileSync(path, text);
    say(`wrote ${path}`);
  },
});
process.exitCode = good ? 0 : 1;
