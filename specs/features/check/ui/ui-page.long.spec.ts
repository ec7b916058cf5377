/** The page of `check --ui` in a browser: choose, run, follow, open what failed, run that again. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from '../../../server/page/axe-faults.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../../../server/page/browser.js';
import { onPage, SCENARIO } from './support.js';

const RULE = '2.2/ttl-removes-running';

describe.skipIf(CHROMIUM === null)(
  `the page of check --ui${CHROMIUM === null ? ` (${NO_CHROMIUM})` : ''}`,
  () => {
    let browser: Browser;
    const errors: string[] = [];

    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
    });

    async function opened(url: string): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('request', (request) => expect(request.url()).toContain(url));
      await page.goto(url);
      return page;
    }

    const hasRun = (page: Page): Promise<void> =>
      expect.poll(() => page.isEnabled('#start'), { timeout: 60_000 }).toBe(true);

    it(
      'chooses by keyboard, runs, opens the failure in the report, and runs it again',
      { timeout: 180_000 },
      async () => {
        const { url, io } = await onPage(['--mutant', 'ttl-spares-running']);
        const page = await opened(url);
        expect(await page.textContent('#start')).toBe('Run all');
        expect(await page.isDisabled('#failed')).toBe(true);
        await page.keyboard.press('/');
        await page.keyboard.type('ttl-before-execution');
        const row = page.locator(`[data-row="${SCENARIO}"]`);
        await expect.poll(() => page.textContent('#start')).toMatch(/^Run \d shown$/);
        expect(await row.textContent()).toContain('not run');
        await row.getByRole('checkbox').press('Space');
        expect(await page.textContent('#start')).toBe('Run 1 chosen');
        await page.locator('#start').press('Enter');
        await expect.poll(() => page.isDisabled('#start')).toBe(true);
        await hasRun(page);
        expect(await page.textContent('h1')).toBe('Does not conform');
        expect(await row.textContent()).toContain('✘ failed');
        expect(await page.title()).toMatch(/^Does not conform – the emulator itself/);

        const [report] = await Promise.all([
          page.context().waitForEvent('page'),
          page.locator('#result .failed a').first().click(),
        ]);
        await report.waitForLoadState();
        expect(await report.isVisible(`[id="cause-${RULE}"] .card.fail`)).toBe(true);

        await page.locator('#failed').click();
        await expect.poll(() => page.isDisabled('#start')).toBe(true);
        await hasRun(page);
        expect(io.complained()).toContain('checking again what failed');
        expect(await page.textContent('#failed')).toMatch(/^Run \d failed rules?$/);
        expect(await page.getAttribute('#result a', 'href')).toBe('/report/1');

        await page.selectOption('[name=kind]', 'rules');
        await page.fill('[name=text]', RULE);
        await expect.poll(() => page.locator('li[data-row]:visible').count()).toBe(1);
        expect(await page.locator('li[data-row]:visible').textContent()).toContain('✘ failed');
        expect(errors).toEqual([]);
        expect(await axeFaults(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      },
    );

    it(
      'has nothing that axe finds before it has run, and says when the command has ended',
      { timeout: 60_000 },
      async () => {
        const { url, end } = await onPage([]);
        const page = await opened(url);
        expect(await page.getByRole('main').count()).toBe(1);
        expect(await page.locator('details.section[open]').count()).toBe(0);
        expect(await axeFaults(page)).toEqual([]);
        await page.locator('details.section:visible > summary').first().click();
        await page.getByRole('checkbox', { name: 'All of §1' }).check();
        expect(await page.textContent('#start')).toMatch(/^Run \d+ chosen$/);
        expect(await axeFaults(page)).toEqual([]);
        await page.locator('#none').click();
        expect(await page.textContent('#start')).toBe('Run all');
        await page.fill('[name=text]', 'nowhere at all');
        await page.press('[name=text]', 'Enter');
        await expect.poll(() => page.textContent('#start')).toBe('Run 0 shown');
        expect(await page.textContent('h1')).toBe('Nothing has run yet');
        expect(await page.isVisible('#refused')).toBe(false);
        await end();
        await page.getByText('The command does not answer').waitFor();
      },
    );
  },
);
