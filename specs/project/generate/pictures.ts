/**
 * `npm run pictures`: makes the pictures of the README from real runs: what `demo` prints, and, in a headless Chromium, the
 * report of a faulty server and the page of the emulator at work.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { createProcessIo } from '../../../src/cli/io.js';
import { runCli } from '../../../src/shell/program.js';
import { LOCAL_API_KEY, startServer } from '../../../src/server/index.js';
import { startNaive } from '../../naive/server.js';
import { terminalPicture } from './terminal-picture.js';
import { CHROMIUM, NO_CHROMIUM, openBrowser } from '../../server/page/browser.js';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../../examples/client/', import.meta.url));
const WIDTH = 1_000;

type Box = NonNullable<Awaited<ReturnType<ReturnType<Page['locator']>['boundingBox']>>>;

/** Writes what is on the screen, or a part of the page, as WebP: half the size of a PNG, and the letters as sharp. */
async function photograph(page: Page, name: string, part?: Box): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: 90 },
    ...(part && { clip: { ...part, scale: 1 }, captureBeyondViewport: true }),
  });
  writeFileSync(join(FOLDER, name), Buffer.from(data, 'base64'));
}

async function reportPicture(browser: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-pictures-'));
  const naive = await startNaive({ clock: 'controlled', fault: 'ttl-ignored-while-running', port: 8094 });
  try {
    const io = {
      ...createProcessIo(() => import('../../../src/index.js')),
      out: () => {},
      err: () => {},
      env: { RUNPROOF_API_KEY: naive.apiKey },
    };
    const where = [`${naive.url}/v2/test`, '--control', naive.controlUrl];
    await runCli(['check', ...where, '--only', '2.2', '--seed', '1', '--out', folder], io);
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 1_000 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    await photograph(page, 'report.webp');
  } finally {
    await naive.close();
    rmSync(folder, { recursive: true });
  }
}

async function emulatorPicture(browser: Browser): Promise<void> {
  const server = await startServer({ clock: 'controlled', workers: 2 });
  try {
    const call = (path: string, body: object): Promise<Response> =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: LOCAL_API_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const submit = (plan: readonly object[], policy: object = {}): Promise<Response> =>
      call('/v2/test/run', { input: { plan }, policy });
    await submit([{ sleepMs: 1_200 }, { return: { text: 'a short job' } }]);
    await submit([{ stream: 'tokens' }, { sleepMs: 45_000 }, { return: 'done' }]);
    await submit([{ fail: 'no prompt given' }]);
    await call('/_control/clock/advance', { byMs: 1_500 });
    await submit([{ sleepMs: 20_000 }], { ttl: 60_000 });
    await submit([{ sleepMs: 5_000 }], { executionTimeout: 30_000 });
    await submit([{ hang: true }], { ttl: 25_000 });
    await call('/_control/clock/advance', { byMs: 4_000 });
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 1_000 }, colorScheme: 'light' });
    await page.goto(`${server.url}/`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.locator('.jobs tbody tr').nth(4).waitFor();
    await photograph(page, 'emulator.webp');
  } finally {
    await server.close();
  }
}

/** What `demo` prints, as it appears on a terminal. */
async function demoPicture(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-pictures-'));
  try {
    let printed = '';
    const print = (text: string): void => void (printed += text);
    await runCli(['demo'], {
      ...createProcessIo(() => import('../../../src/index.js')),
      ...{ out: print, err: () => {}, cwd: folder, program: 'npx runproof' },
      ...{ outIsTerminal: true, errIsTerminal: false, env: {} },
    });
    writeFileSync(
      join(FOLDER, 'demo.svg'),
      terminalPicture('npx runproof demo', printed.replaceAll(`${folder}/`, '')),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SHOWN =
  'clear,job-fails,cancelled-while-running,queue-purged,rate-limited-twice,reply-of-submission-lost';
/** Of what is printed, so that the picture is no longer than a screen. */
const LINES_MAX = 44;

/** A client in some weathers: what is printed, and the page. */
async function clientPictures(browser: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-pictures-'));
  const run = async (name: string, options: readonly string[], command: readonly string[]): Promise<void> => {
    let printed = '';
    const print = (text: string): void => void (printed += text);
    const line = ['client', ...options, '--seed', '1'];
    await runCli([...line, '--out', folder, '--', ...command], {
      ...createProcessIo(() => import('../../../src/index.js')),
      ...{ out: print, err: () => {}, note: () => {}, cwd: EXAMPLES, program: 'npx runproof' },
      ...{ outIsTerminal: true, errIsTerminal: false, columns: 110, env: process.env },
    });
    const lines = printed.split('\n');
    const shown = [...lines.slice(0, LINES_MAX), ...(lines.length > LINES_MAX ? ['…'] : [])].join('\n');
    writeFileSync(
      join(FOLDER, name),
      terminalPicture(`npx runproof client --only clear,job-fails,… -- ${command.join(' ')}`, shown),
    );
  };
  try {
    await run('client-survives.svg', ['--only', SHOWN], ['node', 'careful.mjs']);
    await run('client.svg', ['--only', SHOWN, '--limit', '8s'], ['python3', 'hasty.py']);
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 640 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    const table = await page.locator('#matrix').boundingBox();
    await photograph(page, 'client.webp', table!);
    const calls = await page.locator('details.weather[open]').first().boundingBox();
    await photograph(page, 'client-calls.webp', calls!);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

mkdirSync(FOLDER, { recursive: true });
await demoPicture();
if (CHROMIUM === null) throw new Error(NO_CHROMIUM);
const browser = await openBrowser();
try {
  await reportPicture(browser);
  await emulatorPicture(browser);
  await clientPictures(browser);
} finally {
  await browser.close();
}
