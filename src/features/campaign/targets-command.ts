/** Campaigns over deployed targets: many seeds of `check`, one check at a time at each target. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeHash } from './chunks.js';
import type { Engine } from './engine.js';
import {
  fileTargetCampaign,
  removeTargetCampaign,
  TARGET_RUNS_MAX,
  targetCampaign,
  targetCampaigns,
  targetStates,
  withdraw,
  type TargetCampaign,
  type TargetState,
} from './target-campaign.js';
import { pause } from './work.js';
import { UsageError } from '../../util/errors.js';
import { packageVersion } from '../../package-files.js';
import { escapeLines } from '../../report/escape.js';
import { pluralize } from '../../report/formatting.js';
import type { ExitCode } from '../../report/index.js';
import { campaignCommand, checkOptions } from './checks-command.js';
import type { Io } from '../../cli/io.js';
import { mergeWritten } from '../../cli/merge-written.js';
import { readReport } from '../../files/report-files.js';
import type { CampaignSettings } from './index.js';
import { httpUrl, integer } from '../../cli/values.js';
import { makeFolder } from '../../make-folder.js';

/** How a report that is joined is printed. */
const MERGED = { formats: undefined, open: false, quiet: false, verbose: false, minDecided: undefined };

const WATCH_MS = 5_000;
/** What a check may take of a target, where --check names no --budget. */
const BUDGET_DEFAULT = '3m';
/** The exit code of the report is the first of these that a target has. */
const WORST_FIRST: readonly ExitCode[] = [130, 1, 3, 6, 7];

export async function startOnTargets(engine: Engine, settings: CampaignSettings, io: Io): Promise<ExitCode> {
  const { seed, runs: wanted, targets, dialect, mutant, edition } = settings;
  if (seed === undefined || wanted === undefined)
    throw new UsageError(
      'campaign start --target requires --seed and --runs, the number of checks of each target, such as --seed 7 --runs 20',
    );
  for (const [option, value] of Object.entries({ dialect, mutant, edition }))
    if (value !== undefined)
      throw new UsageError(`--${option} does not apply to --target: options of check are given by --check`);
  const given = checkOptions(settings);
  if (given.some((option) => /^--seed(=|$)/.test(option)))
    throw new UsageError('--check takes no --seed: each check of a campaign has its own, from --seed on');
  const hasBudget = given.some((option) => /^--budget(=|$)/.test(option));
  const runs = integer('runs', String(wanted), 1, TARGET_RUNS_MAX);
  const campaign = targetCampaign(
    {
      targets: targets.map((target) => httpUrl('target', target)),
      seed,
      runs,
      options: hasBudget ? given : [...given, '--budget', BUDGET_DEFAULT],
    },
    { code: codeHash(), runproof: packageVersion(), startedAt: io.timestamp() },
  );
  await fileTargetCampaign(engine, campaign);
  io.out(`${campaign.name}\n`);
  io.note(
    `${pluralize(campaign.runs, 'check')} of ${pluralize(campaign.targets.length, 'target')}, one at a time at each. On machines that can reach them: ${campaignCommand('work', settings)} --checks\n`,
  );
  return 0;
}

/** The campaign over targets that the user means; null if another campaign is meant. */
export async function namedTargetCampaign(
  engine: Engine,
  name: string | undefined,
  newestOther: string | null,
): Promise<TargetCampaign | null> {
  const all = await targetCampaigns(engine);
  if (name !== undefined) return all.find((each) => each.name === name) ?? null;
  const newest = all.at(-1);
  return newest === undefined || (newestOther !== null && newest.startedAt < newestOther) ? null : newest;
}

type TargetAction = (
  engine: Engine,
  campaign: TargetCampaign,
  settings: CampaignSettings,
  io: Io,
  stop: AbortSignal,
) => Promise<ExitCode>;

export const TARGET_ACTION: { readonly [action: string]: TargetAction | undefined } = {
  watch,
  report: reportTargets,
  async stop(engine, campaign, settings, io) {
    await withdraw(engine, campaign);
    io.out(
      `${campaign.name} is stopped: workers finish the checks at hand, and take no more. "${campaignCommand('resume', settings, campaign.name)}" continues it\n`,
    );
    return 0;
  },
  async resume(engine, campaign, _settings, io) {
    await fileTargetCampaign(engine, campaign);
    io.out(`${campaign.name} continues\n`);
    return 0;
  },
  async remove(engine, campaign, settings, io) {
    if (settings.name === undefined) throw new UsageError('campaign remove requires the name of one');
    if ((await targetStates(engine, campaign)).some(({ undone }) => undone > 0))
      throw new UsageError(
        `${campaign.name} is running: "${campaignCommand('stop', settings, campaign.name)}" first`,
      );
    await removeTargetCampaign(engine, campaign);
    io.out(`${campaign.name} is removed\n`);
    return 0;
  },
};

async function watch(
  engine: Engine,
  campaign: TargetCampaign,
  settings: CampaignSettings,
  io: Io,
  stop: AbortSignal,
): Promise<ExitCode> {
  for (;;) {
    const states = await targetStates(engine, campaign);
    io.out(targetCampaignText(campaign, states));
    if (settings.once || states.every(({ undone }) => undone === 0)) return 0;
    await pause(WATCH_MS, stop);
    if (stop.aborted) return 130;
  }
}

export async function targetCampaignList(engine: Engine): Promise<string> {
  const all = await targetCampaigns(engine);
  const texts = await Promise.all(
    all.map(async (each) => targetCampaignText(each, await targetStates(engine, each))),
  );
  return texts.join('');
}

function targetCampaignText(campaign: TargetCampaign, states: readonly TargetState[]): string {
  const state = states.some(({ undone }) => undone > 0)
    ? 'running'
    : states.some(({ withdrawn }) => withdrawn > 0)
      ? 'stopped'
      : 'ended';
  const lines = [
    `${campaign.name} ${state}: started ${campaign.startedAt}, runproof ${campaign.runproof} ${campaign.code.slice(0, 8)}`,
    ...states.flatMap(({ target, reports, aside }) => [
      `  ${target}: ${reports.length} of ${pluralize(campaign.runs, 'check')}`,
      ...brokenIn(reports).map(
        ([requirement, seeds]) =>
          `    BROKEN ${requirement}, with ${pluralize(seeds.length, 'seed')}, first ${seeds[0]}`,
      ),
      ...asideByReason(aside).map(
        ([reason, seeds]) =>
          `    set aside: ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}: ${reason}`,
      ),
    ]),
    '',
  ];
  return escapeLines(lines.join('\n'));
}

function asideByReason(aside: TargetState['aside']): readonly (readonly [string, readonly number[]])[] {
  const seeds = new Map<string, number[]>();
  for (const { seed, reason } of aside) {
    const last = (reason.trim().split('\n').at(-1) ?? '').replace(/^runproof: /, '');
    seeds.set(last, [...(seeds.get(last) ?? []), seed]);
  }
  return [...seeds];
}

function brokenIn(reports: TargetState['reports']): readonly (readonly [string, readonly number[]])[] {
  const seeds = new Map<string, number[]>();
  for (const { seed, report: each } of reports)
    for (const { id, level, verdict } of each.requirements)
      if (level === 'must' && verdict === 'fail') seeds.set(id, [...(seeds.get(id) ?? []), seed]);
  return [...seeds];
}

/** Merges the checks of each target, as `report merge` does. */
async function reportTargets(
  engine: Engine,
  campaign: TargetCampaign,
  settings: CampaignSettings,
  io: Io,
): Promise<ExitCode> {
  const states = await targetStates(engine, campaign);
  io.out(targetCampaignText(campaign, states));
  const folder = settings.out ?? `reports/campaign-${campaign.name}`;
  const codes: ExitCode[] = [];
  for (const [index, { target, reports, aside, undone, withdrawn }] of states.entries()) {
    const below = states.length === 1 ? folder : join(folder, `${index + 1}-${new URL(target).hostname}`);
    if (aside.length + undone + withdrawn > 0) codes.push(6);
    if (reports.length === 0) continue;
    const parts = reports.map(({ seed, report: each }) => {
      const part = join(below, `seed-${seed}`);
      makeFolder(resolve(io.cwd, part));
      writeFileSync(resolve(io.cwd, part, 'report.json'), `${JSON.stringify(each)}\n`);
      return part;
    });
    const written = parts.map((part) => readReport(part, io.cwd));
    codes.push(await mergeWritten(written, below, MERGED, io));
  }
  return WORST_FIRST.find((code) => codes.includes(code)) ?? 0;
}
