/**
 * `demo`: what Runproof does, in ten seconds, for a reader who has never heard of it. An error is planted in the
 * emulator, and found. Its words are those of a newcomer: rules and tests, not requirements and scripts.
 */
import { resolve } from 'node:path';
import { checkTarget, type CheckResult } from '../../checking/check-target.js';
import { createRedactor, type ExitCode, type Report, type ReportFailure } from '../../report/index.js';
import { headlines } from '../../report/headline.js';
import { escapedTexts } from '../../report/escape.js';
import { formatDuration, pluralize } from '../../report/formatting.js';
import { proofText } from '../../report/proof-text.js';
import { createColours, type Colours } from '../../report/terminal/terminal-colours.js';
import { REQUIREMENTS } from '../../spec/index.js';
import { program } from '../../program-name.js';
import { defaultsOf, givenIn } from '../../cli/options/option.js';
import { TARGET_OPTIONS } from '../../cli/options/option-table.js';
import { wantsColour, type Io } from '../../cli/io.js';
import { YOUR_ADDRESS } from '../../cli/options/address.js';
import { nextLines } from '../../cli/report/next-steps.js';
import { openPage } from '../../cli/report/open-page.js';
import { withTarget, type OpenedTarget } from '../../cli/open-target.js';
import { createProgress } from '../../cli/progress.js';
import { targetSettings } from '../../cli/options/settings.js';
import type { DemoSettings } from './index.js';

const PLANTED = 'ttl-spares-running';
/** The rules that it may break: few enough for ten seconds on a slow machine. */
const RULES = '2.2/ttl-removes-*';
const BROKEN = '2.2/ttl-removes-running';
/** The same every time. */
const SEED = 1;
/** As wide as the narrowest usual terminal. */
const COLUMNS = 78;

export async function demo({ fixed, open, ...given }: DemoSettings, io: Io): Promise<ExitCode> {
  const colours = createColours(wantsColour(io));
  io.out(`${introduction(fixed, colours).join('\n')}\n`);
  const planted = { ...defaultsOf(TARGET_OPTIONS), mutant: fixed ? undefined : PLANTED };
  const settings = targetSettings(planted, { ...io, env: {} }, givenIn({}));
  const out = given.out ?? `reports/demo${fixed ? '-fixed' : ''}`;
  const { result, tookMs } = await withTarget(settings, io, (opened, safeIo) => checked(opened, out, safeIo));
  const { report, problem } = result;
  if (problem !== null) throw problem;
  const lines = report.exitCode === 130 ? [report.verdict] : outcome(result, tookMs, colours);
  io.out(`${[...lines, ...ending(report, out, fixed, io)].join('\n')}\n`);
  if (open) openPage(`${out}/report.html`, io);
  return hasShown(report, fixed) ? 0 : report.exitCode;
}

/** It found what was planted, or nothing where nothing was. */
const hasShown = ({ exitCode, causes = [] }: Report, fixed: boolean): boolean =>
  fixed ? exitCode === 0 : exitCode === 1 && causes[0]?.requirement === BROKEN;

function introduction(fixed: boolean, { bold, dim }: Colours): readonly string[] {
  const rule = REQUIREMENTS.find(({ id }) => id === BROKEN)!;
  return [
    bold(fixed ? 'The same server, repaired' : 'A server with a planted bug: found, proved, drawn'),
    dim(
      'The API    POST /run submits a job, GET /status/ID reports its state; its `ttl` says how long it may live.',
    ),
    dim(`The rule   “${rule.quote}” (section ${rule.section} of its document)`),
    dim(
      fixed
        ? 'The server This one deletes them, running or not.'
        : 'The bug    This server, started on this machine, forgets to delete jobs that are running.',
    ),
    'Runproof does not know this. It tests over HTTP which jobs a `ttl` deletes, and moves the server’s clock by days:',
  ];
}

async function checked(
  { target, secrets, interrupted, ...address }: OpenedTarget,
  out: string,
  io: Io,
): Promise<{ readonly result: CheckResult; readonly tookMs: number }> {
  const startedMs = io.monotonicMs();
  const progress = createProgress('auto', null, io, 'planning');
  try {
    const result = await checkTarget(target, {
      seed: SEED,
      runs: 1,
      only: [RULES],
      out,
      secrets,
      address,
      cwd: io.cwd,
      signal: interrupted,
      timestamp: io.timestamp,
      onPlan: () => progress.onPhase(null, null),
      onProgress: (event) => progress.onProgress(event),
      onPhase: (phase, decided) => progress.onPhase(phase, decided),
    });
    return { result, tookMs: io.monotonicMs() - startedMs };
  } finally {
    progress.stop();
  }
}

function outcome(
  { report: given, history }: CheckResult,
  tookMs: number,
  colours: Colours,
): readonly string[] {
  const report = escapedTexts(given);
  const { totals, time, requirements } = report;
  const waited = formatDuration(time.longestWaitMs);
  const sent = `${pluralize(totals.scripts, 'test')}, ${pluralize(totals.calls, 'call')} in ${formatDuration(tookMs)}; the longest waited ${waited} on the server’s clock`;
  const cause = report.causes?.[0];
  const broken = requirements.find(({ id }) => id === cause?.requirement);
  if (cause === undefined || broken === undefined)
    return [sent, '', colours.green(colours.bold('✔ A `ttl` deletes every job, whatever its state.'))];
  const [failure] = broken.failures;
  const others = cause.sameAnswer.length + cause.consequences.length;
  return [
    sent,
    '',
    colours.red(colours.bold(`✘ ${headlines(report).get(broken.id)?.[0] ?? broken.text}`)),
    `  The rule: ${broken.text} The same bug breaks ${pluralize(others, 'other rule')}.`,
    ...(failure === undefined ? [] : proved(failure, history, colours)),
  ];
}

/** The shortest proof: the simplest case, the bounds that contradict each other, and the drawing. */
function proved(
  failure: ReportFailure,
  history: CheckResult['history'],
  { bold, dim, red }: Colours,
): readonly string[] {
  const drawing = proofText(failure, history, COLUMNS) ?? [];
  return [
    '',
    bold('The shortest proof'),
    ...(failure.steps ?? [failure.actual]).map((line) => `  ${line}`),
    '',
    ...failure.proof.map((line) => dim(`  ${line}`)),
    '',
    ...drawing.slice(0, -1),
    ...drawing.slice(-1).map(red),
  ];
}

/** Where to read more, what `check` would have said, and what to type next. */
function ending({ exitCode }: Report, out: string, fixed: boolean, io: Io): readonly string[] {
  const meaning = exitCode === 0 ? 'no checked rule is broken' : 'a rule is broken (with 0 if none is)';
  const other = fixed
    ? { command: `${program()} demo`, does: 'see it with the bug again' }
    : { command: `${program()} demo --fixed`, does: 'run the same tests without the bug' };
  return [
    '',
    `Full report: ${createRedactor([]).text(resolve(io.cwd, out, 'report.html'))}`,
    `In a CI job, \`check\` would exit with ${exitCode}: ${meaning}.`,
    ...nextLines([
      { command: `${program()} check ${YOUR_ADDRESS}`, does: 'check your own server' },
      other,
      {
        command: `${program()} serve --clock controlled`,
        does: 'start a correct server whose clock you move',
      },
    ]),
  ];
}
