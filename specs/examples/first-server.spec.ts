/** The server of the tutorial as a file is the one that its page shows. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the first server is that of the tutorial', () => {
  const tutorial = textOf('docs/tutorial.md');
  expect(tutorial).toContain(`\`\`\`js\n${textOf('examples/first-server/app.mjs')}\`\`\`\n`);
});
