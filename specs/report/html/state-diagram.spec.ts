import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/oracle/index.js';
import { mergeReports } from '../../../src/report/compare/merge.js';
import type { Report } from '../../../src/report/index.js';
import { lifecycleOf } from '../../../src/report/html/drawings/lifecycle-edges.js';
import { stateDiagram } from '../../../src/report/html/drawings/state-diagram.js';
import { REQUIREMENTS } from '../../../src/spec/index.js';
import { madeUpReport } from '../sample-report.js';

const lifecycle = transitions();
const failing = '2.2/ttl-removes-running';
const report: Report = {
  ...madeUpReport(),
  requirements: REQUIREMENTS.map(({ id, section, level, text }) => ({
    ...{ id, section, level, text, decided: 1, failed: id === failing ? 1 : 0 },
    ...{
      verdict: id === failing ? ('fail' as const) : ('pass' as const),
      reason: null,
      known: null,
      failures: [],
    },
  })),
  transitions: [
    { from: 'IN_QUEUE', to: 'IN_PROGRESS', times: 312, shortestMs: 0, longestMs: 3_600_000 },
    { from: 'IN_QUEUE', to: 'PURGED', times: 2, shortestMs: 5, longestMs: null },
    { from: 'IN_QUEUE', to: 'GONE', times: 3, shortestMs: 9, longestMs: 7 },
    { from: 'COMPLETED', to: 'CANCELLED', times: 4, shortestMs: null, longestMs: null },
  ],
};
const { markup } = stateDiagram(report, lifecycle);
const edge = (from: string, to: string): string =>
  [...markup.matchAll(/<a class="edge.*?<\/a>/gs)].find(([text]) =>
    text.includes(`<title>${from} → ${to} `),
  )![0];

describe('the diagram of the states', () => {
  it('has every state and every transition that the document allows', () => {
    const { edges, states } = lifecycleOf(report, lifecycle);
    const allowed = new Set(
      lifecycle
        .filter(({ from, to, by }) => by !== null && from !== 'PURGED' && to !== 'PURGED')
        .map(({ from, to }) => (to === 'FAILED' ? 'IN_PROGRESS FAILED' : `${from} ${to}`)),
    );
    expect(new Set(edges.map(({ from, to }) => `${from} ${to}`))).toEqual(allowed);
    for (const { from, to } of edges) expect(edge(from, to)).toMatch(/<path class="wide" d="M/);
    for (const { name } of states)
      expect(markup).toMatch(new RegExp(`<a class="state [^>]*><title>${name}: `));
    expect(markup.match(/<text/g)!.length).toBeGreaterThan(edges.length + states.length);
  });

  it('says how often each was seen, and after which times', () => {
    expect(edge('IN_QUEUE', 'IN_PROGRESS')).toContain('class="edge seen"');
    expect(edge('IN_QUEUE', 'IN_PROGRESS')).toMatch(/>312×<.*>0 ms – 1 h</);
    expect(edge('IN_PROGRESS', 'COMPLETED')).toMatch(/class="edge unseen".*never seen/s);
  });

  it('prints no interval backwards where reads prove no difference of the shortest and the longest', () => {
    const seen = { from: 'FAILED', to: 'GONE', times: 4, shortestMs: 10_800, longestMs: 10_600 } as const;
    const drawn = stateDiagram({ ...report, transitions: [seen] }, transitions()).markup;
    expect(drawn).toContain('4× · ~10.6 s – 10.8 s');
  });

  it('takes a purged job for one that is gone', () => {
    expect(edge('IN_QUEUE', 'GONE')).toContain('5× · 5 ms – 7 ms');
    expect(markup).not.toContain('PURGED');
  });

  it('is red where a requirement failed, and links to the requirements', () => {
    expect(edge('IN_PROGRESS', 'GONE')).toMatch(/class="edge fail".*1 failed/s);
    expect(edge('IN_PROGRESS', 'GONE')).toMatch(/href="#requirements\?ids=[^"]*2\.2\/ttl-removes-running/);
    expect(edge('COMPLETED', 'GONE')).toContain('class="edge unseen"');
  });

  it('blames the transition that failed by itself for what several share', () => {
    const both = ['2.2/ttl-default-removes', failing];
    const markOf = (ids: readonly string[], from: string, to: string): string => {
      const requirements = report.requirements.map((one) => ({
        ...one,
        verdict: ids.includes(one.id) ? ('fail' as const) : ('pass' as const),
      }));
      const { edges, states } = lifecycleOf({ ...report, requirements }, lifecycle);
      return to === ''
        ? states.find(({ name }) => name === from)!.mark
        : edges.find((one) => one.from === from && one.to === to)!.mark;
    };
    expect(markOf(both, 'IN_PROGRESS', 'GONE')).toBe('fail');
    expect(markOf(both, 'IN_QUEUE', 'GONE')).toBe('seen');
    expect(markOf(['2.2/ttl-default-removes'], 'IN_QUEUE', 'GONE')).toBe('fail');
    expect(markOf(both, 'IN_PROGRESS', '')).toBe('seen');
    expect(markOf(['3/completed-stays'], 'COMPLETED', '')).toBe('fail');
  });

  it('names what was seen beyond it', () => {
    expect(markup).toContain('Also seen: COMPLETED → CANCELLED (4×).');
  });

  it('stays within its drawing', () => {
    const [, width, height] = /viewBox="0 0 (\d+) ([\d.]+)"/.exec(markup)!;
    for (const [, x, y] of markup.matchAll(/<(?:text|rect) x="([\d.-]+)" y="([\d.-]+)"/g)) {
      expect(Number(x)).toBeLessThan(Number(width));
      expect(Number(y)).toBeLessThan(Number(height));
      expect(Math.min(Number(x), Number(y))).toBeGreaterThan(0);
    }
    expect(markup.length).toBeLessThan(24_000);
  });

  it('is left out where an older report does not tell', () => {
    const { transitions: _, ...older } = report;
    expect(stateDiagram(older, lifecycle).markup).toBe('');
  });
});

it('parts of a check are added up', () => {
  const merged = mergeReports([report, report], { scriptOf: () => null });
  expect(merged.transitions?.[0]).toEqual({ ...report.transitions![0], times: 624 });
  expect(merged.transitions).toHaveLength(4);
});
