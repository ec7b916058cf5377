/** The life of a job as a file: SVG and Mermaid say the same as the page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { transitions } from '../../src/oracle/index.js';
import type { Report } from '../../src/report/index.js';
import { lifecycleOf } from '../../src/report/html/drawings/lifecycle-edges.js';
import { stateMermaid } from '../../src/report/html/drawings/state-mermaid.js';
import { stateSvg } from '../../src/report/html/drawings/state-svg.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { CHROMIUM, openBrowser } from '../server/page/browser.js';
import { madeUpReport } from './sample-report.js';

const failing = ['2.2/ttl-removes-running', '3/completed-stays'];
const report: Report = {
  ...madeUpReport(),
  requirements: REQUIREMENTS.map(({ id, section, level, text }) => ({
    ...{ id, section, level, text, decided: 1, failed: 0, reason: null, known: null, failures: [] },
    verdict: failing.includes(id) ? ('fail' as const) : ('pass' as const),
  })),
  transitions: [
    { from: 'IN_QUEUE', to: 'IN_PROGRESS', times: 312, shortestMs: 0, longestMs: 3_600_000 },
    { from: 'COMPLETED', to: 'CANCELLED', times: 4, shortestMs: null, longestMs: null },
  ],
};
const lifecycle = lifecycleOf(report, transitions());

describe('as SVG', () => {
  const svg = stateSvg(lifecycle);

  it('has its styles, and refers to nothing outside', () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/href|https?:|url\(|@import|<script/);
  });

  it('names what failed, and what was seen beyond the document', () => {
    expect(svg).toContain('>Failed: 2.2/ttl-removes-running (IN_PROGRESS → GONE)<');
    expect(svg).toContain('>Failed: 3/completed-stays (COMPLETED)<');
    expect(svg).toContain('>Also seen: COMPLETED → CANCELLED (4×).<');
    expect(svg).toMatch(/>312×<.*>0 ms – 1 h</);
    expect(svg).toMatch(/<g class="edge unseen"><title>IN_PROGRESS → COMPLETED /);
  });

  it.skipIf(CHROMIUM === null)('is an image whose words lie inside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runproof-svg-'));
    const browser = await openBrowser();
    try {
      writeFileSync(join(folder, 'a.svg'), svg);
      const page = await browser.newPage({ colorScheme: 'dark' });
      await page.goto(pathToFileURL(join(folder, 'a.svg')).href);
      const found: { readonly count: number; readonly outside: number; readonly ground: string } =
        await page.evaluate(`(() => {
          const whole = document.documentElement.getBoundingClientRect();
          const boxes = [...document.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
          const isOutside = ({ left, right, top, bottom }) =>
            left < whole.left || right > whole.right || top < whole.top || bottom > whole.bottom;
          const ground = getComputedStyle(document.querySelector('.ground')).fill;
          return { count: boxes.length, outside: boxes.filter(isOutside).length, ground };
        })()`);
      expect(found.outside).toBe(0);
      expect(found.count).toBeGreaterThan(30);
      expect(found.ground).toBe('rgb(28, 32, 36)');
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('as Mermaid', () => {
  const lines = stateMermaid(lifecycle).split('\n');

  it('says how often each transition was seen, and after which times', () => {
    expect(lines[0]).toBe('stateDiagram-v2');
    expect(lines).toContain('  IN_QUEUE --> IN_PROGRESS: worker<br/>312×<br/>0 ms – 1 h');
    expect(lines).toContain('  IN_PROGRESS --> COMPLETED: handler<br/>never seen');
    expect(lines.filter((line) => / --> /.test(line))).toHaveLength(lifecycle.edges.length + 1);
  });

  it('marks what failed', () => {
    expect(lines).toContain('  IN_PROGRESS --> GONE: ttl<br/>✘ 1 failed');
    expect(lines).toContain('  %% Failed: 2.2/ttl-removes-running (IN_PROGRESS → GONE)');
    expect(lines).toContain('  class COMPLETED fail');
    expect(lines.find((line) => line.startsWith('  classDef fail '))).toMatch(/stroke:#b3261e/);
  });

  it('has no colon or semicolon in a label, which would end it', () => {
    for (const line of lines.filter((one) => / --> /.test(one)))
      expect(line).toMatch(/^ {2}\S+ --> \w+: [^:;#]+$/);
  });
});
