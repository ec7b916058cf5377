/**
 * `init`: writes what a project needs to check its implementation on every change. It never overwrites a
 * file.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ExitCode } from '../report/index.js';
import type { RawOptions } from './config-file.js';
import { UsageError } from '../app/errors.js';
import type { Io } from './io.js';
import { text } from './settings.js';

const SCENARIOS = 'runproof-scenarios';

/** Separate, because this file would otherwise seem to have a default export. */
const EXPORT = 'export default';

const CONFIG = `/**
 * Options of "runproof check", "plan" and "replay", named as on the command line, in camelCase. The command
 * line takes precedence. Put the API key into the environment: RUNPROOF_API_KEY.
 */
${EXPORT} {
  url: 'http://127.0.0.1:8080/v2/test',
  // If your server offers test control, everything takes seconds:
  // control: 'http://127.0.0.1:8080/_control',
  // Only if nothing else uses the endpoint: its queue is purged, and load is sent to it.
  // dedicated: true,
  profile: 'quick',
  scenarios: '${SCENARIOS}',
  format: ['terminal', 'json', 'html', 'junit', 'github', 'markdown'],
  out: 'reports/runproof',
};
`;

const SCENARIO = `/** A scenario says what clients do. It asserts nothing: the oracle judges what happens. */
import { scenario } from 'runproof';

${EXPORT} scenario({
  title: 'a cancelled job stays cancelled while another one is done',
  exercises: ['3/cancel-queued', '3/cancelled-never-starts', '3/cancelled-stays'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ sleepMs: arb.sleep(limits), marginMs: arb.margin(limits) }),
  script: ({ sleepMs, marginMs }, s) => [
    s.run('busy', { plan: s.works(sleepMs) }),
    s.awaitStarted('busy'),
    s.run('late', { plan: s.works(10) }),
    s.cancel('late'),
    s.status('late'),
    s.awaitEnded('busy', sleepMs, marginMs),
    s.status('late'),
  ],
});
`;

const WORKFLOW = `name: runproof
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm ci
      # Put what starts your server in place of "runproof serve", which stands here for it.
      - env: { RUNPROOF_API_KEY: a-key-for-tests }
        run: |
          npx runproof serve --port 8080 --endpoint test --workers 4 &
          sleep 3
          npx runproof check --dedicated
      - if: always()
        run: |
          cat reports/runproof/github-annotations.txt
          cat reports/runproof/report.md >> "$GITHUB_STEP_SUMMARY"
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: runproof, path: reports/runproof }
`;

const FILES: readonly (readonly [file: string, content: string])[] = [
  ['runproof.config.ts', CONFIG],
  [`${SCENARIOS}/cancelled-while-another-works.ts`, SCENARIO],
  ['.github/workflows/runproof.yml', WORKFLOW],
];

export function init(raw: RawOptions, io: Io): Promise<ExitCode> {
  const folder = resolve(io.cwd, text(raw, 'dir') ?? '.');
  const written = FILES.map(([file, content]) => writeNew(join(folder, file), content, io));
  io.out(
    written.includes(true)
      ? 'next: put your address into runproof.config.ts, then: RUNPROOF_API_KEY=… npx runproof check\n'
      : 'nothing to write: everything is there already\n',
  );
  return Promise.resolve(0);
}

function writeNew(path: string, content: string, io: Io): boolean {
  const shown = relative(io.cwd, path);
  if (existsSync(path)) {
    io.out(`kept     ${shown}\n`);
    return false;
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    // "wx" fails even if the file was created just now.
    writeFileSync(path, content, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${shown} cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
  }
  io.out(`written  ${shown}\n`);
  return true;
}
