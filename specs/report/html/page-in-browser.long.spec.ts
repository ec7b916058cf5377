/** The page in a browser: folding, filters in the address, sorting, calls that open. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matrixHtml, matrixOf } from '../../../src/report/compare/matrix.js';
import { renderHtml } from '../../../src/report/html/index.js';
import { axeFaults } from '../../server/page/axe-faults.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../../server/page/browser.js';
import { CONTEXT as CLIENT_CONTEXT, MIXED, written } from '../client/sample.js';
import { followJobs } from '../../../src/oracle/index.js';
import { CONTEXT, HISTORY, madeUpReport } from '../sample-report.js';

describe.skipIf(CHROMIUM === null)(
  `the page in a browser${CHROMIUM === null ? ` (${NO_CHROMIUM})` : ''}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'runproof-page-'));
    const address = pathToFileURL(join(folder, 'report.html')).href;
    const madeUp = madeUpReport();
    const ofTransition = { ...madeUp.requirements[1]!, id: '2.2/ttl-removes-running' };
    const report = { ...madeUp, requirements: [...madeUp.requirements, ofTransition] };
    let browser: Browser;

    beforeAll(async () => {
      writeFileSync(
        join(folder, 'report.html'),
        renderHtml(report, { ...CONTEXT, followed: (scripts) => followJobs(HISTORY, scripts) }),
      );
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true });
    });

    async function opened(
      hash = '',
      width = 390,
    ): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.goto(address + hash);
      return { page, errors };
    }
    const shown = (page: Page): Promise<readonly string[]> =>
      page.$$eval('table.requirements tbody tr:not([hidden])', (rows) => rows.map(({ id }) => id));

    it('opens the call that the address names, among the steps of its script', async () => {
      const { page, errors } = await opened('#call-2');
      expect(await page.isVisible('#call-2 .message')).toBe(true);
      expect(await page.isVisible('#call-1 .message')).toBe(false);
      expect(errors).toEqual([]);
    });

    it('goes through the calls of a script by the arrow keys, with what their job may have been', async () => {
      const { page, errors } = await opened('#call-1', 1_000);
      const open = (): Promise<readonly string[]> =>
        page.$$eval('.steps details[open]', (calls) => calls.map(({ id }) => id));
      await page.focus('#call-1 > summary');
      await page.keyboard.press('ArrowRight');
      expect(await open()).toEqual(['call-2']);
      expect(await page.textContent('#call-2')).toContain('Before #2 it was');
      await page.keyboard.press('ArrowRight');
      expect(await open()).toEqual(['call-2']);
      await page.keyboard.press('ArrowLeft');
      expect(await open()).toEqual(['call-1']);
      expect(await page.textContent(':focus')).toContain('#1 read the status');
      expect(errors).toEqual([]);
    });

    it('has the call that was gone to in its address, and goes back to where the reader was before', async () => {
      const { page, errors } = await opened('#requirements', 1_000);
      const hash = (): string => new URL(page.url()).hash;
      await page.evaluate("location.hash = '#call-1'");
      await page.focus('#call-1 > summary');
      await page.keyboard.press('ArrowRight');
      await expect.poll(hash).toBe('#call-2');
      await expect.poll(() => page.$$eval(':target', ([target]) => target?.id)).toBe('call-2');
      await page.goBack();
      expect(hash()).toBe('#requirements');
      await page.evaluate(
        "document.querySelectorAll('.steps details').forEach((call) => (call.open = false))",
      );
      await page.goForward();
      expect(hash()).toBe('#call-2');
      await expect.poll(() => page.isVisible('#call-2 .message')).toBe(true);
      expect(await page.isVisible('#call-1 .message')).toBe(false);
      expect(errors).toEqual([]);
    });

    it('goes through the failures by the keys n and p, and opens them', async () => {
      const { page, errors } = await opened();
      const current = (): Promise<string | null> => page.getAttribute('[aria-current]', 'href');
      await page.keyboard.press('n');
      await expect.poll(current).toBe('#cause-2.2/ttl-removes');
      await page.keyboard.press('n');
      await expect.poll(current).toBe('#advice-failures');
      expect(await page.getAttribute('#advice-failures', 'open')).toBe('');
      await page.keyboard.press('p');
      await expect.poll(current).toBe('#cause-2.2/ttl-removes');
      expect(errors).toEqual([]);
    });

    it('hides nothing beyond a narrow screen, but in parts that the keyboard scrolls', async () => {
      const { page } = await opened();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const unreachable = await page.$$eval('.scroll, .proof', (parts) =>
        parts.filter((part) => part.scrollWidth > part.clientWidth && part.getAttribute('tabindex') !== '0'),
      );
      expect(unreachable).toEqual([]);
    });

    it('keeps the filter in the address, and restores it', async () => {
      const { page, errors } = await opened();
      await page.keyboard.press('/');
      await page.keyboard.type('retry');
      await page.uncheck('input[value=pass]');
      const hash = new URL(page.url()).hash;
      expect(hash).toMatch(/^#requirements\?mark=.*&text=retry$/);
      const filtered = await shown(page);
      expect(filtered).toContain('4.6/retry-failed');
      expect(filtered).not.toContain('2.2/ttl-removes');
      const again = await opened(hash);
      expect(await shown(again.page)).toEqual(filtered);
      expect([...errors, ...again.errors]).toEqual([]);
    });

    it('shows the requirements of a transition that is clicked, and keeps that in the address', async () => {
      const { page, errors } = await opened('', 1_000);
      await page.locator('a.edge', { hasText: 'IN_PROGRESS → GONE' }).locator('text').first().click();
      const { hash } = new URL(page.url());
      expect(hash).toBe(`#requirements?ids=${ofTransition.id}`);
      expect(await shown(page)).toEqual([ofTransition.id]);
      const again = await opened(hash);
      expect(await shown(again.page)).toEqual([ofTransition.id]);
      expect([...errors, ...again.errors]).toEqual([]);
    });

    it('sorts by a column, in both directions', async () => {
      const { page } = await opened('', 1_000);
      const failed = page.getByRole('button', { name: 'Failed' });
      await failed.click();
      const up = await shown(page);
      await failed.click();
      const down = await shown(page);
      expect(down[0]).not.toBe(up[0]);
      expect(['2.2/ttl-removes', '2.2/never-revived']).toContain(down[0]);
    });

    it('has no fault of accessibility', async () => {
      const { page } = await opened('#call-2');
      expect(await axeFaults(page)).toEqual([]);
      await page.setContent(renderHtml(written(MIXED), CLIENT_CONTEXT));
      expect(await axeFaults(page)).toEqual([]);
      const cells = [
        { musts: 4, passed: 4, failed: 0 },
        { musts: 4, passed: 1, failed: 0 },
        { musts: 4, passed: 0, failed: 4 },
        { musts: 9, passed: 1, failed: 1 },
        { musts: 0, passed: 0, failed: 0 },
      ];
      const of = matrixOf([madeUp, madeUp], ['one', 'two']);
      await page.setContent(matrixHtml({ ...of, sections: [{ section: '1', cells }] }, new Map()));
      expect(await axeFaults(page)).toEqual([]);
      await page.setContent(
        '<html lang="en"><title>A picture without a text</title><main><img src="x.png"></main>',
      );
      expect((await axeFaults(page)).join()).toMatch(/image-alt at 1400 px, light: <img/);
    });

    it('fits a phone: nothing is wider than the screen', async () => {
      const { page } = await opened();
      expect(await page.$eval('html', ({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(390);
    });

    it('scrolls a drawing on a phone before its letters get too small', async () => {
      const { page } = await opened();
      const heights = await page.$$eval('.axis text', (texts) =>
        texts.map((text) => text.getBoundingClientRect().height).filter((height) => height > 0),
      );
      expect(heights.length).toBeGreaterThan(20);
      expect(Math.min(...heights)).toBeGreaterThan(8);
    });
  },
);
