/** The rows of docs/performance.md: what is measured, beside what, and which ratio is wanted. */
import { fileURLToPath } from 'node:url';
import type { Program } from './costs.js';

export interface Row {
  readonly what: string;
  /** Null: the figure itself is wanted. */
  readonly beside: { readonly name: string; readonly program: Program } | null;
  readonly program: Program;
  /**
   * `speed`: units of work in a time, ÷ those of the peer; `cost`: time for a unit, ÷ that of the peer. Without a peer
   * units per second and ms per unit.
   */
  readonly as: 'speed' | 'cost';
  /** The least speed, or the highest cost, that is wanted; null for a row that only informs. */
  readonly aim: number | null;
  readonly unit?: string;
  /** It needs no peer outside of Node and little time, so that CI can guard it. */
  readonly guarded?: true;
  /** A quick run of it, by which CI compares it with earlier commits. */
  readonly watched?: Program;
  /** It takes minutes: it is measured where it is named, and once. */
  readonly slow?: true;
}

const ours = (name: string, ...args: readonly string[]): Program => ({
  file: process.execPath,
  args: [fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url)), ...args],
  prints: true,
});
/** Debian's own Python: there its packages are. */
const python = (name: string, ...args: readonly string[]): Program => ({
  file: '/usr/bin/python3',
  args: [`bench/peers/${name}.py`, ...args],
  prints: true,
});
const node = (prints: boolean, ...args: readonly string[]): Program => ({
  file: process.execPath,
  args,
  prints,
});

/** Bytes, as ms. */
export const LIVE_JOB = ours('live-jobs', 'memory', '200000');
const SIMPY = { name: "SimPy's bare M/M/8", program: python('mm8', '100000') };
const explorer = ours('explorer', '300');
const requests = (op: 'run' | 'status', clients: number, server: string): Program =>
  ours('requests', op, String(clients), server);

export const ROWS: readonly Row[] = [
  {
    what: 'simulator: jobs as values, three timers each',
    program: ours('simulator', 'typed', '200000'),
    beside: { name: 'SimPy with the same timers', program: python('mm8', '50000', 'timers') },
    as: 'speed',
    aim: 30,
    watched: ours('simulator', 'typed', '50000'),
  },
  {
    what: 'simulator: jobs as values, the whole endpoint on',
    program: ours('simulator', 'typed', '200000'),
    beside: SIMPY,
    as: 'speed',
    aim: 8,
  },
  {
    what: 'simulator: jobs as HTTP requests',
    program: ours('simulator', 'http', '100000'),
    beside: SIMPY,
    as: 'speed',
    aim: 1,
    watched: ours('simulator', 'http', '25000'),
  },
  {
    what: 'simulator: jobs as values, the whole endpoint on',
    program: ours('simulator', 'typed', '200000'),
    beside: { name: "Ciw's bare M/M/8", program: python('mm8_ciw', '50000') },
    as: 'speed',
    aim: null,
  },
  {
    what: 'growth: a job beside 1,000,000 live jobs',
    program: ours('live-jobs', 'time', '1000000'),
    beside: { name: 'beside 1,000', program: ours('live-jobs', 'time', '1000') },
    as: 'cost',
    aim: 2,
  },
  {
    what: 'growth: a job beside 100,000 live jobs',
    program: ours('live-jobs', 'time', '100000'),
    beside: { name: 'beside 1,000', program: ours('live-jobs', 'time', '1000') },
    as: 'cost',
    aim: 2,
    guarded: true,
  },
  {
    what: 'memory of a live job',
    program: LIVE_JOB,
    beside: null,
    as: 'cost',
    aim: 600,
    unit: 'bytes',
    guarded: true,
  },
  {
    what: 'scripts: steps of one with 4,000 jobs',
    program: ours('player', 'one', '4000'),
    beside: { name: '4,000 scripts with one', program: ours('player', 'many', '4000') },
    as: 'speed',
    aim: 0.8,
    guarded: true,
  },
  {
    what: 'explorer: calls drawn, simulated and judged',
    program: explorer,
    beside: { name: 'steps of Hypothesis on a small model', program: python('explorer', '200') },
    as: 'speed',
    aim: 30,
  },
  {
    what: 'explorer: calls drawn, simulated and judged',
    program: explorer,
    beside: {
      name: "fast-check's commands on the same small model",
      program: node(true, 'bench/peers/commands.mjs', '1000'),
    },
    as: 'speed',
    aim: null,
  },
  {
    what: 'explorer: calls per CPU-second',
    program: explorer,
    beside: null,
    as: 'speed',
    aim: 50_000,
    unit: '/s',
    watched: ours('explorer', '60'),
  },
  {
    what: 'explorer: CPU time until a fault is found',
    program: ours('faults'),
    beside: { name: 'at 6b96c30', program: ours('earlier', '6b96c30', 'faults') },
    as: 'cost',
    aim: 0.15,
  },
  {
    what: 'judge: observations per CPU-second, explored scripts',
    program: ours('judge', 'explored', '500'),
    beside: null,
    as: 'speed',
    aim: 200_000,
    unit: '/s',
    watched: ours('judge', 'explored', '200'),
  },
  {
    what: 'judge: observations per CPU-second, one endpoint',
    program: ours('judge', 'one-endpoint', '2000'),
    beside: null,
    as: 'speed',
    aim: 400_000,
    unit: '/s',
    watched: ours('judge', 'one-endpoint', '1000'),
  },
  {
    what: 'judge: calls of recorded traffic per CPU-second',
    program: ours('recorded', 'judge', '10000'),
    beside: null,
    as: 'speed',
    aim: 30_000,
    unit: '/s',
    watched: ours('recorded', 'judge', '2000'),
  },
  {
    what: 'judge: a call of recorded traffic',
    program: ours('recorded', 'judge', '10000'),
    beside: { name: '`JSON.parse` of its line', program: ours('recorded', 'parse', '10000') },
    as: 'cost',
    aim: 60,
    guarded: true,
  },
  {
    what: 'cores: `explore` on two',
    program: ours('explore', '2'),
    beside: { name: 'on one', program: ours('explore', '1') },
    as: 'speed',
    aim: 1.8,
  },
  ...([2, 4] as const).map((workers): Row => ({
    what: `campaign: runs with ${workers} workers, one core each`,
    program: ours('campaign', 'workers', String(workers)),
    beside: { name: 'with one', program: ours('campaign', 'workers', '1') },
    as: 'speed',
    aim: null,
  })),
  {
    what: 'campaign: what the queue takes for a chunk',
    program: ours('campaign', 'engine'),
    beside: { name: 'playing it', program: ours('campaign', 'chunk') },
    as: 'cost',
    aim: 0.02,
  },
  {
    what: 'long time: a script with a ttl of seven days',
    program: ours('long-time'),
    beside: null,
    as: 'cost',
    aim: 1,
    unit: 'ms',
  },
  ...(['run', 'status'] as const).flatMap((op): readonly Row[] => [
    {
      what: `server: \`/${op}\` requests`,
      program: requests(op, 16, 'emulator'),
      beside: { name: 'bare Hono that answers as much', program: requests(op, 16, 'hono') },
      as: 'speed',
      aim: 0.6,
    },
    {
      what: `server: \`/${op}\` requests`,
      program: requests(op, 16, 'emulator'),
      beside: { name: 'bare `node:http` that answers as much', program: requests(op, 16, 'node-http') },
      as: 'speed',
      aim: null,
    },
  ]),
  {
    what: '`--data`: `/run` requests of 128 clients',
    program: requests('run', 128, 'emulator-with-data'),
    beside: { name: 'in memory', program: requests('run', 128, 'emulator') },
    as: 'speed',
    aim: 0.4,
  },
  {
    what: '`--data`: `/run` requests of 32 clients, each sync 50 ms longer',
    program: requests('run', 32, 'emulator-on-slow-disk'),
    beside: null,
    as: 'speed',
    aim: 500,
    unit: '/s',
  },
  {
    what: 'suite under test control: a request',
    program: ours('suite', 'suite'),
    beside: { name: 'a bare round trip', program: ours('suite', 'round-trips') },
    as: 'cost',
    aim: 3,
  },
  {
    what: 'network: the suite under test control, each reply 50 to 400 ms late',
    program: ours('network', '50', '400'),
    beside: null,
    as: 'cost',
    aim: 3,
    unit: 'min',
    slow: true,
  },
  {
    what: 'start: `runproof --version`',
    program: node(false, 'bin/runproof.js', '--version'),
    beside: { name: '`node -e 0`', program: node(false, '-e', '0') },
    as: 'cost',
    aim: 3,
    guarded: true,
    watched: node(false, 'bin/runproof.js', '--version'),
  },
];
