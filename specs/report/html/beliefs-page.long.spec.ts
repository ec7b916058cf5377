/** The page of a failure in a browser: keys, "why not?", print, and a script of ten thousand calls. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/history/events.js';
import { decisionsOn, followJobs, judge } from '../../../src/oracle/index.js';
import { htmlPages } from '../../../src/report/html/index.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { axeFaults } from '../../server/page/axe-faults.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../../server/page/browser.js';
import { CONTEXT, madeUpReport } from '../sample-report.js';

/** A job outlives its ttl, another one is cancelled without an answer. */
const late = (): readonly HistoryEvent[] =>
  new TraceBuilder(2)
    .submitted(0, 'a', [{ hang: true }], { ttl: 10_000 })
    .submitted(10, 'b', [{ sleepMs: 20_000 }, { return: 1 }])
    .seen(200, 'a', 'IN_PROGRESS')
    .call(300, 'health', null, 429, {})
    .lost(2_000, 'cancel', 'b', 'timeout', 3_000)
    .seen(9_000, 'a', 'IN_PROGRESS')
    .seen(12_000, 'a', 'IN_PROGRESS')
    .history(60_000);

/** A job goes back to the queue: a failure whose drawing is wider than a phone. */
const reverted = (): readonly HistoryEvent[] =>
  new TraceBuilder(1)
    .submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }])
    .seen(60, 'a', 'IN_PROGRESS')
    .seen(4_000, 'a', 'IN_QUEUE')
    .history(60_000);

const CALLS = 10_000;
const MEGABYTE = 1_000_000;

/** A job is read until it has outlived its ttl. */
function long(): readonly HistoryEvent[] {
  const trace = new TraceBuilder(null).submitted(0, 'a', [{ hang: true }], { ttl: 10 * CALLS });
  for (let call = 1; call < CALLS - 1; call += 1)
    trace.seen(10 * call, 'a', call < 5_000 ? 'IN_QUEUE' : 'IN_PROGRESS');
  return trace.seen(11 * CALLS, 'a', 'IN_PROGRESS').history(20 * CALLS);
}

function pageOf(history: readonly HistoryEvent[]): string {
  const report = madeUpReport(judge(history), history);
  const [, page] = htmlPages(report, {
    ...CONTEXT,
    history,
    followed: (scripts) => followJobs(history, scripts),
    decided: (wanted) => decisionsOn(history, wanted),
  });
  return page!.content;
}

let crowded = '';
beforeAll(() => void (crowded = pageOf(long())), 60_000);

it('has ten thousand calls in a megabyte', () => {
  expect(crowded.length).toBeGreaterThan(100_000);
  expect(crowded.length).toBeLessThan(MEGABYTE);
});

describe.skipIf(CHROMIUM === null)(
  `the page of a failure in a browser${CHROMIUM === null ? ` (${NO_CHROMIUM})` : ''}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'runproof-beliefs-'));
    let browser: Browser;

    beforeAll(async () => {
      writeFileSync(join(folder, 'late.html'), pageOf(late()));
      writeFileSync(join(folder, 'reverted.html'), pageOf(reverted()));
      writeFileSync(join(folder, 'long.html'), crowded);
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true });
    });

    async function opened(
      name = 'late',
      hash = '',
      width = 1_400,
    ): Promise<{ page: Page; errors: string[] }> {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('request', (request) => request.url().startsWith('file:') || errors.push(request.url()));
      await page.goto(pathToFileURL(join(folder, `${name}.html`)).href + hash);
      return { page, errors };
    }

    it('begins at the call that shows the failure, and steps by keys and buttons', async () => {
      const { page, errors } = await opened();
      const now = (): Promise<string | null> => page.textContent('#now');
      expect(await now()).toBe('12 s: #6 read the status of a → 200 IN_PROGRESS');
      expect(await page.textContent('.lane')).toContain('nothing explains #6');
      expect(await page.textContent('#bodies')).toMatch(/^Reply\{"id":"a","status":"IN_PROGRESS",/);
      expect(await page.textContent('.clues dd >> nth=2')).toBe('at least 1.9 s too late');
      await page.keyboard.press('ArrowLeft');
      expect(await now()).not.toContain('#6');
      while ((await now())?.includes('#2') !== true) await page.keyboard.press('ArrowLeft');
      expect(new URL(page.url()).hash).toBe('#call-2');
      expect(await page.textContent('[aria-current=step]')).toContain('#2');
      expect(await page.textContent('#told')).toMatch(
        /^200 ms: #2 read the status of a.*Job a: is IN_PROGRESS, entered between 0 s and 100 ms$/,
      );
      await page.click('#next');
      expect(await now()).toContain('#3 read /health');
      expect(await page.textContent('[aria-current=step] .mark >> nth=1')).toBe('429');
      expect(errors).toEqual([]);
    });

    it('opens at the call of the address, and keeps the focus of who steps through the list', async () => {
      const { page } = await opened('late', '#call-1');
      expect(await page.textContent('#now')).toContain('#1 submit');
      await page.focus('#at-1');
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate('document.activeElement.id')).toBe('at-2');
    });

    it.each([
      [1_440, 900],
      [390, 800],
    ])('shows the step first at %i × %i, and keeps it in view', async (width, height) => {
      const { page } = await opened('late', '#call-5', width);
      await page.setViewportSize({ width, height });
      const placeOf = (id: string): Promise<number> =>
        page.$eval(id, (one) => one.getBoundingClientRect().top);
      expect(await placeOf('#now')).toBeLessThan(height);
      expect(await placeOf('#lanes')).toBeLessThan(await placeOf('.clues'));
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      for (const key of ['ArrowLeft', 'ArrowRight']) {
        await page.keyboard.press(key);
        expect(await placeOf('#now')).toBeGreaterThanOrEqual(0);
        expect(await placeOf('#lanes')).toBeLessThan(height);
      }
    });

    it('has the headers of the call', async () => {
      const { page } = await opened('late', '#call-2');
      await page.click('#headers summary');
      expect(await page.innerText('#headers pre')).toMatch(
        /^GET \/v2\/e\/status\/a\nauthorization: .*\n\n200(\n[a-z-]+: .*)*$/,
      );
    });

    it('answers why not, in the lane and aloud, and again at each step', async () => {
      const { page, errors } = await opened('late', '#call-5');
      await page.click('#why-0-GONE');
      expect(await page.textContent('.answer')).toMatch(
        /At 9 s it cannot be GONE.*2\.2\/ttl-not-early-running/,
      );
      expect(await page.textContent('#answer')).toContain('it cannot be GONE');
      await page.keyboard.press('ArrowRight');
      expect(await page.textContent('.answer')).toMatch(/At 1\d/);
      expect(errors).toEqual([]);
    });

    it('prints all steps', async () => {
      const { page } = await opened();
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('#lanes')).toBe(false);
      expect(await page.$$eval('#all > li', (all) => all.length)).toBeGreaterThan(7);
      expect(await page.innerText('#all')).toContain('nothing explains #6');
    });

    it('has no fault of accessibility, and fits a phone', async () => {
      const { page } = await opened('late', '#call-5');
      await page.click('#why-0-GONE');
      expect(await axeFaults(page)).toEqual([]);
      const other = await opened('reverted');
      expect(await axeFaults(other.page)).toEqual([]);
      expect(await other.page.getAttribute('.scroll', 'tabindex')).toBe('0');
      expect(other.errors).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.$eval('html', ({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(390);
    });

    it('paints ten thousand calls at once', async () => {
      const { page, errors } = await opened('long');
      const painted = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null';
      const paints: number[] = [];
      // A busy machine may delay one of them.
      for (let load = 0; load < 3; load += 1) {
        await page.reload();
        await expect.poll(() => page.evaluate(painted)).not.toBeNull();
        paints.push(await page.evaluate<number>(painted));
      }
      expect(Math.min(...paints)).toBeLessThan(1_000);
      expect(await page.textContent('#step')).toBe(`${CALLS} of ${CALLS}`);
      await page.keyboard.press('ArrowLeft');
      expect(await page.textContent('#step')).toBe(`${CALLS - 1} of ${CALLS}`);
      expect(errors).toEqual([]);
    });
  },
);
