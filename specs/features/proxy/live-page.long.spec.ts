/** The page of the proxy in a browser: what is new comes without loading it again, and calls can be found. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/features/proxy/live-page.js';
import type { ProxyState } from '../../../src/features/proxy/own-pages.js';
import type { RecentCall } from '../../../src/features/proxy/recent-calls.js';
import { axeFaults } from '../../server/page/axe-faults.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../../server/page/browser.js';

const JOB = 'e1a7';
const finding = {
  ...{ requirement: '2.2/ttl-removes-running', level: 'must', state: 'new' as const },
  ...{ text: 'A job is gone once its `ttl` is over.', firstMs: 0, lastMs: 0, times: 1 },
  ...{ expected: '404', actual: '200 <b>still here</b>', proof: [`job ${JOB} submitted by call #1`] },
  job: JOB,
};
const call = (number: number, path: string, status: number | null): RecentCall => ({
  ...{ call: number, atMs: number * 1_000, method: 'GET', path, isWebhook: false },
  end: { status, tookMs: 3 },
});
const live = {
  ...{ judged: 3, unjudged: { lost: 0, unauthorized: 0, bodiless: 0, unanswered: 0 }, missed: 0 },
  ...{ endpoints: [], webhooks: {}, open: 0, decided: 1, violations: {}, findings: [finding], readings: {} },
  ...{ drifts: [], hints: [], trouble: null },
};
const before: ProxyState = {
  ...{ upstream: 'https://api.example.test/', beganMs: 0, nowMs: 60_000, passed: 2, trouble: null },
  ...{ lag: { waiting: 0, behindMs: 0, missed: 0 }, live: null },
  calls: [call(2, '/v2/a/health', 500), call(1, `/v2/a/status/${JOB}`, 200)],
};
const after: ProxyState = { ...before, live, calls: [call(3, '/v2/a/run', null), ...before.calls] };

describe.skipIf(CHROMIUM === null)(
  `the page of the proxy${CHROMIUM === null ? ` (${NO_CHROMIUM})` : ''}`,
  () => {
    let browser: Browser;
    let state = before;
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(pageOf(state, new Map()));
    });

    beforeAll(async () => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      server.close();
    });

    it(
      'brings what is new, and leaves the filter, the place and what is open',
      { timeout: 30_000 },
      async () => {
        const page = await browser.newPage({ viewport: { width: 390, height: 500 } });
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        expect(await page.textContent('h1')).toBe('Nothing has failed.');
        await page.selectOption('select[name=kind]', 'refused');
        const shown = (): Promise<readonly string[]> =>
          page.$$eval('#calls-seen tr:not([hidden])', (rows) => rows.map(({ textContent }) => textContent));
        expect((await shown()).join()).toMatch(/health.*500/);
        expect(await shown()).toHaveLength(1);
        await page.fill('input[name=text]', '/health 4xx');
        expect(await shown()).toEqual([]);
        await page.fill('input[name=text]', '/health 9xx');
        expect(await page.textContent('form output')).toMatch(/^the filter has 9xx, .*1 of \d+ shown$/);
        await page.fill('input[name=text]', '/health -2xx 500');
        expect(await shown()).toHaveLength(1);
        await page.fill('input[name=text]', '');
        await page.evaluate('scrollTo(0, 200)');
        const top = Number(await page.evaluate('scrollY'));
        state = after;
        await expect.poll(() => page.title(), { timeout: 10_000 }).toMatch(/^\(1\) /);
        expect(await page.textContent('h1')).toBe('1 rule broken');
        // A browser keeps what is read in its place, to some pixels.
        expect(Math.abs(Number(await page.evaluate('scrollY')) - top)).toBeLessThan(100);
        // The new one was not answered.
        expect(await shown()).toHaveLength(2);
        await page.selectOption('select[name=kind]', 'failing');
        expect(await shown()).toHaveLength(1);
        await page.click('text=proof: 2.2/ttl-removes-running');
        expect(await page.textContent(`[id="finding-2.2/ttl-removes-running"] code`)).toBe('ttl');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
        expect(await page.$$('main')).toHaveLength(1);
        // Neither an icon nor anything else is asked for.
        expect(new Set(asked)).toEqual(new Set(['/']));
        expect(errors).toEqual([]);
        expect(await axeFaults(page)).toEqual([]);
      },
    );
  },
);
