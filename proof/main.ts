/**
 * `npm run proofs -- [PROOF] [options]`: that the suite works. Without a name the cases of the ledger that need it are tried
 * (`--time 30m --only precision`), with one that proof by itself. Exits with 1 where one fails.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { durationMs } from '../src/cli/options/values.js';
import { clients } from './clients.js';
import { conformant } from './conformant.js';
import { corpus } from './corpus.js';
import { findings } from './findings.js';
import { proofs } from './ledger/proofs.js';
import { rows } from './lifecycle-row-ablation.js';
import { mutants } from './mutants.js';
import { naive } from './naive.js';
import { passive } from './passive.js';
import { precision } from './precision.js';
import { readings } from './readings.js';
import { traffic } from './traffic.js';
import { COMBINED, variants } from './variants.js';
import type { Wish } from './proof-options.js';

const PROOFS: { readonly [name: string]: (wish: Wish) => Promise<boolean> } = {
  mutants,
  naive,
  readings,
  precision,
  variants,
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
    // Of the ledger.
    time: { type: 'string' },
    save: { type: 'string' },
    // Of single proofs.
    seed: { type: 'string' },
    runs: { type: 'string' },
    threads: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    http: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    dedicated: { type: 'boolean', default: false },
    crashes: { type: 'boolean', default: false },
    calls: { type: 'string', default: '1000000' },
    batch: { type: 'string' },
    mode: { type: 'string', default: 'control' },
    profile: { type: 'string', default: 'quick' },
    server: { type: 'string', multiple: true, default: ['naive', 'mutant'] },
    bursts: { type: 'boolean', default: false },
    focus: { type: 'boolean', default: false },
    clock: { type: 'string', default: 'simulator' },
    others: { type: 'string' },
    combined: { type: 'string' },
    'at-once': { type: 'string' },
    histories: { type: 'string', multiple: true, default: [] },
    every: { type: 'string', default: '1' },
    against: { type: 'string' },
    examples: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const [name] = positionals;
const proof = name === undefined ? proofs : PROOFS[name];
const out = values.out ?? OUT[name ?? ''] ?? 'reports';
if (proof === undefined) throw new Error(`one of ${Object.keys(PROOFS).join(', ')}, or none, for the ledger`);
const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
function oneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new Error(`--${option} is one of ${known.join(', ')}, not ${text}`);
  return found;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seed = numberOf(values.seed) ?? Date.now() % 1_000_000;
if (name !== undefined) say(`--seed ${seed}`);
const atOnce = numberOf(values['at-once']);
const good = await proof({
  seed,
  runs: numberOf(values.runs) ?? (name === 'variants' ? 1 : 2),
  threads: numberOf(values.threads),
  only: values.only.flatMap((text) => text.split(',')),
  http: values.http,
  brief: values.brief,
  real: values.real,
  dedicated: values.dedicated,
  mayCrash: values.crashes,
  calls: Number(values.calls),
  batch: numberOf(values.batch),
  precision: {
    mode: oneOf('mode', values.mode, ['control', 'real', 'simulator']),
    profile: oneOf('profile', values.profile, ['quick', 'standard']),
    servers: values.server.map((text) => oneOf('server', text, ['naive', 'mutant'])),
    bursts: values.bursts,
    focus: values.focus,
    atOnce,
  },
  variants: {
    clock: oneOf('clock', values.clock, ['simulator', 'controlled', 'real']),
    others: numberOf(values.others),
    combined: numberOf(values.combined) ?? COMBINED,
    atOnce,
  },
  ledger: {
    timeMs: values.time === undefined ? null : durationMs('time', values.time, 1),
    save: values.save ?? null,
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
