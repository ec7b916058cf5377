/** The page in a browser. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  LOCAL_API_KEY,
  startServer,
  type RunningServer,
  type ServerOptions,
} from '../../../src/server/index.js';
import { axeFaults } from './axe-faults.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from './browser.js';
import { createCaller } from '../caller.js';

/** With the published key, which the page knows. */
async function serve(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ clock: 'controlled', ...options });
  onTestFinished(() => server.close());
  return server;
}

const MARKUP = '<img src=x onerror="document.title=1">';

describe.skipIf(CHROMIUM === null)(`in a browser${CHROMIUM === null ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 120_000);
  afterAll(() => browser?.close());

  async function open(url: string) {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.setDefaultTimeout(30_000);
    onTestFinished(() => page.close());
    await page.goto(url);
    await page.getByText('live', { exact: true }).waitFor();
    return { page, complaints };
  }
  const row = (page: Page, id: string) => page.locator('.jobs tbody tr').filter({ hasText: id });

  it('saves what was called as a script', async () => {
    const server = await serve({ record: true });
    const { page, complaints } = await open(`${server.url}/`);
    const button = page.getByRole('button', { name: 'Save calls as a script' });
    expect(await button.count()).toBe(0);
    await createCaller(`${server.url}/v2/test`, LOCAL_API_KEY).post('/run', { input: { text: MARKUP } });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('calls.json');
    const script: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(script).toEqual(server.recordedScript());
    expect(script).toMatchObject({ steps: [{ do: 'run', input: { text: MARKUP } }] });
    await page.getByText('To make the calls again: npx runproof replay calls.json').waitFor();
    expect(complaints).toEqual([]);
  });

  it('has no such button where calls are not kept', async () => {
    const server = await serve();
    const { page } = await open(`${server.url}/`);
    await createCaller(`${server.url}/v2/test`, LOCAL_API_KEY).post('/run', { input: {} });
    await page.getByRole('button', { name: '/v2/test/run', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Save calls' }).count()).toBe(0);
    expect(() => server.recordedScript()).toThrow('start the endpoint with record: true');
  });

  it('opens a call, with a command that sends it again', async () => {
    const server = await serve({ bodies: true });
    const { page, complaints } = await open(`${server.url}/`);
    const input = { text: "it's sent", note: MARKUP };
    const { json } = await createCaller(`${server.url}/v2/test`, LOCAL_API_KEY).post('/run', { input });
    await page.getByRole('button', { name: '/v2/test/run', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(`"id":"${String(json.id)}"`)
      .waitFor();
    expect(JSON.parse((await page.locator('#call-request').textContent())!)).toEqual({ input });
    const command = (await page.locator('#call-curl').textContent())!;
    await promisify(execFile)('bash', ['-c', command]);
    expect(server.calls().map(({ request }) => JSON.parse(request!) as unknown)).toEqual([
      { input },
      { input },
    ]);
    expect([complaints, await page.title()]).toEqual([[], 'Runproof endpoint']);
  });

  it('shows new jobs, and their times as the clock is moved', { timeout: 120_000 }, async () => {
    const server = await serve();
    const { page, complaints } = await open(`${server.url}/`);
    await page.getByText('No jobs. To submit one:').waitFor();
    await page.getByText('No calls yet.').waitFor();

    const api = createCaller(`${server.url}/v2/test`, LOCAL_API_KEY);
    const run = async (plan: object[], policy = {}) =>
      (await api.post('/run', { input: { plan }, policy })).json.id as string;
    const running = await run([{ sleepMs: 30_000 }, { return: 1 }], { ttl: 50_000 });
    const waiting = await run([{ return: 2 }], { ttl: 40_000 });
    await row(page, running).getByText('IN_PROGRESS').waitFor();
    await row(page, waiting).getByText('IN_QUEUE').waitFor();
    await row(page, waiting).getByText('40.0 s').waitFor();
    await page.getByText('next event in 30.0 s').waitFor();
    // Whoever controls the page by voice says what is written on a button.
    const unspoken = await page.$$eval('button[aria-label]', (buttons) =>
      buttons.filter((one) => !one.getAttribute('aria-label')!.includes(one.textContent)),
    );
    expect(unspoken).toEqual([]);
    await page.getByRole('button', { name: /^Go: / }).first().waitFor();

    await page.getByRole('button', { name: '+ 1 s' }).click();
    await row(page, waiting).getByText('39.0 s').waitFor();
    // By keyboard alone.
    await page.getByRole('button', { name: 'To the next event' }).focus();
    await page.keyboard.press('Enter');
    await row(page, running).getByText('COMPLETED').waitFor();
    await row(page, waiting).getByText('COMPLETED').waitFor();
    await row(page, waiting).getByText('30 min 00 s').waitFor();
    expect(await page.locator('#now').textContent()).toBe('00:00:30.000');
    await page.getByRole('button', { name: '+ 1 min' }).click();
    await page.getByText('No jobs. To submit one:').waitFor();
    expect(await page.locator('.calls tbody tr').count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it(
    'draws how many jobs waited and ran, also what happened between two looks',
    { timeout: 120_000 },
    async () => {
      const server = await serve();
      const { page, complaints } = await open(`${server.url}/`);
      const chart = page.locator('.depth svg');
      expect(await chart.isVisible()).toBe(false);
      const api = createCaller(`${server.url}/v2/test`, LOCAL_API_KEY);
      for (let job = 0; job < 3; job += 1) await api.post('/run', { input: { plan: [{ sleepMs: 10_000 }] } });
      await server.advance('1m');
      await page.locator('#now', { hasText: '00:01:00.000' }).waitFor();
      const words =
        'Jobs waiting 0, at most 2; running 0, at most 1 over the last 60 s (gaps to a logarithmic scale)';
      expect(await chart.getAttribute('aria-label')).toBe(words);
      const steps = async (kind: string) =>
        (await page.locator(`.depth path.${kind}`).getAttribute('d'))!.match(/V[0-9.]+/g)!.slice(0, -1);
      expect(await steps('waiting')).toEqual(['V0.0', 'V32.0', 'V64.0', 'V64.0']);
      expect(await steps('running')).toEqual(['V32.0', 'V32.0', 'V32.0', 'V64.0']);
      expect(complaints).toEqual([]);
    },
  );

  it(
    'client data is shown as text, endpoints created at run time are shown',
    { timeout: 120_000 },
    async () => {
      const server = await serve();
      const { page, complaints } = await open(`${server.url}/`);
      const control = createCaller(server.controlUrl!, LOCAL_API_KEY);
      const id = encodeURIComponent(MARKUP.replace('/', ''));
      await control.send('PUT', `/endpoints/${id}`, { body: { workers: 2 } });
      await createCaller(server.url, LOCAL_API_KEY)
        .get(`/v2/test/status/${MARKUP}`)
        .catch(() => undefined);
      await createCaller(server.url, LOCAL_API_KEY).get(`/v2/test/status/${encodeURIComponent(MARKUP)}`);
      await page.getByRole('heading', { name: MARKUP }).waitFor();
      await page.locator('.calls tbody tr').first().waitFor();
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.title()).toBe('Runproof endpoint');
      await control.send('DELETE', `/endpoints/${id}`);
      await page.getByRole('heading', { name: MARKUP }).waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  it('shows that the connection is lost, and continues when it is back', { timeout: 120_000 }, async () => {
    const first = await startServer();
    const { page } = await open(`${first.url}/`);
    await first.close();
    await page.getByText('connection lost, trying again').waitFor();
    await serve({ port: first.port, endpoints: ['afterwards'] });
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'afterwards' }).waitFor();
  });

  it(
    'submits, opens, streams, advances until a job ends, cancels, retries, purges',
    { timeout: 120_000 },
    async () => {
      const server = await serve();
      const { page, complaints } = await open(`${server.url}/`);
      const said = page.locator('#said');
      const dialog = page.getByRole('dialog');
      let last = 'none';
      const submit = async (body: object): Promise<string> => {
        await page.getByLabel('Body').fill(JSON.stringify(body));
        await page.getByRole('button', { name: 'Submit' }).click();
        const told = said.filter({ hasText: /^run: \S+, IN_QUEUE$/, hasNotText: last });
        last = /: (\S+),/.exec((await told.textContent())!)![1]!;
        return last;
      };
      const plan = [{ stream: MARKUP }, { sleepMs: 90_000 }, { return: { text: MARKUP } }];
      const first = await submit({ input: { plan }, webhook: 'http://127.0.0.1:1/hook' });
      const second = await submit({
        input: { plan: [{ fail: 'out of memory' }], planOnRetry: [{ return: 'again' }] },
      });
      const third = await submit({ input: { plan: [{ return: 3 }] } });
      await page.getByText('2 jobs wait in test until its worker is free').waitFor();
      await page.getByText(/^worker 1 completes job/).waitFor();

      await row(page, first).getByRole('button').click();
      await dialog.getByText('1 results, 0 delivered by /stream').waitFor();
      expect(await dialog.locator('#job-input').textContent()).toContain(JSON.stringify(MARKUP));
      await dialog.getByRole('button', { name: 'Advance until it ends' }).click();
      await dialog.getByText('COMPLETED').waitFor();
      expect(await page.locator('#now').textContent()).toBe('00:01:30.000');
      expect(await dialog.locator('#job-output').textContent()).toContain(JSON.stringify([MARKUP]));
      await dialog.getByText(/^attempt 1, .*: no answer – http:\/\/127\.0\.0\.1:1\/hook$/).waitFor();
      await dialog.getByText('webhook attempt 2 for this job').waitFor();
      await dialog.getByRole('listitem').filter({ hasText: 'webhook attempt 2' }).getByRole('button').click();
      await dialog.getByText(/^attempt 2, /).waitFor();
      expect(await page.locator('#now').textContent()).toBe('00:01:40.000');
      expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await dialog.getByText(/^resent, 0\.0 s ago: no answer – http:\/\/127\.0\.0\.1:1\/hook$/).waitFor();
      await page.keyboard.press('Escape');

      await row(page, second).getByRole('button').click();
      await dialog.getByText('out of memory', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Retry' }).click();
      await dialog.getByText('COMPLETED').waitFor();
      await dialog.getByText('again', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row(page, third).getByText('COMPLETED').waitFor();

      const hanging = await submit({ input: { plan: [{ hang: true }] } });
      const waiting = await submit({ input: { plan: [{ return: 1 }] } });
      await page.getByRole('button', { name: 'Purge the queue' }).click();
      await said.getByText('purge-queue of test: completed, 1 removed').waitFor();
      await row(page, waiting).waitFor({ state: 'detached' });
      await row(page, hanging).getByRole('button').click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByText('CANCELLED').first().waitFor();
      await page.reload();
      await dialog.getByRole('heading', { name: hanging }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByLabel('Time to advance').fill('2 d');
      await page.getByRole('button', { name: 'Jump' }).click();
      await page.getByText('No jobs. To submit one:').waitFor();
      expect(await page.title()).toBe('Runproof endpoint');
      expect(complaints).toEqual([]);
    },
  );

  it(
    'remembers what was submitted, sends a wrong body too, and switches faults',
    { timeout: 120_000 },
    async () => {
      const server = await serve();
      const { page } = await open(`${server.url}/`);
      await page.getByLabel('Body').fill('{"input": 1');
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText(/^This is not JSON: /).waitFor();
      await page
        .locator('#said')
        .getByText(/^run: 400, /)
        .waitFor();
      await page.reload();
      await page.getByLabel('Recent and examples').selectOption({ label: 'run {"input": 1' });
      expect(await page.getByLabel('Body').inputValue()).toBe('{"input": 1');
      await page
        .getByLabel('Recent and examples')
        .selectOption({ label: 'fails, and succeeds when retried' });
      expect(await page.getByLabel('Body').inputValue()).toContain('planOnRetry');

      await page.getByText('Faults on demand').click();
      await page.getByLabel('Add a fault').fill('health=200');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByText('the effect "200" is not known; write a status code').first().waitFor();
      await page.getByLabel('Add a fault').fill('health=503');
      await page.keyboard.press('Enter');
      await page.getByText('1 rule is on, seed 1').waitFor();
      const health = async (): Promise<number> =>
        (await createCaller(server.url, LOCAL_API_KEY).get('/v2/test/health')).status;
      expect(await health()).toBe(503);
      await page.locator('.calls').getByText('fault 503').waitFor();
      await page.getByLabel('health=503', { exact: true }).uncheck();
      await page.getByText('none, seed 1').waitFor();
      expect(await health()).toBe(200);
      await page.getByRole('button', { name: 'Remove health=503' }).click();
      await page.getByRole('button', { name: 'Remove health=503' }).waitFor({ state: 'detached' });
    },
  );

  it('asks for a key of your own before it acts', { timeout: 120_000 }, async () => {
    const server = await serve({ apiKeys: ['k'] });
    const { page } = await open(`${server.url}/`);
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('To act, this page needs an API key').waitFor();
    await page.getByLabel('API key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('The API key is not accepted.').waitFor();
    await page.getByLabel('API key').fill('k');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('01:00:00.000').first().waitFor();
  });

  it(
    'where other machines can reach it: asks for the key, and only shows',
    { timeout: 120_000 },
    async () => {
      const server = await serve({ host: '0.0.0.0', page: 'keyed', apiKeys: ['k'] });
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      await page.goto(`${server.url}/`);
      await page.getByLabel('API key').fill('wrong');
      await page.getByRole('button', { name: 'Use' }).click();
      await page.getByText('waiting for the key').waitFor();
      await page.getByLabel('API key').fill('k');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'test' }).waitFor();
      await page.getByText('This page is read-only, because other machines can reach this server.').waitFor();
      for (const name of ['+ 1 h', 'Submit', 'Purge the queue', 'Jump'])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
    },
  );

  it('filters jobs and calls, and keeps the filter in its address', { timeout: 120_000 }, async () => {
    const server = await serve();
    const api = createCaller(`${server.url}/v2/test`, LOCAL_API_KEY);
    const failed = (await api.post('/run', { input: { plan: [{ error: 'it broke' }] } })).json.id as string;
    const other = (await api.post('/run', { input: {} })).json.id as string;
    await api.get(`/status/${failed}`);
    const { page, complaints } = await open(`${server.url}/?filter=failed`);
    const field = page.getByRole('searchbox', { name: 'Filter jobs and calls' });
    expect(await field.inputValue()).toBe('failed');
    await page.getByText('1 of 2 jobs shown').waitFor();
    await page.getByText('No calls match the filter.').waitFor();
    expect([await row(page, failed).count(), await row(page, other).count()]).toEqual([1, 0]);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('/status 2xx');
    await page.getByText('0 of 2 jobs shown').waitFor();
    expect(await page.locator('.calls tbody tr').count()).toBe(1);
    expect(page.url()).toBe(`${server.url}/?filter=%2Fstatus%202xx`);
    expect(await axeFaults(page)).toEqual([]);
    await field.fill('6xx');
    await page.getByText('The filter has 6xx, which is not a status code').waitFor();
    await row(page, other).getByRole('button').click();
    await page.getByRole('dialog').getByText('COMPLETED').first().waitFor();
    expect(page.url()).toBe(`${server.url}/?filter=6xx#job/test/${other}`);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).toBe(`${server.url}/?filter=6xx`);
    await field.fill('');
    await row(page, other).waitFor();
    expect([page.url(), complaints]).toEqual([`${server.url}/`, []]);
  });

  it.each([390, 1280, 1440])('at %i px no time is cut', { timeout: 120_000 }, async (width) => {
    const server = await serve({ workers: 1 });
    const api = createCaller(`${server.url}/v2/test`, LOCAL_API_KEY);
    const plan = [{ sleepMs: 1 }];
    const done = (await api.post('/run', { input: { plan } })).json.id as string;
    await createCaller(server.url, LOCAL_API_KEY).post('/_control/clock/advance', { byMs: 2_000 });
    await api.post('/run', { input: { plan: [{ hang: true }] }, policy: { ttl: 86_399_000 } });
    const { page } = await open(`${server.url}/`);
    await page.setViewportSize({ width, height: 900 });
    await page.getByText('23 h 59 min', { exact: true }).first().waitFor();
    const cut =
      await page.evaluate(`[...document.querySelectorAll('.jobs td:nth-child(n+2)')].flatMap((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const { display, paddingLeft, paddingRight } = getComputedStyle(cell);
      const room = cell.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return display !== 'none' && text.getBoundingClientRect().width > room + 0.5 ? [cell.textContent] : [];
    })`);
    expect(cut).toEqual([]);
    // What has no ttl any more has no bar of it.
    expect(await row(page, done).locator('progress').count()).toBe(0);
    expect(await page.locator('.jobs progress').count()).toBe(1);
  });

  it('says where the webhook of a job was sent in its place', { timeout: 120_000 }, async () => {
    const server = await serve({ forwardWebhooks: 'http://127.0.0.1:1/fwd?token=secret' });
    const hook = 'https://prod.example.com/hook';
    await createCaller(`${server.url}/v2/test`, LOCAL_API_KEY).post('/run', { input: {}, webhook: hook });
    await createCaller(server.url, LOCAL_API_KEY).post('/_control/clock/advance', { byMs: 1_000 });
    const { page } = await open(`${server.url}/`);
    await page.locator('.jobs').getByRole('button').click();
    const line = `attempt 1, 1.0 s ago: no answer → http://127.0.0.1:1/fwd?… (for ${hook})`;
    await page.getByRole('dialog').getByText(line, { exact: true }).waitFor();
  });

  it('fits a phone', { timeout: 120_000 }, async () => {
    const server = await serve({ faults: ['status:5%=+100ms..2s,truncated-reply'] });
    await createCaller(server.url, LOCAL_API_KEY).post('/v2/test/run', { input: { plan: [{ hang: true }] } });
    const { page } = await open(`${server.url}/`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Faults on demand').click();
    const width = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(390);
    await page.locator('.jobs').getByRole('button').click();
    await page.getByRole('dialog').getByText('IN_PROGRESS').waitFor();
    expect(await width()).toBe(390);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await axeFaults(page)).toEqual([]);
  });
});
