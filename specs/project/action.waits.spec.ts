/** The script of action.yml, with programs that only tell how they were called. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.js';

const SCRIPT = /^ {6}run: \|\n((?: {8}.*\n| *\n)+)/m.exec(
  readFileSync(join(ROOT, 'action.yml'), 'utf8'),
)![1]!;

function calls(inputs: { readonly [name: string]: string }, exit = 0): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-action-'));
  for (const name of ['node', 'npx', 'npm']) {
    const program = `#!/bin/bash\nprintf '%s' "${name}"; printf '|%s' "$@"; echo\n[ ${name} = npm ] || exit ${exit}\n`;
    writeFileSync(join(folder, name), program, { mode: 0o755 });
  }
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_ACTION_PATH: folder,
    ...{ URL: '', CONTROL: '', ARGUMENTS: '', PACKAGE: '', REPORT: 'out' },
    ...inputs,
  };
  const { stdout, status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', SCRIPT], {
    encoding: 'utf8',
    env,
  });
  expect(status).toBe(exit);
  expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toBe(`exit-code=${exit}\n`);
  rmSync(folder, { recursive: true });
  return stdout.trim().replaceAll(folder, 'ACTION').split('\n');
}

const REPORT = '--out|out|--format|terminal,json,html,markdown,github';

it('builds and runs the version that was asked for', () => {
  expect(calls({ URL: 'http://a.test/v2/x', CONTROL: 'http://a.test/c' })).toEqual([
    'npm|ci|--no-audit|--no-fund',
    `node|ACTION/bin/runproof.js|check|http://a.test/v2/x|--control|http://a.test/c|${REPORT}`,
  ]);
});

it('or a package, with arguments quoted as in a shell; the exit code is kept', () => {
  const ARGUMENTS = `--profile quick --header 'X-Team: a b' --only "4.6/*"`;
  expect(calls({ PACKAGE: './runproof.tgz', ARGUMENTS }, 6)).toEqual([
    `npx|--yes|--package|./runproof.tgz|runproof|check|${REPORT}|--profile|quick|--header|X-Team: a b|--only|4.6/*`,
  ]);
});
