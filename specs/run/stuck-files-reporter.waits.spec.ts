import { expect, test, vi } from 'vitest';
import { UnderWay } from './stuck-files-reporter.js';

test('names the files that have not ended, again and again, until they have', async () => {
  const said: string[] = [];
  const run = new UnderWay(20, (line) => said.push(line));
  run.onTestRunStart();
  for (const moduleId of ['specs/a.spec.ts', 'specs/b.spec.ts']) run.onTestModuleQueued({ moduleId });
  run.onTestModuleEnd({ moduleId: 'specs/a.spec.ts' });
  await vi.waitFor(() => expect(said.length).toBeGreaterThan(1));
  expect(new Set(said)).toEqual(new Set(['still under way after 0 s: specs/b.spec.ts']));
  run.onTestRunEnd();
  const before = said.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(said.length).toBe(before);
});
