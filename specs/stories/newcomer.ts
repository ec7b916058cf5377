/** Somebody who has the package and an empty folder: what they type, and pictures of what they see. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { terminalPicture } from '../project/generate/terminal-picture.js';
import { ROOT } from '../project/sources.js';

export const PICTURES = join(ROOT, 'reports/stories');
/** A command that takes longer has failed. */
const COMMAND_MS = 300_000;

interface Ended {
  readonly code: number | null;
  /** Standard output. */
  readonly said: string;
  /** Both streams, as on a terminal. */
  readonly screen: string;
}

/** An empty folder with the package in it. */
export class Newcomer {
  readonly folder: string;
  readonly name: string;
  readonly #browser: Browser;
  readonly #started: ChildProcess[] = [];

  constructor(name: string, folder: string, browser: Browser) {
    this.name = name;
    this.folder = folder;
    this.#browser = browser;
  }

  /** Types a line into a shell. */
  async types(line: string): Promise<Ended> {
    const child = this.#start(line);
    let said = '';
    let screen = '';
    child.stdout!.on('data', (text: Buffer) => ((said += String(text)), (screen += String(text))));
    child.stderr!.on('data', (text: Buffer) => (screen += String(text)));
    const closed = once(child, 'close');
    const [code] = (await once(child, 'exit')) as [number | null];
    // What the line has left in the background, as a step of a CI may.
    endAll(child);
    await closed;
    return { code, said, screen };
  }

  /** Starts `serve` and waits for its address. */
  async serves(options: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
    const child = this.#start(`exec node node_modules/runproof/bin/runproof.js serve --port 0 ${options}`);
    let printed = '';
    for await (const text of child.stdout!) if ((printed += String(text)).includes('try:')) break;
    const url = /serving (\S+)/.exec(printed)?.[1];
    if (url === undefined) throw new Error(`serve printed no address: ${printed}`);
    return { url, stop: async () => void (child.kill(), await once(child, 'exit')) };
  }

  /** A picture of the last screen of a terminal. */
  async photographsTerminal(line: string, screen: string): Promise<void> {
    const rows = screen.trimEnd().split('\n').slice(-45).join('\n');
    const file = join(this.folder, 'screen.svg');
    const picture = terminalPicture(line, rows);
    writeFileSync(file, picture);
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(picture)!.map(Number);
    await this.photographsPage(file, 'terminal', { width: width!, height: height! });
  }

  async photographsPage(
    address: string,
    what: string,
    {
      width = 1_000,
      height = 844,
      dark = false,
      act = (_page: Page): Promise<void> => Promise.resolve(),
    } = {},
  ): Promise<void> {
    const page = await this.#browser.newPage({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    try {
      await page.goto(existsSync(address) ? pathToFileURL(address).href : address);
      await act(page);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(`${what}: px beyond the right edge of ${width}`, overflow, width === 390 ? 0 : overflow);
      await page.screenshot({ path: join(PICTURES, `${this.name}-${what}.png`) });
    } finally {
      await page.close();
    }
  }

  leaves(): void {
    for (const child of this.#started) endAll(child);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #start(line: string): ChildProcess {
    const child = spawn('bash', ['-c', line], {
      cwd: this.folder,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, to end what it has started, too.
      detached: true,
      timeout: COMMAND_MS,
      killSignal: 'SIGKILL',
    });
    this.#started.push(child);
    return child;
  }
}

function endAll({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

/** Without what the npm run around it has set. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(command|execpath|lifecycle|package|node_execpath)|npm_config_local_prefix|INIT_CWD|NODE_)/i.test(
          name,
        ),
    ),
  );

export function expect(what: string, actual: unknown, expected: unknown): void {
  const holds = expected instanceof RegExp ? expected.test(String(actual)) : actual === expected;
  if (!holds) throw new Error(`${what}: ${String(actual)}\n  expected: ${String(expected)}`);
}
