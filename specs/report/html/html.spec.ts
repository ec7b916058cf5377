import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../src/report/html/index.js';
import { documentView } from '../../../src/report/html/document-view.js';
import { chainsOf } from '../../../src/report/html/drawings/proof-chains.js';
import { proofDrawing } from '../../../src/report/html/drawings/proof-drawing.js';
import { scale } from '../../../src/report/html/drawings/scale.js';
import { followJobs } from '../../../src/oracle/index.js';
import type { CallEvent } from '../../../src/history/events.js';
import type { ContradictionInTime } from '../../../src/oracle/proof/contradiction.js';
import type { ReportFailure } from '../../../src/report/index.js';
import { REQUIREMENTS as CATALOGUE } from '../../../src/spec/index.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { CONTEXT, DOCUMENT, FINDINGS, HISTORY, madeUpReport, REQUIREMENTS } from '../sample-report.js';

const page = renderHtml(madeUpReport(), CONTEXT);

describe('the page', () => {
  it('executes nothing but its own script', () => {
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toContain('alert(1)</script>');
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).toMatch(/script-src &#39;sha256-[A-Za-z0-9+/=]+&#39;/);
  });

  it('loads nothing', () => {
    expect(page).not.toMatch(/\b(src|srcset|action|data)\s*=\s*"/);
    expect(page).not.toMatch(/<link\b|@import|url\(/);
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(targets.filter((href) => !href?.startsWith('#'))).toEqual([]);
  });

  it('has an entry for every requirement, and no broken internal link', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    for (const { id } of REQUIREMENTS) expect(ids).toContain(id);
    const links = [...page.matchAll(/href="#([^"?]*)/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('names the scenario that fails a requirement before others that decided it', () => {
    const [failing, ...others] = FINDINGS.requirements;
    const decidedIn = ['a/first', 'a/second', 'a/third'];
    const findings = { ...FINDINGS, requirements: [{ ...failing!, decidedIn }, ...others] };
    expect(renderHtml(madeUpReport(findings), CONTEXT)).toContain(
      'decided in policy/ttl, a/first, a/second</div>',
    );
  });

  it('links the calls of a failure to their requests and replies', () => {
    expect(page).toContain('<a href="#call-2">#2</a>');
    expect(page).toMatch(/<li class="evidence"><details id="call-2">.*?<b>#2<\/b> read the status of job/s);
    expect(page).toContain('GET /v2/test/status/abc');
    expect(page).toContain('<details class="script" id="script-0">');
  });

  it('tells below a call what its job may have been, where jobs were followed', () => {
    expect(page).not.toContain('What the job may have been');
    const asked: number[] = [];
    const followed = (scripts: ReadonlySet<number>) => {
      asked.push(...scripts);
      return followJobs(HISTORY, scripts);
    };
    const told = renderHtml(madeUpReport(), { ...CONTEXT, followed });
    expect(asked).toEqual([0]);
    expect(told).toMatch(
      /What the job may have been<\/p><div class="message">Before #1 it may have been<br \/> {2}IN_QUEUE {5}entered/,
    );
    expect(told).toContain('After it<br />');
  });

  it('shows causes open, and everything else that failed folded', () => {
    expect(page).toMatch(
      /<div class="cause" id="cause-2\.2\/ttl-removes"><details open><summary><h3>Rule: A job is gone once its <code>ttl<\/code> is over\. Violated in .*<\/h3> <span class="meta id">2\.2\/ttl-removes<\/span>/,
    );
    expect(page).toContain(
      '<details class="fold" id="advice-failures"><summary>Advice not followed: 1</summary>',
    );
    expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="warnings-title"'));
  });

  it('lists every failure where there are several', () => {
    const [, list] = /<nav class="failure-list"[^>]*>(.*?)<\/nav>/s.exec(page)!;
    expect([...list!.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'cause-2.2/ttl-removes',
      'advice-failures',
    ]);
  });

  it('has no row for what the run was not asked about', () => {
    const made = madeUpReport();
    const requirements = made.requirements.map((one) =>
      one.section === '4.6' ? { ...one, selected: false as const } : one,
    );
    const asked = renderHtml({ ...made, requirements }, CONTEXT);
    expect(asked).not.toContain('4.6/retry-failed');
    expect(asked).not.toContain('data-section-link="4.6"');
    expect(asked).toContain('This run was limited to these; 4 others of the document are left out.');
    expect(page).not.toContain('are left out');
  });

  it('shows the run: scripts by length, operations by the state they met', () => {
    expect(page).toContain('<title>script 0: policy/ttl, 12.5 s, 3 calls</title>');
    expect(page).toMatch(/<th scope="row">IN_QUEUE<\/th><td class="number">1<\/td>/);
  });

  it('lists the jobs of the run: state, duration, calls, input and output', () => {
    const made = page.slice(page.indexOf('id="jobs"'), page.indexOf('id="run"'));
    expect(made).toContain('1 job, those of scripts that failed first');
    expect(made).toMatch(/<b>job<\/b> <span class="meta">policy\/ttl · 3 calls · abc<\/span>/);
    expect(made).toContain('<time>9 s</time> <a href="#call-1">#1 status → 200 IN_PROGRESS</a>');
    expect(made).toContain(
      '<dt>Input</dt><dd><code>{&quot;plan&quot;:[{&quot;return&quot;:&quot;it&#39;s&quot;}]}',
    );
  });

  it('says how long answers took, where real time passed', () => {
    const history = HISTORY.map((event) =>
      event.kind === 'run' ? { ...event, clock: 'real' as const } : event,
    );
    const real = renderHtml(madeUpReport(undefined, history), CONTEXT);
    expect(real).toMatch(
      /<th scope="row">\/status<\/th><td class="number">2<\/td>(<td class="number">8 ms<\/td>){4}/,
    );
    expect(page).not.toContain('How long answers took');
  });

  it('draws the calls of a failure in time', () => {
    expect(page).toContain('<svg viewBox');
    expect(page).toContain('class="call involved"');
  });
});

describe('the drawing of a contradiction', () => {
  const call = (number: number, atMs: number, status: string): CallEvent => ({
    ...(HISTORY.find((event) => event.kind === 'call') as CallEvent),
    ...{ call: number, sentTick: 2 * number, endedTick: 2 * number + 1, sentMs: atMs, receivedMs: atMs },
    op: number === 0 ? 'run' : 'status',
    reply: {
      status: 200,
      contentType: null,
      headers: {},
      body: { as: 'json', value: { id: 'abc', status }, bytes: 9 },
    },
  });
  const told = new TraceBuilder(1).submitted(0, 'a', [{ hang: true }], { ttl: 10_000 });
  const findings = told.seen(5, 'a', 'IN_PROGRESS').seen(10_200, 'a', 'IN_PROGRESS').judged(20_000);
  const { failures } = findings.requirements.find(({ id }) => id === '2.2/ttl-removes-running')!;
  const { contradiction } = failures[0]!;
  const failure: ReportFailure = {
    ...madeUpReport().requirements[0]!.failures[0]!,
    ...{
      contradiction: contradiction!,
      calls: [0, 1, 2],
      originMs: 1_000,
      shrunk: { calls: [0, 2], of: 3, history: null },
    },
  };
  const history = [call(0, 1_000, 'IN_QUEUE'), call(1, 1_005, 'IN_PROGRESS'), call(2, 11_200, 'IN_PROGRESS')];
  const drawing = proofDrawing(failure, history)!.markup;

  it('shows the sufficient calls, with times from the start of the script', () => {
    expect(drawing).toContain('#0 run → 200 IN_QUEUE');
    expect(drawing).not.toContain('#1 status');
    expect(drawing).toContain('>10.2 s</text>');
    expect(drawing).toContain('2 of 3 calls prove it');
  });

  it('shows the bounds, and what is too late', () => {
    expect(drawing).toContain('10 s ttl');
    expect(drawing).toContain('100 ms allowed lateness');
    expect(drawing).toContain('100 ms too late');
  });

  it('places the sums in time', () => {
    const { atMost, atLeast, mostMs, leastMs } = chainsOf(contradiction as ContradictionInTime, 0);
    expect(atMost.map(({ toMs }) => toMs)).toEqual([0, 0, 10_000, 10_100]);
    expect(atLeast.map(({ toMs }) => toMs)).toEqual([10_200]);
    expect(leastMs - mostMs).toBe(100);
  });
});

describe('the annotated document', () => {
  it('colours a sentence by its verdict and the worst of several', () => {
    const view = documentView(DOCUMENT, madeUpReport().requirements, REQUIREMENTS).markup;
    expect(view).toContain(
      '<a class="note fail" href="#2.2/ttl-removes" data-ids="2.2/ttl-removes" title="2.2/ttl-removes: failed">' +
        'the job is deleted whatever its state</a>',
    );
    expect(view).toContain('The timer starts at <strong>submission</strong></a>');
    expect(view).toMatch(
      /class="note inconclusive"[^>]*data-ids="4\.6\/retry-failed 4\.6\/retry-timed-out"[^>]*><code>FAILED<\/code>/,
    );
    expect(view).toContain('It is &lt;never&gt; revived');
  });

  it('contains every word of the document', () => {
    const document = readFileSync('docs/queue-endpoint-api.md', 'utf8');
    const findings = CATALOGUE.map(({ id, section, level, text }) => ({
      ...{ id, section, level, text },
      verdict: 'pass' as const,
      decided: 1,
      failed: 0,
      reason: null,
      known: null,
      failures: [],
    }));
    const view = documentView(document, findings, CATALOGUE).markup;
    const words = (text: string): string[] => text.match(/[A-Za-z0-9_]+/g) ?? [];
    const shown = view
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    // The numbers of ordered lists are drawn by the browser.
    const source = document.replace(/^\d+\. /gm, '').replace(/^#+ /gm, '');
    expect(words(shown).join('')).toBe(words(source).join(''));
  });
});

it('the time axis keeps order and ends, from a millisecond to a week', () => {
  const x = scale([604_800_000, 0, 1, 9], 100);
  expect(x(0)).toBe(0);
  expect(x(604_800_000)).toBe(100);
  expect(x(0) < x(1) && x(1) < x(9) && x(9) < x(604_800_000)).toBe(true);
});
