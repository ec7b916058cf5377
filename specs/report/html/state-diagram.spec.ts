import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/oracle/index.js';
import { mergeReports } from '../../../src/report/compare/merge.js';
import { signOf, type FailureSign } from '../../../src/report/calls/failure-sign.js';
import type { Report } from '../../../src/report/index.js';
import { alsoSeen, lifecycleOf } from '../../../src/report/html/drawings/lifecycle-edges.js';
import { stateDiagram } from '../../../src/report/html/drawings/state-diagram.js';
import { REQUIREMENTS } from '../../../src/spec/index.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
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

  describe('blames for what several transitions share', () => {
    const drawnFor = (id: string, sign: Partial<FailureSign>) => {
      const [like] = madeUpReport().requirements[0]!.failures;
      const failures = [{ ...like!, sign: { key: null, answer: null, calls: 2, ...sign } }];
      const requirements = report.requirements.map((one) =>
        one.id === id ? { ...one, verdict: 'fail' as const, failures } : { ...one, verdict: 'pass' as const },
      );
      const { edges, states, unplaced } = lifecycleOf({ ...report, requirements }, lifecycle);
      const red = [...edges.map((one) => ({ ...one, name: `${one.from} → ${one.to}` })), ...states]
        .filter(({ mark }) => mark === 'fail')
        .map(({ name }) => name);
      return { red, unplaced };
    };

    it.each([
      ['2.2/ttl-default-removes', { state: 'IN_PROGRESS' }, 'IN_PROGRESS → GONE'],
      ['2.2/ttl-removes-runsync', { state: 'IN_QUEUE' }, 'IN_QUEUE → GONE'],
      ['2.2/ttl-not-early-completed', { endedAs: 'FAILED' }, 'FAILED → GONE'],
      ['4.6/retries-runsync-job', { endedAs: 'TIMED_OUT' }, 'TIMED_OUT → IN_QUEUE'],
      ['3/completed-stays', {}, 'COMPLETED'],
    ])('the one that its calls tell: %s, %o', (id, sign, part) => {
      expect(drawnFor(id, sign)).toEqual({ red: [part], unplaced: [] });
    });

    it('which are the calls of one job, if they show how it had ended', () => {
      const { events } = new TraceBuilder(1)
        .submitted(0, 'a', [{ return: 1 }])
        .seen(1_050, 'a', 'COMPLETED')
        .submitted(1_100, 'b', [{ hang: true }])
        .seen(1_200, 'b', 'IN_PROGRESS')
        .seen(2_000, 'a', 'GONE');
      const made = events.filter((event) => event.kind === 'call');
      const endedAs = (calls: typeof made): string | undefined =>
        signOf(
          { id: '2.2/ttl-not-early-completed', section: '2.2' },
          { calls: calls.map(({ call }) => call) },
          new Map(made.map((one) => [one.call, one])),
        ).endedAs;
      expect(endedAs(made)).toBe('COMPLETED');
      expect(endedAs(made.filter((_, at) => at !== 1))).toBeUndefined();
      expect(endedAs(made.slice(0, 2))).toBeUndefined();
    });

    it.each([
      // It may have ended after its ttl.
      ['2.2/ttl-default-removes', { state: 'COMPLETED' }],
      ['2.2/ttl-not-early-completed', {}],
      // It may have been to complete, or to fail.
      ['3/success-completes-run', { state: 'IN_PROGRESS' }],
      ['4.3/shows-current-state', { state: 'IN_PROGRESS' }],
    ])('none where they do not tell, and says so: %s, %o', (id, sign) => {
      expect(drawnFor(id, sign)).toEqual({ red: [], unplaced: [id] });
      expect(alsoSeen({ edges: [], states: [], others: [], unplaced: [id] })).toEqual([
        `Failed, but the report does not tell in which of several transitions: ${id}.`,
      ]);
    });
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
