/** `campaign`: an exploration on many machines, which share the work through a queue. */
import { availableParallelism } from 'node:os';
import type { Campaign } from './campaign.js';
import { campaignNamed, campaigns, fileCampaign, recordOf } from './campaigns.js';
import { codeHash } from './chunks.js';
import { connect, serverProblem, type Engine } from './engine.js';
import { findingChanges, stateOf, writeReport, type CampaignState } from './report.js';
import { scheduledChecks } from './checks.js';
import { checkText } from './checks-view.js';
import { whyOtherVersion } from './other-version.js';
import { stateText } from './state-text.js';
import { pause, workOn } from './work.js';
import { UsageError } from '../../util/errors.js';
import { outcomeText } from '../../exploring/outcome-files.js';
import { openThreads } from '../../exploring/pool.js';
import { proofText, writeProofs } from '../../exploring/proof-files.js';
import { packageVersion } from '../../package-files.js';
import type { ExitCode } from '../../report/index.js';
import { escapeControls, escapeLines } from '../../report/escape.js';
import { pluralize } from '../../report/formatting.js';
import { campaignCommand, scheduleCheck, workChecks } from './checks-command.js';
import { namedTargetCampaign, startOnTargets, TARGET_ACTION, targetCampaignList } from './targets-command.js';
import { RUNS_DEFAULT } from '../../cli/options/option-table.js';
import { testBedSettings } from '../../cli/options/test-bed-settings.js';
import type { Io } from '../../cli/io.js';
import type { CampaignSettings } from './index.js';

const WATCH_MS = 5_000;
const POLL_MS = 5_000;
/** A worker may be started before its server. */
const CONNECT_RETRIES = 60;

type Action = (engine: Engine, settings: CampaignSettings, io: Io, stop: AbortSignal) => Promise<ExitCode>;

const ACTION: { readonly [action in CampaignSettings['action']]: Action } = {
  start,
  work,
  watch,
  report,
  list,
  schedule: scheduleCheck,
  stop: (engine, settings, io) => setStopped(engine, settings, io, true),
  resume: (engine, settings, io) => setStopped(engine, settings, io, false),
  remove,
};

export async function campaign(settings: CampaignSettings, io: Io): Promise<ExitCode> {
  const { action, server, checks } = settings;
  const stop = new AbortController();
  const engine = await connect(
    server,
    (problem) => io.err(`${escapeLines(problem)}\n`),
    action === 'work' ? CONNECT_RETRIES : 0,
  );
  const forget = io.onInterrupt(() => {
    if (action === 'work')
      io.note(
        checks
          ? '\nending the check at hand; a worker will do it again\n'
          : '\nfinishing the work at hand. Once more ends at once; others would do it again\n',
      );
    stop.abort();
  });
  try {
    const overTargets = await targetAction(engine, settings);
    return await (overTargets ?? ACTION[action])(engine, settings, io, stop.signal);
  } catch (error) {
    // The server gave up on a command.
    const problem = error instanceof UsageError ? null : serverProblem(error as Error);
    throw problem === null ? error : new UsageError(problem);
  } finally {
    forget();
    await engine.close();
  }
}

/** What the action does where it is about a campaign over deployed targets; otherwise null. */
async function targetAction(
  engine: Engine,
  { action, targets, name }: CampaignSettings,
): Promise<Action | null> {
  if (action === 'start') return targets.length === 0 ? null : startOnTargets;
  const act = TARGET_ACTION[action];
  if (act === undefined) return null;
  const newest = (await campaigns(engine)).at(-1)?.record.startedAt ?? null;
  const meant = await namedTargetCampaign(engine, name, newest);
  return meant === null ? null : (...[, settings, io, stop]) => act(engine, meant, settings, io, stop);
}

async function start(engine: Engine, settings: CampaignSettings, io: Io): Promise<ExitCode> {
  const { seed, runs = RUNS_DEFAULT } = settings;
  if (seed === undefined) throw new UsageError('campaign start requires --seed, such as --seed 7');
  const testBed = testBedSettings(settings, io);
  const record = recordOf({ seed, runs, testBed }, codeHash(), packageVersion(), io.timestamp());
  const known = (await campaigns(engine)).some((each) => each.record.name === record.name);
  const filed = await fileCampaign(engine, record);
  io.out(`${record.name}\n`);
  io.note(
    `${known ? 'there is such a campaign already' : 'started'}: ${pluralize(runs, 'run')} in ${pluralize(filed.epochs.length, 'epoch')}. On each machine: ${campaignCommand('work', settings)}\n`,
  );
  return 0;
}

async function work(
  engine: Engine,
  settings: CampaignSettings,
  io: Io,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { checks, threads, leaseMs, name, once } = settings;
  if (checks) return workChecks(engine, settings, io, stop);
  const [code, pool] = [codeHash(), openThreads(threads)];
  const tell = (line: string): void => io.note(`${escapeLines(line)}\n`);
  const refused = new Set<string>();
  let isIdle = false;
  try {
    while (!stop.aborted) {
      const next = await nextCampaign(engine, name, code, refused, tell);
      if (next !== null) {
        isIdle = false;
        tell(`working on ${next.record.name}, with ${pluralize(threads, 'thread')}`);
        await workOn(engine, next, { pool, leaseMs, stop, tell });
        continue;
      }
      if (once) break;
      if (!isIdle) tell('no campaign has work. Waiting for one');
      isIdle = true;
      await pause(POLL_MS, stop);
    }
  } finally {
    await pool.close();
  }
  return stop.aborted ? 130 : 0;
}

/** The oldest campaign that runs and has our code. */
async function nextCampaign(
  engine: Engine,
  name: string | undefined,
  code: string,
  refused: Set<string>,
  tell: (line: string) => void,
): Promise<Campaign | null> {
  const wanted = name === undefined ? await campaigns(engine) : [await campaignNamed(engine, name)];
  for (const each of wanted) {
    const { record } = each;
    if ((await each.hasEnded()) || (await each.work.isPaused())) continue;
    const text = whyOtherVersion(record.name, record, code);
    if (text === null) return each;
    if (name !== undefined) throw new UsageError(text);
    if (!refused.has(record.name)) tell(text);
    refused.add(record.name);
  }
  return null;
}

async function watch(
  engine: Engine,
  settings: CampaignSettings,
  io: Io,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { name, once } = settings;
  const watched = await campaignNamed(engine, name);
  let first: { readonly runs: number; readonly atMs: number } | null = null;
  for (;;) {
    const state = await stateOf(watched);
    first ??= { runs: state.summary.runs, atMs: io.monotonicMs() };
    const tookMs = io.monotonicMs() - first.atMs;
    const newRuns = state.summary.runs - first.runs;
    const pace = newRuns === 0 ? null : { perS: (newRuns * 1_000) / tookMs, tookMs, newRuns };
    io.out(`${escapeLines(stateText(state, pace).join('\n'))}\n`);
    if (once || state.state === 'ended') return 0;
    await pause(WATCH_MS, stop);
    if (stop.aborted) return 130;
  }
}

async function report(
  engine: Engine,
  settings: CampaignSettings,
  io: Io,
  stop: AbortSignal,
): Promise<ExitCode> {
  const reported = await campaignNamed(engine, settings.name);
  const state = await stateOf(reported);
  if (state.proofs !== null) return reportProofs(reported, state, settings, io);
  const pool = openThreads(availableParallelism());
  try {
    const folder = folderOf(reported, settings);
    const { outcome, written } = await writeReport(reported, state, folder, io.cwd, pool, stop);
    printWarnings(state, io);
    if (state.state !== 'ended')
      io.out(`the campaign has not ended: ${state.summary.runs} of ${state.runs} runs\n`);
    for (const { requirement, change } of await findingChanges(reported, state, await campaigns(engine)))
      io.out(`${change.padEnd(9)}  ${escapeControls(requirement)}\n`);
    io.out(outcomeText(outcome, written));
    return outcome.exitCode;
  } finally {
    await pool.close();
  }
}

/** Of a campaign over several known faults: the folder that `explore --mutant all` writes. */
function reportProofs(
  reported: Campaign,
  state: CampaignState,
  settings: CampaignSettings,
  io: Io,
): ExitCode {
  const proofs = state.proofs ?? [];
  printWarnings(state, io);
  if (state.state !== 'ended') {
    io.out(`the campaign has not ended: ${pluralize(state.undone, 'planted bug')} to search for\n`);
    return 7;
  }
  for (const proof of proofs) io.out(`${proofText(proof)}\n`);
  io.out(writeProofs(proofs, reported.record, folderOf(reported, settings), io.cwd));
  return state.alarms.length + state.aside.length > 0 ? 6 : 0;
}

function printWarnings({ alarms, aside }: CampaignState, io: Io): void {
  for (const { text: alarm } of alarms) io.out(`ALARM ${escapeControls(alarm)}\n`);
  for (const { id, reason } of aside) io.out(`set aside: ${escapeControls(`${id}: ${reason}`)}\n`);
}

const folderOf = ({ record }: Campaign, settings: CampaignSettings): string =>
  settings.out ?? `reports/campaign-${record.name}`;

async function list(engine: Engine, settings: CampaignSettings, io: Io): Promise<ExitCode> {
  const all = await campaigns(engine);
  const lines = await Promise.all(all.map(listLine));
  const texts = [...lines, await targetCampaignList(engine)].join('');
  const none = `no campaign yet: "${campaignCommand('start', settings)} --seed 7" files one\n`;
  io.out(texts === '' ? none : escapeLines(texts));
  for (const state of await scheduledChecks(engine)) io.out(`${escapeLines(checkText(state))}\n`);
  return 0;
}

async function listLine(each: Campaign): Promise<string> {
  const { name, startedAt, runproof, code } = each.record;
  try {
    const { state, summary, runs } = await stateOf(each);
    return `${name}  ${state}  ${summary.runs} of ${runs} runs  ${summary.violations.length} broken  started ${startedAt}  runproof ${runproof} ${code.slice(0, 8)}\n`;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return `${name}  ${error.message}\n`;
  }
}

async function setStopped(
  engine: Engine,
  settings: CampaignSettings,
  io: Io,
  stopped: boolean,
): Promise<ExitCode> {
  const one = await campaignNamed(engine, settings.name);
  await (stopped ? one.work.pause() : one.work.resume());
  const { name } = one.record;
  io.out(
    stopped
      ? `${name} is stopped: workers finish the chunks at hand, and take no more. "${campaignCommand('resume', settings, name)}" continues it\n`
      : `${name} continues\n`,
  );
  return 0;
}

async function remove(engine: Engine, settings: CampaignSettings, io: Io): Promise<ExitCode> {
  if (settings.name === undefined) throw new UsageError('campaign remove requires the name of one');
  const one = await campaignNamed(engine, settings.name);
  if (!(await one.hasEnded()) && !(await one.work.isPaused()))
    throw new UsageError(
      `${one.record.name} is running: "${campaignCommand('stop', settings, one.record.name)}" first`,
    );
  await one.remove(engine);
  io.out(`${one.record.name} is removed\n`);
  return 0;
}
