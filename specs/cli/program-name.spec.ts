/** Commands to copy begin with the program as its user starts it. */
import { describe, expect, it } from 'vitest';
import { fromHere, program, programName } from '../../src/program-name.js';

describe('the name of the program, in commands to copy', () => {
  const path = { PATH: '/usr/bin:/usr/local/bin' };
  it.each([
    ['npx, in the project', '/x/node_modules/.bin/runproof', {}, 'npx runproof'],
    ['npx, on Windows', '/x/node_modules/runproof/bin/runproof.js', {}, 'npx runproof'],
    ['pnpm', '/x/node_modules/.pnpm/runproof@1/node_modules/runproof/bin/runproof.js', {}, 'npx runproof'],
    [
      'npx, of a package that it has fetched',
      '/root/.npm/_npx/1f/node_modules/.bin/runproof',
      {},
      'npx runproof',
    ],
    ['npm install -g', '/usr/local/bin/runproof', path, 'runproof'],
    ['a file outside of the path', '/opt/bin/runproof', path, '/opt/bin/runproof'],
    ['a file that is here', '/x/runproof', path, './runproof'],
    ['a clone that is here', '/x/bin/runproof.js', { npm_command: 'exec' }, 'node bin/runproof.js'],
    ['a clone below', '/x/my clone/bin/runproof.js', {}, "node 'my clone/bin/runproof.js'"],
    ['a clone elsewhere', '/other/bin/runproof.js', {}, 'node /other/bin/runproof.js'],
    ['another project', '/y/node_modules/.bin/runproof', {}, '/y/node_modules/.bin/runproof'],
    ['the library, in a test', '/x/node_modules/vitest/vitest.mjs', {}, 'npx runproof'],
    ['the library, in a script', '/x/check.js', {}, 'npx runproof'],
    ['the library, on the console', '', {}, 'npx runproof'],
  ] as const)('%s', (_how, script, env, name) => expect(programName(script, '/x', env)).toBe(name));

  it('is npx below the project, too', () =>
    expect(programName('/x/node_modules/.bin/runproof', '/x/src', {})).toBe('npx runproof'));

  it('is that of a library where a test runs', () => expect(program()).toBe('npx runproof'));
});

it.each([
  ['/x/reports/a', 'reports/a'],
  ['/x', '.'],
  ['/x/..a', '..a'],
  ['/y/reports', '/y/reports'],
])('the path %s is typed as %s', (path, typed) => expect(fromHere(path, '/x')).toBe(typed));
