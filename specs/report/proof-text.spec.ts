/** The drawing of a proof in characters. */
import { CHARACTER_WIDTH, scale } from '../../src/report/html/drawings/scale.js';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../src/mutants/index.js';
import { rulesFor } from '../../src/core/rules.js';
import { checkTarget } from '../../src/checking/check-target.js';
import { proofDrawing } from '../../src/report/html/drawings/proof-drawing.js';
import { proofText } from '../../src/report/proof-text.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

const BROKEN = '2.2/ttl-removes-running';
const rules = MUTANTS.find(({ id }) => id === 'ttl-spares-running')!.rules(rulesFor({}, 'document'));
const { report, history } = await checkTarget(simulatorTarget({ seed: 1, rules, graceMs: 2_000 }), {
  only: ['2.2/ttl-wins-over-completion'],
  seed: 1,
  runs: 1,
});
const [failure] = report.requirements.find(({ id }) => id === BROKEN)!.failures;

it('a millisecond is drawn as hardly anything beside seconds', () => {
  const x = scale([0, 10_000, 12_000, 12_001], 700);
  expect(x(12_001) - x(12_000)).toBeLessThan(4);
  expect(x(10_000) - x(0)).toBeGreaterThan(x(12_000) - x(10_000));
});

describe('the drawing of a proof in characters', () => {
  it.each([50, 78, 120])('fits into %i columns', (columns) => {
    const lines = proofText(failure!, history, columns)!;
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it('has the calls of the job, the bounds, and the gap between them', () => {
    const lines = proofText(failure!, history, 78)!;
    const ttl = lines.findIndex((line) => / ttl ─*┤$/.test(line));
    const allowed = lines.findIndex((line) => line.includes('allowed lateness'));
    expect(lines[1]).toMatch(/├─+ .*IN_PROGRESS ─+┤$/);
    expect(lines.filter((line) => line.includes('▲')).length).toBeGreaterThanOrEqual(2);
    // The lateness begins where the ttl ends.
    expect(lines[allowed]!.indexOf('├')).toBe(lines[ttl]!.length - 1);
    expect(lines.at(-1)).toMatch(/^ +\d+ ms too late █+$/);
  });

  it.each([30, 40, 50, 80])('has the beginning of each call in %i columns', (columns) => {
    const lines = proofText(failure!, history, columns)!;
    const marks = lines.filter((line) => line.includes('▲'));
    expect(marks.length).toBeGreaterThan(1);
    for (const mark of marks) expect(mark).toMatch(/^ *(▲ )?#\d+ (run|status)\b/);
    expect(lines.at(-1)).toMatch(/\d+ ms too late/);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it('is none where there are no calls to draw', () => {
    expect(proofText({ ...failure!, calls: [], shrunk: null }, history, 78)).toBeNull();
    expect(proofText(failure!, [], 78)).toBeNull();
  });
});

it('on a page, the words of a call that takes long begin within the drawing', () => {
  const [first, last] = [failure!.calls[0], failure!.calls.at(-1)];
  const end = history.find((event) => event.kind === 'call' && event.call === last)!;
  const receivedMs = 'sentMs' in end ? end.sentMs - 1 : 0;
  const slow = history.map((event) =>
    event.kind === 'call' && event.call === first ? { ...event, receivedMs } : event,
  );
  const drawn = proofDrawing(failure!, slow)!.markup;
  const words = [...drawn.matchAll(/<text x="([\d.]+)"[^>]* text-anchor="end">([^<]*)</g)];
  expect(words.map(([, , text]) => text)).toContainEqual(expect.stringMatching(/^#\d+ run .*…$/));
  for (const [, x, text] of words) expect(Number(x) - text!.length * CHARACTER_WIDTH).toBeGreaterThan(0);
});
