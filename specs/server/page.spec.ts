import { request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/index.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from './browser.js';
import { createCaller } from './caller.js';

async function serve(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ clock: 'controlled', apiKeys: ['k'], ...options });
  onTestFinished(() => server.close());
  return server;
}

const MARKUP = '<img src=x onerror="document.title=1">';

describe('who may see the page', () => {
  /** `fetch` does not let a program say which host it means. */
  function ask(port: number, path: string, headers: { [name: string]: string }, method = 'GET') {
    return new Promise<{ status: number; text: string; headers: object }>((resolve, reject) => {
      const call = request({ port, path, method, headers: { accept: 'text/html', ...headers } }, (reply) => {
        let text = '';
        reply.on('data', (chunk) => (text += String(chunk)));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text, headers: reply.headers }));
      });
      call.on('error', reject).end();
    });
  }

  it.each([
    ['somebody at this machine', {}, 200],
    ['by another name of it', { host: 'localhost:8080' }, 200],
    ['by its address in version 6', { host: '[::1]:8080' }, 200],
    ['by a name that only leads here', { host: 'evil.example:8080' }, 403],
    ['by a name that looks like it', { host: '127.0.0.1.evil.example' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page of another origin', { origin: 'http://evil.example' }, 403],
  ])('%s', async (_who, headers, status) => {
    const { port } = await serve();
    expect((await ask(port, '/_page/state', headers)).status).toBe(status);
    expect((await ask(port, '/', headers)).text.startsWith('<!doctype html>')).toBe(status === 200);
  });

  it('only the page itself can move the clock', async () => {
    const { port, controlUrl } = await serve();
    const page = { 'x-runproof-page': '1' };
    const advance = (headers: { [name: string]: string }, by: string) =>
      ask(port, `/_page/advance?by=${by}`, headers, 'POST').then(({ status }) => status);
    expect(await advance({}, '1000')).toBe(403);
    expect(await advance({ ...page, origin: 'http://evil.example' }, '1000')).toBe(403);
    expect(await advance({ ...page, host: 'evil.example' }, '1000')).toBe(403);
    expect(await advance(page, 'next')).toBe(400);
    expect(await advance(page, '-5')).toBe(400);
    expect(await advance(page, '999999999999999')).toBe(200);
    expect((await createCaller(controlUrl!, 'k').get('/clock')).json.nowMs).toBe(999_999_999_999_999);
    const real = await serve({ clock: 'real' });
    expect((await ask(real.port, '/_page/advance?by=1', page, 'POST')).status).toBe(400);
  });

  it('for other machines there is none, or one that requires the key', async () => {
    const without = await serve({ host: '0.0.0.0' });
    expect((await ask(without.port, '/', {})).status).toBe(401);
    expect((await ask(without.port, '/_page/state', { authorization: 'k' })).status).toBe(404);
    const keyed = await serve({ host: '0.0.0.0', page: 'keyed' });
    expect((await ask(keyed.port, '/', {})).status).toBe(200);
    expect((await ask(keyed.port, '/_page/state', {})).status).toBe(401);
    expect((await ask(keyed.port, '/_page/advance?by=1', { 'x-runproof-page': '1' }, 'POST')).status).toBe(
      403,
    );
    expect((await ask(keyed.port, '/_page/state', { authorization: 'k' })).status).toBe(200);
  });

  it('a program that asks for / asks the API', async () => {
    const { url } = await serve();
    const answer = await createCaller(url, 'k').get('/');
    expect(answer.status).toBe(404);
    expect(answer.contentType).toContain('application/json');
  });

  it('nothing from other origins may run or be loaded, and only ids and times of jobs are shown', async () => {
    const { port, url } = await serve();
    const body = { input: { secret: 'in-the-input' }, s3Config: { accessSecret: 'in-the-config' } };
    await createCaller(url, 'k').post('/v2/test/run?token=in-the-query', body);
    const { headers } = await ask(port, '/', {});
    expect(headers).toHaveProperty('content-security-policy', expect.stringContaining("default-src 'none'"));
    const { text } = await ask(port, '/_page/state', {});
    expect(text).toContain('"COMPLETED":1');
    expect(text).not.toContain('in-the-');
  });
});

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

  it('shows new jobs, and their times as the clock is moved', { timeout: 120_000 }, async () => {
    const server = await serve();
    const { page, complaints } = await open(`${server.url}/`);
    await page.getByText('No jobs. To submit one:').waitFor();
    await page.getByText('No calls yet.').waitFor();

    const api = createCaller(`${server.url}/v2/test`, 'k');
    const run = async (plan: object[], policy = {}) =>
      (await api.post('/run', { input: { plan }, policy })).json.id as string;
    const running = await run([{ sleepMs: 30_000 }, { return: 1 }], { ttl: 50_000 });
    const waiting = await run([{ return: 2 }], { ttl: 40_000 });
    await row(page, running).getByText('IN_PROGRESS').waitFor();
    await row(page, waiting).getByText('IN_QUEUE').waitFor();
    await row(page, waiting).getByText('40.0 s').waitFor();
    await page.getByText('next event in 30.0 s').waitFor();

    await page.getByRole('button', { name: '+ 1 s' }).click();
    await row(page, waiting).getByText('39.0 s').waitFor();
    // By keyboard alone.
    await page.getByRole('button', { name: 'To the next event' }).focus();
    await page.keyboard.press('Enter');
    await row(page, running).getByText('COMPLETED').waitFor();
    await row(page, waiting).getByText('COMPLETED').waitFor();
    await row(page, waiting).getByText('30 m 00 s').waitFor();
    expect(await page.locator('#now').textContent()).toBe('00:00:30.000');
    await page.getByRole('button', { name: '+ 1 min' }).click();
    await page.getByText('No jobs. To submit one:').waitFor();
    expect(await page.locator('#calls tr').count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it(
    'client data is shown as text, endpoints created at run time are shown',
    { timeout: 120_000 },
    async () => {
      const server = await serve();
      const { page, complaints } = await open(`${server.url}/`);
      const control = createCaller(server.controlUrl!, 'k');
      const id = encodeURIComponent(MARKUP.replace('/', ''));
      await control.send('PUT', `/endpoints/${id}`, { body: { workers: 2 } });
      await createCaller(server.url, 'k')
        .get(`/v2/test/status/${MARKUP}`)
        .catch(() => undefined);
      await createCaller(server.url, 'k').get(`/v2/test/status/${encodeURIComponent(MARKUP)}`);
      await page.getByRole('heading', { name: MARKUP }).waitFor();
      await page.locator('#calls tr').first().waitFor();
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.title()).toBe('Runproof endpoint');
      await control.send('DELETE', `/endpoints/${id}`);
      await page.getByRole('heading', { name: MARKUP }).waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  it('shows that the connection is lost, and continues when it is back', { timeout: 120_000 }, async () => {
    const first = await startServer({ apiKeys: ['k'] });
    const { page } = await open(`${first.url}/`);
    await first.close();
    await page.getByText('connection lost, trying again').waitFor();
    await serve({ port: first.port, endpoints: ['afterwards'] });
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'afterwards' }).waitFor();
  });

  it('asks for the key where it is needed', { timeout: 120_000 }, async () => {
    const server = await serve({ host: '0.0.0.0', page: 'keyed' });
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${server.url}/`);
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('waiting for the key').waitFor();
    await page.getByLabel('API key').fill('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'test' }).waitFor();
    await page.getByRole('button', { name: '+ 1 h' }).click();
    await page.getByText('01:00:00.000').waitFor();
  });
});
