/** `show`: opens failures, scripts, jobs and calls of a report. */
import type { CallEvent, ScriptEvent } from '../../history/events.js';
import { escapedTexts, jsonText, quoteForShell } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import {
  callsOfJob,
  failuresAsJson,
  jobsNamed,
  lastOf,
  showCall,
  showFailures,
  showRequirement,
  showScript,
  type ShowContext,
} from '../../report/calls/show-text.js';
import { beliefsAsJson, hasFineTimes, showBeliefs } from '../../report/calls/beliefs-text.js';
import { followJobs, type FollowedJob } from '../../oracle/index.js';
import { clueLines, cluesTo } from '../../report/differences/index.js';
import { decided } from '../../judging/render-context.js';
import { someOf } from '../../report/formatting.js';
import { createColours } from '../../report/terminal/terminal-colours.js';
import { UsageError } from '../../util/errors.js';
import { didYouMean } from '../../util/suggest.js';
import { wantsColour, type Io } from '../../cli/io.js';
import { wantsJson } from '../../cli/options/option-table.js';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { historyBeside, readReport, type CheckReport } from '../../files/report-files.js';
import { fromHere, program } from '../../program-name.js';
import type { ShowSettings } from './index.js';

/** @throws {UsageError} for a report without calls, and for what the report does not have */
export async function show(settings: ShowSettings, io: Io): Promise<ExitCode> {
  const { report, what: wanted, at, as } = settings;
  const json = wantsJson(settings);
  const written = readReport(report, io.cwd);
  if (written.kind !== 'check')
    throw new UsageError(
      `${written.name} is a report of explore, which keeps no calls: "${program()} replay FILE" plays a file of ${fromHere(written.folder, io.cwd)}/failures`,
    );
  const history = historyBeside(written);
  if (history.length === 0) throw new UsageError(withoutCalls(written, wanted, io.cwd));
  const context: ShowContext = {
    report: escapedTexts(written.report),
    history,
    basePath: null,
    colours: createColours(wantsColour(io)),
    program: program(),
    directory: fromHere(written.folder, io.cwd),
  };
  if (at !== undefined) {
    io.out(`${beliefs(wanted, at, json, context).join('\n')}\n`);
    return 0;
  }
  if (as !== undefined) {
    const { failureAs, REAL_TIME } = await import('./as-test/index.js');
    io.out(wanted.map((what) => failureAs(as, what, context)).join('\n'));
    if (as !== 'dispute' && written.report.target.clock === 'real')
      io.note(
        `this test is ${REAL_TIME}. A test from a check with --control is reliable, if the server offers test control (docs/contracts/test-control.md)\n`,
      );
    return 0;
  }
  if (json) {
    const found =
      wanted.length === 0 ? failuresAsJson(context) : wanted.flatMap((what) => asJson(what, context));
    io.out(found.map((each) => `${jsonText(each)}\n`).join(''));
    return 0;
  }
  const parts = wanted.length === 0 ? [showFailures(context)] : wanted.map((what) => shown(what, context));
  io.out(`${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`);
  return 0;
}

/** A requirement that fails, or calls. */
function asJson(what: string, context: ShowContext): readonly object[] {
  const failing = failuresAsJson(context).filter(({ id }) => id === what);
  return failing.length > 0 ? failing : callsNamed(what, context);
}

/** Why no call can be shown, and of a merged report: which of its parts show what is wanted. */
function withoutCalls({ name, report, folder }: CheckReport, wanted: readonly string[], cwd: string): string {
  const parts = (report.parts ?? []).map((part) => fromHere(join(folder, part), cwd));
  const commands = parts
    .filter((part) => hasFailed(part, wanted, cwd))
    .map((part) => `"${[program(), 'show', ...[part, ...wanted].map(quoteForShell)].join(' ')}"`);
  if (commands.length === 0) return `there is no history.ndjson beside ${name}, so no call can be shown`;
  return `${name} is merged from other reports, which have the calls: ${commands.join(' or ')}`;
}

/** Each wanted requirement that the report has failed in it; a report that is gone shows nothing. */
function hasFailed(part: string, wanted: readonly string[], cwd: string): boolean {
  if (!existsSync(resolve(cwd, part))) return false;
  const written = readReport(part, cwd);
  const rows = written.kind === 'check' ? written.report.requirements : [];
  return rows.every(({ id, verdict }) => !wanted.includes(id) || verdict === 'fail');
}

const CALL = /^#?(\d+)$/;
const SCRIPT = /^script:(\d+)$/;

function shown(what: string, context: ShowContext): readonly string[] {
  const requirement = context.report.requirements.find(({ id }) => id === what);
  if (requirement !== undefined)
    return [
      ...showRequirement(requirement, context, cluesOf(requirement, context)),
      ...(requirement.failures.length === 0 ? [] : otherwise(what, context)),
    ];
  const played = scriptsNamed(what, context.history);
  if (played.length > 0)
    return played.flatMap(({ script }, index) => [
      ...(index > 0 ? [''] : []),
      ...showScript(script, new Set(), context),
    ]);
  const calls = callsNamed(what, context);
  if (CALL.test(what)) return calls.flatMap((call) => showCall(call, context, 'whole'));
  return calls.flatMap((call, index) => [...(index > 0 ? [''] : []), ...showCall(call, context, 'brief')]);
}

function cluesOf(
  requirement: ShowContext['report']['requirements'][number],
  { report, history }: ShowContext,
): readonly string[] {
  if (requirement.failures.length === 0) return [];
  const decisions = decided(history, [requirement.id], hasFineTimes(report));
  return [...cluesTo([requirement], history, decisions).values()].flatMap(clueLines);
}

/** How to have a failure as a test, or as a text that disputes it. */
const otherwise = (requirement: string, { colours, directory }: ShowContext): readonly string[] => [
  '',
  colours.dim('As a test (vitest, pytest, go), or as a text that disputes it (dispute):'),
  colours.cyan(`${program()} show ${quoteForShell(directory)} ${requirement} --as vitest`),
];

const scriptsOf = (history: ShowContext['history']): readonly ScriptEvent[] =>
  history.filter((event) => event.kind === 'script');

/** The scripts of a scenario, or the one with this number. */
function scriptsNamed(what: string, history: ShowContext['history']): readonly ScriptEvent[] {
  const number = SCRIPT.exec(what)?.[1];
  return scriptsOf(history).filter(({ script, scenario }) =>
    number === undefined ? scenario === what : script === Number(number),
  );
}

/** @throws {UsageError} when there are none */
function callsNamed(what: string, { history, report, directory }: ShowContext): readonly CallEvent[] {
  const number = CALL.exec(what)?.[1];
  const calls = history.filter((event) => event.kind === 'call');
  const played = new Set(scriptsNamed(what, history).map(({ script }) => script));
  const found =
    number !== undefined
      ? calls.filter(({ call }) => call === Number(number))
      : played.size > 0
        ? calls.filter((call) => played.has(call.script))
        : [];
  if (found.length > 0) return found;
  const name = what.replace(/^job:/, '');
  const [job, ...more] = jobsNamed(history, name);
  if (more.length > 0)
    throw new UsageError(
      `${more.length + 1} jobs have an id that begins with ${name}: ${jobsToName([job!, ...more], name, history)}`,
    );
  if (job !== undefined) return callsOfJob(history, job);
  if (name !== what && name !== '') throw new UsageError(withoutJob(name, history));
  if (number !== undefined && calls.length > 0)
    throw new UsageError(
      `this run has no call #${number}: its calls are numbered from #0 to #${lastOf(calls.map(({ call }) => call))}`,
    );
  const scripts = scriptsOf(history);
  if (SCRIPT.test(what) && scripts.length > 0) {
    const last = lastOf(scripts.map(({ script }) => script));
    throw new UsageError(`this run has no ${what}: its scripts are numbered from script:0 to script:${last}`);
  }
  const names = [...report.requirements.map(({ id }) => id), ...scripts.map(({ scenario }) => scenario)];
  throw new UsageError(
    `this run has no call, requirement, scenario, script or job "${what}".${didYouMean(what, names)} "${program()} show ${quoteForShell(directory)}" says what it can show`,
  );
}

/** Some of the jobs that `name` begins, as `show` takes them: by the shortest beginning that names no other, with their scripts. */
function jobsToName(ids: readonly string[], name: string, history: ShowContext['history']): string {
  const told = (id: string): string => {
    const longer = [...id].map((_, at) => id.slice(0, at + 1)).filter((one) => one.length > name.length);
    const own = longer.find((one) => ids.filter((other) => other.startsWith(one)).length === 1) ?? id;
    return `job:${own} (script:${callsOfJob(history, id)[0]!.script})`;
  };
  return someOf([...ids.slice(0, 3).map(told), ...ids.slice(3)]);
}

/** The jobs whose ids begin as this one does, as far as any do. */
function withoutJob(name: string, history: ShowContext['history']): string {
  const near = [...name]
    .map((_, at) => name.slice(0, at))
    .findLast((one) => jobsNamed(history, one).length > 0);
  const others =
    near === undefined
      ? ''
      : `. These begin with ${near}: ${jobsToName(jobsNamed(history, near), near, history)}`;
  return `this run has no job whose id begins with ${name}${others}`;
}

/** What the jobs of a script may have been at an instant. */
function beliefs(
  wanted: readonly string[],
  at: NonNullable<ShowSettings['at']>,
  asJson: boolean,
  context: ShowContext,
): readonly string[] {
  const { history } = context;
  const call = 'call' in at ? callsNamed(`${at.call}`, context)[0]! : null;
  const named = wanted.flatMap((what) => evidenceNamed(what, context));
  const numbers = new Set((call === null ? named : [call]).map(({ script }) => script));
  const scripts = scriptsOf(history).filter(({ script }) => numbers.has(script));
  if (scripts.length === 0)
    throw new UsageError(
      '--at needs a script beside an instant: name a requirement that failed, a scenario, a job, a call or script:N, or say --at call:N',
    );
  const jobs = followJobs(history, numbers, hasFineTimes(context.report));
  const asked = new Set(call !== null && named.length === 0 ? [call] : named);
  const isAsked = ({ id }: FollowedJob): boolean => callsOfJob(history, id).some((one) => asked.has(one));
  return scripts.flatMap((script, index) => {
    const ofScript = jobs.filter((job) => job.script === script.script);
    const found = ofScript.filter(isAsked);
    const shown = found.length === 0 ? ofScript : found;
    const endMs = call === null ? null : (call.receivedMs ?? call.gaveUpMs ?? call.sentMs) - script.atMs;
    const instant = { atMs: endMs ?? ('ms' in at ? at.ms : 0), call, endMs: endOf(script, history) };
    if (asJson) return shown.map((job) => jsonText(beliefsAsJson(job, instant)));
    return [...(index > 0 ? [''] : []), ...showBeliefs(script, shown, instant, context)];
  });
}

/** When the last call of the script was over, ms from its beginning. */
const endOf = ({ script, atMs }: ScriptEvent, history: ShowContext['history']): number =>
  lastOf(
    history.flatMap((event) =>
      event.kind === 'call' && event.script === script
        ? [(event.receivedMs ?? event.gaveUpMs ?? event.sentMs) - atMs]
        : [],
    ),
  );

/** The calls that something names, or that show its failure. */
function evidenceNamed(what: string, context: ShowContext): readonly CallEvent[] {
  const requirement = context.report.requirements.find(({ id }) => id === what);
  if (requirement === undefined) return callsNamed(what, context);
  const evidence = requirement.failures[0]?.calls ?? [];
  return context.history
    .filter((event) => event.kind === 'call')
    .filter(({ call }) => evidence.includes(call));
}
