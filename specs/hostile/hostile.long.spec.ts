/** Of the cheapest telling modes of the hostile server, a share; specs/hostile/main.ts tries all modes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileCommandLine, type Compiled } from '../server/kill/compiled.js';
import { drawnByCommit } from '../support/whole.js';
import { MODES } from './modes/index.js';
import { badXml, liveParts } from './markup.js';
import { searchFor } from './secrets.js';
import { tryMode } from './try-mode.js';

const SLICE: readonly (readonly [mode: string, ...scope: string[]])[] = [
  ['many-headers', '4.3'],
  ['type-lies', '4.3'],
  ['lone-surrogates', '4.3'],
  ['id-prototypes', '4.3'],
  ['text-terminal', '4.3'],
  ['id-controls', '4.3'],
  ['page-markdown', '4.3'],
  ['text-workflow-commands', '4.3'],
  ['text-attributes', '4.3'],
  ['echo-cut', '4.3'],
  ['webhook-deep'],
];

let program: Compiled;
beforeAll(async () => {
  program = await compileCommandLine();
}, 120_000);
afterAll(() => program.dispose());

const limits = { budgetMs: 5_000, overrunMs: 3_000, stopMs: 2_000, memoryMb: 600 };

describe('check', () => {
  it.concurrent.each(drawnByCommit(SLICE, 3))('stands %s', { timeout: 120_000 }, async (name, ...scope) => {
    const mode = MODES.find((one) => one.name === name);
    if (mode === undefined) throw new Error(`there is no mode ${name}`);
    const tried = await tryMode(mode, {
      program: program.script,
      limits,
      scope,
      interruptAfterMs: null,
      seed: 1,
      killAfterMs: 30_000,
    });
    expect(tried.breaches).toEqual([]);
    // The probes make five.
    expect(tried.calls).toBeGreaterThan(5);
  });
});

it('mode names are unique', () => {
  expect(new Set(MODES.map(({ name }) => name)).size).toBe(MODES.length);
});

describe('the expectations of every run', () => {
  const KEY = 'rp_Example+Key/0123456789';
  const search = searchFor([KEY]);
  const swapped = [...KEY].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');

  it.each([
    KEY,
    KEY.slice(0, -1),
    KEY.slice(1),
    KEY.slice(0, 14),
    swapped,
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(`Bearer ${KEY}`).toString('base64'),
    Buffer.from(`x:${KEY.slice(0, -1)}`).toString('base64'),
    Buffer.from(KEY).toString('hex'),
    [...KEY].map((c) => `&#${c.codePointAt(0)};`).join(''),
  ])('a search finds the secret in %s', (text) => expect(search(`before ${text} after`)).toHaveLength(1));

  it('a search finds no secret where there is none', () => {
    expect(search('before [redacted] after, rp_Example and 0123456')).toEqual([]);
  });

  const PAGE = '<html><script>1</script><a href="#x">y</a>';
  it.each([
    ['', []],
    ['&lt;img src=x onerror=y&gt;', []],
    ['<img src=x onerror=hostile()>', ['<img>', 'onerror="hostile()" of <img>']],
    ['<p title="a>b" onclick=\'x\'>', ['onclick="x" of <p>']],
    ['<a href="javascript:x">', ['href="javascript:x" of <a>']],
    ['<script>2</script>', ['2 scripts']],
    ['<svg/onload=x>', ['onload="x" of <svg>']],
  ])('markup %j that runs is found', (text, parts) => expect(liveParts(PAGE + text)).toEqual(parts));

  it.each([
    ['<a><b x="1>2"/></a>', null],
    ['<a><![CDATA[<b>&]]></a>', null],
    ['<a>\u0001</a>', 'U+1 may not stand in XML'],
    ['<a>&x;</a>', '"&x;</a>" is no reference'],
    ['<a><b></a>', '</a> ends what is not open'],
    ['<a>', '<a> is never closed'],
  ])('%j as XML: %s', (text, problem) => expect(badXml(text)).toBe(problem));
});
