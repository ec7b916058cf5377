/** `--open`: shows a page in the user's browser. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Io } from '../io.js';

const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** By the program that the variable BROWSER names, or that of the system. Does not wait for it. */
export function openPage(file: string, io: Pick<Io, 'cwd' | 'env' | 'err'>): void {
  openAddress(pathToFileURL(resolve(io.cwd, file)).href, io);
}

/** The same, of a page that a server has. */
export function openAddress(page: string, io: Pick<Io, 'env' | 'err'>): void {
  const browser = io.env['BROWSER'] ?? '';
  const [program, ...before] = browser === '' ? (OPENERS[process.platform] ?? ['xdg-open']) : [browser];
  const child = spawn(program!, [...before, page], { detached: true, stdio: 'ignore', env: { ...io.env } });
  child.on('error', () => io.err(`--open: ${program} cannot be started. Open ${page}, or set BROWSER\n`));
  child.unref();
}
