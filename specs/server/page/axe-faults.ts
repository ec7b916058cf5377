import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

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
    // The page hears of its new size before it is drawn.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    for (const { id, nodes } of violations)
      faults.push(`${id} at ${width} px, ${colorScheme}: ${nodes[0]!.html}`);
  }
  return faults;
}
