import { describe, expect, it } from 'vitest';
import { mergeReports } from '../../../src/report/compare/merge.js';
import type { Report } from '../../../src/report/index.js';
import { latenessCard } from '../../../src/report/html/drawings/lateness-strip.js';
import { HOSTILE, madeUpReport } from '../sample-report.js';

const withTimers = (lateness: Report['lateness'], graceMs = 2_000): Report => ({
  ...madeUpReport(),
  lateness,
  graceMs,
});
const ttl = { maxMs: 1_500, samples: 9, strikes: 8, usualMs: 10 };
const spread = [
  [0, 1],
  [10, 6],
  [null, 1],
] as const;
const places = (markup: string, part: RegExp): number[] =>
  [...markup.matchAll(part)].map(([, x]) => Number(x));

describe('the strip of each timer', () => {
  const { markup } = latenessCard(withTimers({ ttl: { ...ttl, spread } }));

  it('has a dot for each bound, larger where more were seen, and one mark of the latest', () => {
    const dots = places(markup, /<circle cx="([\d.]+)"/g);
    expect(dots).toHaveLength(3);
    expect(dots.toSorted((a, b) => a - b)).toEqual(dots);
    const [few, many] = places(markup, /<circle [^>]*r="([\d.]+)"/g);
    expect(many).toBeGreaterThan(few!);
    expect(markup).toContain('<title>at most 10 ms: 6 times</title>');
    const [latest] = places(markup, /class="least" d="M([\d.]+)/g);
    const [limit] = places(markup, /class="limit" d="M([\d.]+)/g);
    expect(latest).toBeGreaterThan(dots[1]!);
    expect(latest).toBeLessThan(limit!);
    expect(markup).toContain('2 s allowed');
  });

  it('says the same in words', () => {
    expect(markup).toContain(
      'aria-label="ttl: once late by at least 1.5 s (9 observations); 90 % late by at most 10 ms (8 measured)"',
    );
    expect(markup).toMatch(/<td>ttl<\/td><td class="number">1.5 s<\/td>/);
  });

  it('stays within the drawing whatever was measured, and escapes names', () => {
    const { markup: odd } = latenessCard(
      withTimers(
        {
          [HOSTILE]: {
            ...ttl,
            maxMs: 1e12,
            spread: [
              [0, 1e9],
              [100_000, 1e9],
            ],
          },
        },
        0,
      ),
    );
    for (const x of places(odd, /(?:cx="|d="M)([\d.]+)/g)) expect(x).toBeLessThanOrEqual(860);
    for (const r of places(odd, / r="([\d.]+)"/g)) expect(r).toBeLessThanOrEqual(12);
    expect(odd).not.toContain('<script>');
    expect(odd).not.toMatch(/NaN|Infinity/);
  });

  it('draws what an older report has', () => {
    const { markup: older } = latenessCard(withTimers({ ttl }));
    expect(older).not.toContain('<circle');
    expect(older).toContain('class="least"');
  });
});

it('the parts of a check are added up', () => {
  const report = withTimers({ ttl: { ...ttl, spread } });
  const other = withTimers({
    ttl: {
      ...ttl,
      spread: [
        [5, 2],
        [null, 3],
      ],
    },
  });
  expect(mergeReports([report, other], { scriptOf: () => null }).lateness['ttl']!.spread).toEqual([
    [0, 1],
    [5, 2],
    [10, 6],
    [null, 4],
  ]);
});
