/** A run in which nothing failed, and which left much open, says so everywhere, and how more is decided. */
import { expect, it } from 'vitest';
import { nextLines, stepsAfterCheck, stepsAfterJudging } from '../../../src/cli/report/next-steps.js';
import { badgeOf } from '../../../src/report/compare/matrix.js';
import type { RunEvent } from '../../../src/history/events.js';
import { renderFormat } from '../../../src/report/formats/index.js';
import { buildReport, type Report } from '../../../src/report/index.js';
import { renderTerminal } from '../../../src/report/terminal/terminal.js';
import { REQUIREMENTS } from '../../../src/spec/index.js';
import { CONTEXT, FINDINGS } from '../../report/sample-report.js';

const NEEDS_CONTROL = REQUIREMENTS.filter(
  ({ level, needs }) => level === 'must' && needs.join() === 'scripted-worker,worker-count-known',
).map(({ id }) => id);

/** One must passed, another is untestable in real time. */
function openReport(): Report {
  const [first] = FINDINGS.requirements;
  const passed = { ...first!, level: 'must', verdict: 'pass', failed: 0, failures: [] } as const;
  const untestable = { ...passed, id: NEEDS_CONTROL[0]!, verdict: 'untestable', decided: 0 } as const;
  const [run, ...events] = CONTEXT.history;
  return buildReport({
    findings: { ...FINDINGS, requirements: [passed, untestable] },
    history: [{ ...(run as RunEvent), clock: 'real', capabilities: ['scripted-worker'] }, ...events],
    url: 'http://127.0.0.1:8080',
    replayArguments: ['http://127.0.0.1:8080/v2/test'],
    ...{
      runproof: '0.0.0',
      program: 'npx runproof',
      at: null,
      wallMs: 1_234,
      ending: 'finished',
      scriptFiles: new Map(),
    },
  });
}
const VERDICT = 'NOTHING FAILED: 1 of 2 required rules checked; --control would add 1';

it('in yellow, with what would decide more', () => {
  const report = openReport();
  expect(report).toMatchObject({ exitCode: 0, verdict: VERDICT, conforms: false });
  const options = {
    ...{ colour: true, verbose: false, directory: null, program: 'npx runproof' },
    ...{ titles: new Map(), quotes: new Map() },
  };
  expect(renderTerminal(report, options)).toContain(`\u001b[33m${VERDICT}\u001b[39m`);
  expect(renderFormat('markdown', report, CONTEXT).content).toMatch(/^# ⚠️ NOTHING FAILED: /);
  expect(renderFormat('html', report, CONTEXT).content).toContain('<header class="verdict open">');
  expect(badgeOf(report)).toMatchObject({ color: 'yellow', message: '1 of 2 required rules hold' });
  const whole = { ...report, conforms: true };
  expect(renderFormat('markdown', whole, CONTEXT).content).toMatch(/^# ✅ /);
  expect(renderFormat('html', whole, CONTEXT).content).toContain('<header class="verdict good">');
  expect(badgeOf(whole).color).toBe('brightgreen');
});

it('the next command is the same check with what adds most', () => {
  const where = { url: 'http://127.0.0.1:8080', folder: 'reports/x' };
  expect(stepsAfterCheck(openReport(), where)).toEqual([
    {
      command: null,
      does: 'add --control with the address of its test control to decide 1 rule more, if the server offers it',
    },
  ]);
  const control = 'http://127.0.0.1:8080/_control';
  const steps = stepsAfterCheck(openReport(), { ...where, control });
  expect(nextLines(steps)).toEqual([
    `next: npx runproof check http://127.0.0.1:8080/v2/test --control ${control}  decide 1 rule more, with test control`,
  ]);
});

it('where all is decided and init has been here, more is explored', () => {
  const where = { url: 'http://127.0.0.1:8080', folder: null };
  const report = { ...openReport(), conforms: true };
  const commandsOf = (more: object): readonly unknown[] =>
    stepsAfterCheck(report, { ...where, ...more }).map(({ command }) => command);
  expect(commandsOf({})).toEqual(['npx runproof init']);
  expect(commandsOf({ isSetUp: true })).toEqual([
    'npx runproof check http://127.0.0.1:8080/v2/test --explore 20',
  ]);
  expect(commandsOf({ isSetUp: true, others: ['--explore', '9'] })).toEqual([]);
});

it.each([0, 6, 7] as const)('of what had failed before, everything: exit code %i', (exitCode) => {
  const where = { url: 'http://127.0.0.1:8080', folder: 'reports/x', isAgain: true };
  expect(stepsAfterCheck({ ...openReport(), exitCode }, where)).toEqual([
    {
      command: 'npx runproof check http://127.0.0.1:8080/v2/test',
      does: 'check everything: nothing failed again',
    },
  ]);
});

it('the next command keeps what the check had, but for what its new option replaces or excludes', () => {
  const where = { url: 'http://127.0.0.1:8080', folder: 'reports/x' };
  const others = ['--only', '2.2', '--only', '4.6/*', '--profile', 'quick', '--budget', '3m', '--bail'];
  const limited = {
    ...openReport().target,
    replayArguments: ['http://h/v2/test', '--calls-per-second', '3'],
  };
  const report = { ...openReport(), target: limited };
  expect(
    stepsAfterCheck(report, { ...where, others, control: 'http://h/_control' }).map(({ command }) => command),
  ).toEqual([
    'npx runproof check http://h/v2/test --calls-per-second 3 --profile quick --bail',
    "npx runproof check http://h/v2/test --only 2.2 --only '4.6/*' --profile quick --budget 3m --bail --control http://h/_control",
  ]);
  expect(stepsAfterCheck(report, { ...where, others, budget: { hadMs: 180_000, wants: '6m' } })[0]).toEqual({
    command:
      "npx runproof check http://h/v2/test --calls-per-second 3 --only 2.2 --only '4.6/*' --profile quick --bail --budget 6m",
    does: 'check more: not everything fitted into 3m',
  });
});

it.each([0, 7] as const)('after a budget that ended, a larger one, not judge: exit code %i', (exitCode) => {
  const where = { url: 'http://127.0.0.1:8080', folder: 'reports/x', budget: { hadMs: 45_000, wants: '7m' } };
  const report = { ...openReport(), exitCode, conforms: true };
  const commands = stepsAfterCheck(report, where).map(({ command }) => command);
  expect(commands[0]).toBe('npx runproof check http://127.0.0.1:8080/v2/test --budget 7m');
  expect(commands.join()).not.toContain('judge');
});

it('of traffic, the command that settles what fails unless an assumption holds', () => {
  const cost = { assumed: ['others'], instead: '--world closed', musts: 3, failed: 1 } as const;
  const report = { ...openReport(), assumptions: { calls: 3, costs: [cost] } };
  expect(stepsAfterJudging(report, ['my calls.har'])).toEqual([
    {
      command: "npx runproof judge 'my calls.har' --world closed",
      does: 'see what fails then, with its proof',
    },
  ]);
  expect(stepsAfterJudging(openReport(), ['calls.har'])).toEqual([]);
});
