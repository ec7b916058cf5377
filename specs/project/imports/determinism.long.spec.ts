import { describe, expect, it } from 'vitest';
import { lawBreaches } from './determinism-law.js';
import { sourcesIn } from '../sources.js';

/** The rooms that have to be deterministic. */
const UNDER_THE_LAW = [
  'client',
  'core',
  'explore',
  'history',
  'mutants',
  'oracle',
  'runner',
  'schedule',
  'scenario',
  'sim',
  'spec',
  'time',
  'util',
  'worker',
];

/** Files of these rooms that cannot be deterministic, each with the reason. */
const FREE: { readonly [path: string]: string } = {
  'src/worker/run-scripted-worker.ts': 'uses the timers of the process, for services of users',
  'src/time/real-clock.ts': 'is the only source of real time',
};

const bound = UNDER_THE_LAW.flatMap((room) => sourcesIn(`src/${room}`)).filter(
  ({ path }) => FREE[path] === undefined,
);

const breachesOf = (text: string) => lawBreaches({ path: 'src/core/planted.ts', text });

describe('determinism law', () => {
  it('is kept by every file under it', { timeout: 300_000 }, () => {
    expect(bound.length).toBeGreaterThan(100);
    const edit = 'take time and randomness as parameters, or add the file with a reason to FREE in this spec';
    expect(bound.flatMap(lawBreaches), edit).toEqual([]);
  });

  it('frees no file that would keep it', () => {
    const breaking = sourcesIn('src').filter((source) => lawBreaches(source).length > 0);
    const needed = new Set(breaking.map(({ path }) => path));
    const idle = Object.keys(FREE).filter((path) => !needed.has(path));
    expect(idle, 'remove these from FREE in specs/project/imports/determinism-law.ts').toEqual([]);
  });

  it.each([
    ['Date', `const now = Date.now();`],
    ['Date as an object', `const now = new Date();`],
    ['Date behind globalThis', `const now = globalThis.Date.now();`],
    ['performance', `const now = performance.now();`],
    ['Math.random', `const dice = Math.random();`],
    ['crypto', `const id = crypto.randomUUID();`],
    ['a timer', `setTimeout(() => {}, 0);`],
    ['a microtask', `queueMicrotask(() => {});`],
    ['a promise', `const p = Promise.resolve();`],
    ['a promise as a type', `let p: Promise<void>;`],
    ['async', `const f = async () => {};`],
    ['await', `await f();`],
    ['for await', `for await (const x of xs) f(x);`],
    ['for…in', `for (const key in table) f(key);`],
    ['localeCompare', `names.sort((a, b) => a.localeCompare(b));`],
    ['sort without a comparator', `names.sort();`],
    ['toSorted without a comparator', `names.toSorted();`],
    ['the environment', `const home = process.env['HOME'];`],
    ['a part of Node', `import { readFileSync } from 'node:fs';`],
    ['chance beside a digest', `import { createHash, randomUUID } from 'node:crypto';`],
    ['a shorthand', `const world = { performance };`],
  ])('finds a planted breach: %s', (_what, text) => {
    expect(breachesOf(text).length).toBeGreaterThan(0);
  });

  it.each([
    ['a member of a port', `clock.performance(); wants.crypto; step.await;`],
    ['a key of that name', `const steps = { await: 1, process: 2, Date: 3 };`],
    ['a sort with a comparator', `xs.sort((a, b) => a - b);`],
    ['a word in a text', `const text = 'Date, await, Promise'; // setTimeout`],
    ['a digest', `import { createHash } from 'node:crypto';`],
    ['for…of', `for (const [key, value] of table) f(key, value);`],
  ])('lets pass %s', (_what, text) => {
    expect(breachesOf(text)).toEqual([]);
  });
});
