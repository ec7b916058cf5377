/**
 * A set-up file of every spec file: measures what it takes, for the record of durations, and fails a file that takes much
 * longer than its kind allows.
 */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { compileLess } from '../../src/threads/compiler.js';
import { BESIDE_OTHERS, kindOf, SECONDS_MAX, TOO_LONG } from './kinds.js';

// Specs play and judge, as the program does.
compileLess();

declare module 'vitest' {
  interface TaskMeta {
    /** What the tests of this file took. */
    took?: Took;
  }
}

/** In seconds. */
export interface Took {
  /** Of processor time, in this process and in those that it has started and that have ended. */
  readonly busyS: number;
  /** Of waiting: the main thread had nothing to do. Waiting for a processor does not count. */
  readonly waitedS: number;
}

/** Linux tells both; elsewhere, what cannot be known counts as nothing. */
const STAT = '/proc/self/stat';
const SCHEDULED = '/proc/self/schedstat';
const isLinux = existsSync(STAT) && existsSync(SCHEDULED);
const TICK_S = 1 / 100;

function childrenS(): number {
  if (!isLinux) return 0;
  // Behind the name, which may hold blanks: `cutime` and `cstime` are the fields 16 and 17 of proc(5).
  const fields = readFileSync(STAT, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_S;
}

/** How long the main thread ran, or could have run. */
function readyS(): number {
  if (!isLinux) return performance.now() / 1e3;
  const [ran, waitedToRun] = readFileSync(SCHEDULED, 'utf8').split(' ').map(Number) as [number, number];
  return (ran + waitedToRun) / 1e9;
}

function now() {
  const { user, system } = process.cpuUsage();
  return { wallS: performance.now() / 1e3, busyS: (user + system) / 1e6 + childrenS(), readyS: readyS() };
}

/** The first file of a process loads the modules for all: only its tests are measured. */
const loaded = globalThis as { specsLoaded?: boolean };
const isFirst = loaded.specsLoaded !== true;
loaded.specsLoaded = true;

const { testPath } = expect.getState();
let begun = now();
if (isFirst)
  beforeAll(() => {
    begun = now();
  });

// oxlint-disable-next-line no-empty-pattern -- vitest wants what it gives first to be taken apart
afterAll(({}, suite) => {
  const ended = now();
  const busyS = ended.busyS - begun.busyS;
  const waitedS = ended.wallS - begun.wallS - (ended.readyS - begun.readyS);
  suite.meta.took = { busyS, waitedS };
  if (kindOf(testPath!) === 'long') return;
  const maxS = BESIDE_OTHERS * SECONDS_MAX;
  if (busyS > maxS)
    throw new Error(`busy for ${busyS.toFixed(1)} s, where ${maxS} s are the most: ${TOO_LONG}`);
});
