import { execFileSync } from 'node:child_process';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

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

/** As wide as a desk and in light, as narrow as a phone and in the dark. */
const SETTINGS = [
  [1400, 'light'],
  [390, 'dark'],
] as const;

/** Faults of accessibility that axe finds on the page, in each of the settings. One line each; none: `[]`. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const faults: string[] = [];
  for (const [width, colorScheme] of SETTINGS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    for (const { id, nodes } of violations)
      faults.push(`${id} at ${width} px, ${colorScheme}: ${nodes[0]!.html}`);
  }
  return faults;
}
