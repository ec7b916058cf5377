/** `npm run generate [-- PATH…]`: writes the generated files, or those named, where they are not as they should be. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GENERATED } from './files.js';

const named = process.argv.slice(2);

for (const { path, text } of GENERATED) {
  if (named.length > 0 && !named.includes(path)) continue;
  const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  const wanted = await text();
  // What is as it should be keeps its date: a build that is newer stays good.
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  writeFileSync(file, wanted);
  console.log(`wrote ${path}`);
}
