import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../project/sources.js';
import { requirementsPage } from './requirements-page.js';

const page = readFileSync(join(ROOT, 'docs/requirements.md'), 'utf8');

describe('docs/requirements.md', () => {
  it('is what `npm run generate` writes', () => {
    const isCurrent = page === requirementsPage();
    expect(isCurrent, 'docs/requirements.md is not up to date: run `npm run generate`').toBe(true);
  });

  it.each(['2.2/ttl-removes-running', '6/pause-not-shorter', '8/rate-run-above'])(
    'shows check, scenarios and faults of %s',
    (id) => {
      const entry = page.slice(page.indexOf(`**\`${id}\`**`));
      const lines = entry.slice(0, entry.indexOf('\n\n'));
      expect(lines).toMatch(/- check: \[.+\]\(\.\.\/src\/oracle\//);
      expect(lines).toMatch(/- scenarios: \[.+\]\(\.\.\/scenarios\//);
      expect(lines).toMatch(/- faults: \[.+\]\(\.\.\/src\/mutants\//);
    },
  );
});
