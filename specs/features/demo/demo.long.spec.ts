/** `demo`: all that a newcomer sees of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { TimeSpent } from '../../../src/features/check/time-spent.js';
import type { Report } from '../../../src/report/index.js';
import { createFakeIo } from '../../cli/fake-io.js';

/** Words that only readers of our documents know. */
const PRIVATE_WORDS =
  /\b(must|mutant|oracle|scenario|script|requirement|decision|decided|seed|embedded|conform|target|history)/i;

/** From the sources it judges in this process, beside other specs. */
const TIMEOUT_MS = 240_000;

describe('demo', () => {
  it(
    'shows a bug found, proved and drawn, and what to type next, on a screen',
    { timeout: TIMEOUT_MS },
    async () => {
      const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'unused', NO_COLOR: '1' } });
      expect(await runCli(['demo'], io)).toBe(0);
      const shown = io.printed();
      const lines = shown.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect([...lines, ...io.complained().split('\n')].filter((line) => line.length > 120)).toEqual([]);
      expect(shown).toContain('“When `ttl` expires, the job is deleted whatever its state.”');
      expect(shown).toContain(
        '✘ Running jobs are never deleted when their `ttl` ends (still IN_PROGRESS up to 1 d ',
      );
      // The simplest case comes first.
      expect(shown).toMatch(
        /^The shortest proof\n {2}submit by \/run a .*\n(.*\n)? {2}wait 12\.001 s\n {2}read the status of a /m,
      );
      expect(shown).toMatch(/allowed lateness 2 s → must be deleted by /);
      expect(shown).toMatch(/^ +\d+ ms too late █+$/m);
      expect(shown).toContain('`check` would exit with 1');
      expect(shown).toMatch(/^next: npx runproof check https:\/\/HOST\/v2\/ENDPOINT_ID /m);
      expect(shown).toMatch(/^ +npx runproof demo --fixed /m);
      expect(shown).toMatch(/^ +npx runproof serve --clock controlled /m);
      // Of a proof it is a plain word.
      expect(shown.replaceAll('must be deleted', '')).not.toMatch(PRIVATE_WORDS);
      const page = join(io.cwd, 'reports/demo/report.html');
      expect(shown).toContain(`Full report: ${page}\n`);
      expect(readFileSync(page, 'utf8')).toContain('2.2/ttl-removes-running');
    },
  );

  it('--fixed shows the same tests green', { timeout: TIMEOUT_MS }, async () => {
    const io = createFakeIo();
    expect(await runCli(['demo', '--fixed', '--out', 'green'], io)).toBe(0);
    const shown = io.printed();
    expect(shown).toContain('✔ A `ttl` deletes every job, whatever its state.');
    expect(shown).toContain('`check` would exit with 0');
    expect(shown).not.toContain('✘');
    const { causes } = JSON.parse(readFileSync(join(io.cwd, 'green/report.json'), 'utf8')) as Report;
    expect(causes).toEqual([]);
  });

  it('ends with 130 and a word when it is interrupted', async () => {
    const io = createFakeIo({ timestamp: () => (setTimeout(() => io.interrupt(), 1), 'now') });
    expect(await runCli(['demo'], io)).toBe(130);
    expect(io.printed()).toMatch(/^INTERRUPTED: /m);
  });
});

it('the time spent is that of all parts, and names those that matter', () => {
  let nowMs = 1_000;
  const spent = new TimeSpent(() => nowMs, 'planning', 400);
  nowMs = 2_000;
  spent.begin('running');
  nowMs = 5_000;
  spent.begin('judging');
  nowMs = 5_050;
  expect(spent.text()).toBe('4.7 s (planning 1.6 s, running 3 s)');
});
