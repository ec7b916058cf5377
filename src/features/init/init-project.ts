/** What `init` finds in the project that it writes for, and how that project gets this package. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { PACKAGE_ROOT, packageVersion } from '../../package-files.js';
import { isObject, jsonIn } from '../../util/json.js';

export interface FoundProject {
  /** Where its server listens when it is started, as an address to check; null: not found. */
  readonly url: string | null;
  readonly urlFrom: string;
  /** The command that starts the server: by the script that tells its port, else by the first that may; null: no script does. */
  readonly start: string | null;
  /** How its application is checked inside a test; null: no framework that is known. */
  readonly framework: string | null;
  /**
   * It has a `tsconfig.json`, or depends on TypeScript, and its files are ES modules: in CommonJS the compiler refuses `export
   * default`, which a configuration needs.
   */
  readonly hasTypeScript: boolean;
  readonly manager: Readonly<Record<'install' | 'ci' | 'exec' | 'run', string>>;
}

const NO_LOCKFILE = { install: 'npm install', ci: 'npm install', exec: 'npx', run: 'npm run' };
/** Package managers by their lockfiles: how they install, how in CI, and how they run the program of a package and a script of the project. */
const MANAGERS = [
  { ...NO_LOCKFILE, lockfile: 'package-lock.json', ci: 'npm ci' },
  {
    lockfile: 'pnpm-lock.yaml',
    install: 'pnpm install',
    ci: 'corepack enable && pnpm install',
    exec: 'pnpm exec',
    run: 'pnpm run',
  },
  {
    lockfile: 'yarn.lock',
    install: 'yarn install',
    ci: 'corepack enable && yarn install',
    exec: 'yarn',
    run: 'yarn run',
  },
];

/** By the lockfile of the folder, or of the nearest one above. */
function managerOf(folder: string): FoundProject['manager'] {
  const found = MANAGERS.find(({ lockfile }) => existsSync(join(folder, lockfile)));
  const above = dirname(folder);
  return found ?? (above === folder ? NO_LOCKFILE : managerOf(above));
}

const FRAMEWORKS: readonly (readonly [packageName: string, how: string])[] = [
  ['hono', 'your Hono app is a target as it is'],
  ['fastify', 'fromInject(app) makes a target of your Fastify app'],
  ['koa', 'fromNodeHandler(app.callback()) makes a target of your Koa app'],
  ['express', 'fromNodeHandler(app) makes a target of your Express app'],
];

/** `PORT=3000`, `--port 3000`, `--port=3000`, `-p 3000`. */
const PORT = /(?:^|[\s;&])(?:PORT=|--port[= ]|-p )["']?(\d{2,5})\b/m;

export function projectIn(folder: string): FoundProject {
  const manifest = readJson(join(folder, 'package.json'));
  const { scripts, dependencies, devDependencies } = manifest;
  const dependsOn = (name: string): boolean =>
    [dependencies, devDependencies].some((list) => isObject(list) && Object.hasOwn(list, name));
  const manager = managerOf(folder);
  const portIn = (text: string): string | undefined => PORT.exec(text)?.[1];
  const starting = ['start', 'dev', 'serve'].filter((name) => textOf(scripts, name) !== '');
  const script = starting.find((name) => portIn(textOf(scripts, name)) !== undefined);
  const start = script ?? starting[0];
  const port = portIn(script === undefined ? readText(join(folder, '.env')) : textOf(scripts, script));
  const known = FRAMEWORKS.find(([name]) => isObject(dependencies) && Object.hasOwn(dependencies, name));
  return {
    url: port === undefined ? null : `http://127.0.0.1:${port}/v2/test`,
    urlFrom: script === undefined ? '.env' : `the script ${script}`,
    start: start === undefined ? null : `${manager.run} ${start}`,
    framework: known?.[1] ?? null,
    manager,
    hasTypeScript:
      manifest['type'] === 'module' && (existsSync(join(folder, 'tsconfig.json')) || dependsOn('typescript')),
  };
}

/** Where editors find the schema of a configuration in that folder: in the package, once it is installed. */
export function configSchemaFor(folder: string): string {
  const inPackage = join('node_modules', 'runproof', 'schemas', 'config.schema.json');
  for (let above = folder; ; above = dirname(above)) {
    const path = relative(folder, join(above, inPackage)).replaceAll('\\', '/');
    if (existsSync(join(above, inPackage))) return path.startsWith('.') ? path : `./${path}`;
    if (dirname(above) === above) return './node_modules/runproof/schemas/config.schema.json';
  }
}

/**
 * The version of this package for a `package.json` in that folder: its published version, or the same file or folder that
 * it was installed from.
 */
export function dependencyFor(folder: string): string {
  const beside = dirname(PACKAGE_ROOT);
  if (!beside.endsWith('node_modules')) {
    // A clone: nothing else has its sources.
    const isClone = existsSync(join(PACKAGE_ROOT, 'src'));
    return isClone ? `file:${relative(folder, PACKAGE_ROOT)}` : `^${packageVersion()}`;
  }
  const owner = dirname(beside);
  const file = fileOf(owner);
  return file === null ? `^${packageVersion()}` : `file:${relative(folder, file)}`;
}

/** How the `package.json` of that folder names this package; empty: it does not. */
function saidIn(folder: string): string {
  const { dependencies, devDependencies } = readJson(join(folder, 'package.json'));
  return textOf(dependencies, 'runproof') || textOf(devDependencies, 'runproof');
}

/** The file or folder from which that project installs this package; null: it comes from a registry. */
function fileOf(folder: string): string | null {
  const said = saidIn(folder);
  return said.startsWith('file:') ? resolve(folder, said.slice('file:'.length)) : null;
}

/** Whether that project is to get this package by its version, which no registry has. */
export const isByVersion = (folder: string): boolean => /^[\^~]?\d/.test(saidIn(folder));

/** What to do where CI cannot install this package, because it is outside the repository of the project; null: it can. */
export function adviceForCi(folder: string): string | null {
  const file = fileOf(folder);
  if (file === null || !relative(repositoryOf(folder), file).startsWith('..')) return null;
  const pack = file.endsWith('.tgz') ? 'copy that file' : 'run npm pack there, copy the packed file';
  return `in CI: Runproof comes from ${relative(folder, file)}, which CI does not have: ${pack} into the project, install that copy, and commit it`;
}

/** The nearest folder that is a clone, or the folder itself. */
function repositoryOf(folder: string): string {
  for (let above = folder; dirname(above) !== above; above = dirname(above))
    if (existsSync(join(above, '.git'))) return above;
  return folder;
}

const textOf = (object: unknown, name: string): string => {
  const value = isObject(object) ? object[name] : undefined;
  return typeof value === 'string' ? value : '';
};

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What cannot be read is told by who wants to write it. */
function readJson(path: string): { readonly [name: string]: unknown } {
  const value = jsonIn(readText(path));
  return isObject(value) ? value : {};
}
