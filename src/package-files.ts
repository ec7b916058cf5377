/** Where the package's own files are, in the built package and in the repository alike. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the package has no package.json above its code');
    folder = parent;
  }
  return folder;
}

export const PACKAGE_ROOT = findRoot();

let version: string | null = null;

/** Version of the program, as npm knows it. */
export function packageVersion(): string {
  version ??= (JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string })
    .version;
  return version;
}

/** The document that targets are held to. */
export function documentText(): string {
  return readFileSync(join(PACKAGE_ROOT, 'docs', 'queue-endpoint-api.md'), 'utf8');
}

/** The handler of `scenarios/worker`, which runs what the scripts of scenarios ask of a worker. */
export function scriptedWorkerText(): string {
  return readFileSync(join(PACKAGE_ROOT, 'scenarios', 'worker', 'handler.mjs'), 'utf8');
}

/** A schema of `schemas/`: of a file that Runproof writes and reads. */
export function shippedSchema(of: 'report' | 'history' | 'explore' | 'failure'): {
  readonly [keyword: string]: unknown;
} {
  const text = readFileSync(join(PACKAGE_ROOT, 'schemas', `${of}.schema.json`), 'utf8');
  return JSON.parse(text) as { readonly [keyword: string]: unknown };
}
