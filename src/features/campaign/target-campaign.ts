/**
 * A campaign over deployed targets: each is checked with many seeds, one check at a time however many workers
 * there are. All checks are jobs of BullMQ with names that follow from the campaign.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { shippedSchema } from '../../package-files.js';
import type { Report } from '../../report/index.js';
import { violationOf } from '../../util/json-schema.js';
import { queueOfTarget, runCheck, type CheckEnvironment } from './check-target.js';
import { UNDONE } from './campaign.js';
import { nameOf } from './chunks.js';
import { giveBack, type Engine, type Job, type Queue } from './engine.js';
import { recordsIn, textOf } from './json-text.js';
import { TARGET_CAMPAIGN_SCHEMA } from './schemas.js';

export interface TargetCampaign {
  readonly name: string;
  readonly targets: readonly string[];
  /** The first check has this seed, the next one the next. */
  readonly seed: number;
  /** Number of checks of each target. */
  readonly runs: number;
  /** Options of `check`. No keys: a worker has them in its environment. */
  readonly options: readonly string[];
  readonly code: string;
  readonly runproof: string;
  readonly startedAt: string;
}

/** What a worker is asked. */
export interface SeedCheck {
  readonly campaign: string;
  readonly seed: number;
}

export interface TargetState {
  readonly target: string;
  /** Reports of the finished checks, in order of seeds. */
  readonly reports: readonly { readonly seed: number; readonly report: Report }[];
  /** Checks that failed three times, such as of a target that cannot be reached. */
  readonly aside: readonly { readonly seed: number; readonly reason: string }[];
  /** Checks that wait or are running. */
  readonly undone: number;
  /** Checks that are neither done nor in the queue, as the campaign is stopped. */
  readonly withdrawn: number;
}

type SeedQueue = Queue<SeedCheck, string>;

export const SEED_JOB = 'seed';
const INDEX = 'target-campaigns';
/** The server holds a report of each check, of some 30 kB. */
export const TARGET_RUNS_MAX = 1_000;
const ATTEMPTS = 3;
const RETRY_MS = 2_000;
/** A check of another version of Runproof is left for its workers so long. */
const OTHER_VERSION_MS = 30_000;

export function targetCampaign(
  { targets, seed, runs, options }: Pick<TargetCampaign, 'targets' | 'seed' | 'runs' | 'options'>,
  started: Pick<TargetCampaign, 'code' | 'runproof' | 'startedAt'>,
): TargetCampaign {
  const settings = { targets: [...new Set(targets)].sort(), seed, runs, options };
  return { name: nameOf('t', settings, started.code), ...settings, ...started };
}

/** Files the checks that are neither done nor in the queue; what is filed twice is filed once. */
export async function fileTargetCampaign(engine: Engine, campaign: TargetCampaign): Promise<void> {
  await engine.queue(INDEX).add('campaign', textOf(campaign), { jobId: campaign.name });
  for (const target of campaign.targets) {
    const queue = seedQueue(engine, target);
    await queue.setGlobalConcurrency(1);
    await queue.addBulk(
      seedsOf(campaign).map((seed) => ({
        name: SEED_JOB,
        data: { campaign: campaign.name, seed },
        opts: {
          jobId: idOf(campaign, seed),
          attempts: ATTEMPTS,
          backoff: { type: 'fixed', delay: RETRY_MS },
        },
      })),
    );
  }
}

/** Oldest first. */
export async function targetCampaigns(engine: Engine): Promise<readonly TargetCampaign[]> {
  const records = await recordsIn<TargetCampaign>(engine, INDEX, TARGET_CAMPAIGN_SCHEMA);
  return [...records].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

/** Number of checks that wait or run, of the campaigns of this program. */
export async function undoneChecks(engine: Engine, code: string): Promise<number> {
  let sum = 0;
  for (const campaign of (await targetCampaigns(engine)).filter((each) => each.code === code))
    for (const target of campaign.targets) sum += (await undoneJobs(engine, campaign, target)).length;
  return sum;
}

/** Does one check. A worker that is interrupted gives it back; it does not count as a try. */
export async function checkSeed(
  engine: Engine,
  job: Job<SeedCheck, string | null>,
  token: string | undefined,
  environment: CheckEnvironment & { readonly code: string },
): Promise<string> {
  const campaigns = await targetCampaigns(engine);
  const campaign = campaigns.find(({ name }) => name === job.data.campaign);
  const target = campaign?.targets.find((each) => queueOfTarget(each) === job.queueName);
  if (campaign === undefined || target === undefined) throw new Error('its campaign was removed');
  if (campaign.code !== environment.code) return giveBack(job, token, OTHER_VERSION_MS);
  const options = ['--seed', String(job.data.seed), ...campaign.options];
  const { report, problem } = await runCheck({ target, options }, environment);
  if (environment.stop.aborted) return giveBack(job, token, 0);
  if (report === null) throw new Error(problem ?? 'the check wrote no report');
  return gzipSync(JSON.stringify(report)).toString('base64');
}

export async function targetStates(
  engine: Engine,
  campaign: TargetCampaign,
): Promise<readonly TargetState[]> {
  return Promise.all(campaign.targets.map((target) => targetState(engine, campaign, target)));
}

async function targetState(engine: Engine, campaign: TargetCampaign, target: string): Promise<TargetState> {
  const reports: { seed: number; report: Report }[] = [];
  const aside: { seed: number; reason: string }[] = [];
  let undone = 0;
  let withdrawn = 0;
  for (const { seed, job } of await jobsOf(engine, campaign, target)) {
    if (job === undefined) withdrawn += 1;
    else if (typeof job.returnvalue === 'string') {
      const report = reportIn(job.returnvalue);
      if (typeof report === 'string') aside.push({ seed, reason: report });
      else reports.push({ seed, report });
    } else if (await job.isFailed()) aside.push({ seed, reason: job.failedReason });
    else undone += 1;
  }
  return { target, reports, aside, undone, withdrawn };
}

/** Takes the checks that have not begun out of the queue; `fileTargetCampaign` brings them back. */
export async function withdraw(engine: Engine, campaign: TargetCampaign): Promise<void> {
  for (const target of campaign.targets)
    for (const job of await undoneJobs(engine, campaign, target))
      // Meanwhile a worker may have begun it.
      if (!(await job.isActive())) await job.remove().catch(() => {});
}

/** Removes everything of it from the server. */
export async function removeTargetCampaign(engine: Engine, campaign: TargetCampaign): Promise<void> {
  for (const target of campaign.targets) {
    const queue = seedQueue(engine, target);
    for (const seed of seedsOf(campaign)) await queue.remove(idOf(campaign, seed));
  }
  await engine.queue(INDEX).remove(campaign.name);
}

/** Unlike `jobsOf`, it reads no reports. */
async function undoneJobs(
  engine: Engine,
  { name }: TargetCampaign,
  target: string,
): Promise<readonly Job<SeedCheck, string>[]> {
  const jobs = await seedQueue(engine, target).getJobs([...UNDONE]);
  // Scheduled checks are in the same queue.
  return jobs.filter((job) => job?.name === SEED_JOB && job.data.campaign === name);
}

function jobsOf(
  engine: Engine,
  campaign: TargetCampaign,
  target: string,
): Promise<readonly { readonly seed: number; readonly job: Job<SeedCheck, string> | undefined }[]> {
  const queue = seedQueue(engine, target);
  return Promise.all(
    seedsOf(campaign).map(async (seed) => ({ seed, job: await queue.getJob(idOf(campaign, seed)) })),
  );
}

const idOf = ({ name }: TargetCampaign, seed: number): string => `${name}-${seed}`;
const seedsOf = ({ seed, runs }: TargetCampaign): readonly number[] =>
  Array.from({ length: runs }, (_, index) => seed + index);
const seedQueue = (engine: Engine, target: string): SeedQueue => engine.queue(queueOfTarget(target));

/** The largest report of a check, unpacked. */
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

/** The report that a worker sent, or what is wrong with it. */
function reportIn(text: string): Report | string {
  try {
    const packed = Buffer.from(text, 'base64');
    const value: unknown = JSON.parse(gunzipSync(packed, { maxOutputLength: REPORT_BYTES_MAX }).toString());
    const violation = violationOf(value, shippedSchema('report'));
    return violation === null ? (value as Report) : `its report is damaged: ${violation}`;
  } catch (error) {
    return `its report is damaged: ${(error as Error).message}`;
  }
}
