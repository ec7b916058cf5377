import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

/** Path of the browser on this machine; null where there is none. */
export const CHROMIUM: string | null = ['chromium', 'chromium-browser']
  .map((name) => {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      return null;
    }
  })
  .reduce((found, path) => found ?? path, null);

export const NO_CHROMIUM = 'needs chromium, which is not on this machine';

export function openBrowser(): Promise<Browser> {
  const args = '--no-sandbox --headless --disable-gpu --disable-background-networking --no-first-run'.split(
    ' ',
  );
  return chromium.launch({ executablePath: CHROMIUM!, args });
}
