import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html/index.js';
import { documentView } from '../../src/report/html/document-view.js';
import { scale } from '../../src/report/html/time-axis.js';
import { REQUIREMENTS as CATALOGUE } from '../../src/spec/index.js';
import { CONTEXT, DOCUMENT, madeUpReport, REQUIREMENTS } from './made-up.js';

const page = renderHtml(madeUpReport(), CONTEXT);

describe('the page', () => {
  it('executes nothing but its own script', () => {
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toContain('alert(1)</script>');
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).toMatch(/script-src &#39;sha256-[A-Za-z0-9+/=]+&#39;/);
  });

  it('loads nothing from anywhere', () => {
    expect(page).not.toMatch(/\b(src|srcset|action|data)\s*=\s*"/);
    expect(page).not.toMatch(/<link\b|@import|url\(/);
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(targets.filter((href) => !href?.startsWith('#'))).toEqual([]);
  });

  it('has an entry for every requirement, and every link of its own leads somewhere', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    for (const { id } of REQUIREMENTS) expect(ids).toContain(id);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('draws the calls of a failure in time', () => {
    expect(page).toContain('<svg viewBox');
    expect(page).toContain('class="call involved"');
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

  it('loses no word of the document', () => {
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
