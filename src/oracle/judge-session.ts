/** Judges the sessions of one batch by independent checks, one after the other. */
import type { RequirementId } from '../spec/index.js';
import { observeJobs, type ObservedJobs, type Job } from './jobs/observed-jobs.js';
import { isWaitingOrRunning } from './jobs/status-observations.js';
import type { Ledger } from './ledger/ledger.js';
import { judgeCalls } from './calls/judge-calls.js';
import { judgeSecrets, judgeStorage } from './calls/s3-config.js';
import { warnOfSeveralServers } from './calls/several-servers.js';
import { judgeQuestions } from './questions/judge-questions.js';
import { judgeCounts } from './counts/judge-counts.js';
import { judgeScaling } from './counts/judge-scaling.js';
import { judgeEffects } from './effects/judge-effects.js';
import { judgeRates } from './rates/judge-rates.js';
import { judgeResults } from './results/judge-results.js';
import { judgeStreams } from './results/judge-streams.js';
import { judgeWaits } from './results/judge-waits.js';
import { judgeWebhooks } from './webhooks/judge-webhooks.js';
import { judgeJob } from './judge-job.js';
import { RuleSet } from './model/rule-set.js';
import { ALL_UNITS, USUAL_UNITS, type TimeUnit } from './model/reported-times.js';
import { recordOf } from './observed/recorded-call.js';
import { UNKNOWN_START, jobStarts } from './jobs/start-windows.js';
import { JudgingContext, type Watch } from './context/judging-context.js';
import { Life } from './context/life.js';
import type { Batch, Session } from './observed/session.js';

export interface HowJudged {
  /** Rules of the job model that are ignored. */
  readonly without: ReadonlySet<RequirementId>;
  readonly watch: Watch | undefined;
}

export function judgeBatch(ledger: Ledger, batch: Batch, how: HowJudged): void {
  const endpoints = batch.map((session) => ({ session, observedJobs: observeJobs(session) }));
  for (const one of endpoints)
    judgeSession(
      ledger,
      one.session,
      one.observedJobs,
      endpoints.filter((other) => other !== one),
      how,
    );
}

function judgeSession(
  ledger: Ledger,
  session: Session,
  observedJobs: ObservedJobs,
  otherEndpoints: JudgingContext['otherEndpoints'],
  { without, watch }: HowJudged,
): void {
  const context = new JudgingContext(ledger, session, observedJobs, otherEndpoints);
  context.watch = watch;
  const scenarios = new Set([...session.scripts.values()].map(({ scenario }) => scenario));
  ledger.scenario = scenarios.size === 1 ? [...scenarios][0]! : '';
  const { graceMs, earlyMs } = session.run;
  const rules = new RuleSet(
    graceMs,
    earlyMs,
    possibleUnits(ledger, observedJobs, context.graceMax),
    without,
    session.lags,
  );
  const windows = jobStarts(rules, session, observedJobs);
  context.lives = observedJobs.jobs.map(
    (job) => new Life(context, job, judgeJob(context, rules, job, windows.get(job.id) ?? UNKNOWN_START)),
  );
  warnOfSeveralServers(context);
  judgeCalls(context);
  judgeSecrets(context);
  judgeStorage(context);
  judgeWaits(context);
  judgeResults(context);
  judgeStreams(context);
  judgeWebhooks(context);
  judgeCounts(context);
  judgeScaling(context);
  judgeEffects(context);
  judgeRates(context);
  judgeQuestions(context);
}

/**
 * The units that this run's target may use, as far as it has been judged. Units finer than milliseconds are considered
 * only after a reported time that is longer than the job existed: otherwise any time that is too long could be
 * interpreted as a short one in a finer unit.
 */
function possibleUnits(ledger: Ledger, { jobs }: ObservedJobs, graceMs: number): readonly TimeUnit[] {
  ledger.timesAreFine ||= jobs.some((job) => reportsImpossibleTimes(job, graceMs));
  return ledger.timesAreFine ? ALL_UNITS : USUAL_UNITS;
}

function reportsImpossibleTimes(job: Job, graceMs: number): boolean {
  return job.reads.some(({ call, observed }) => {
    if (observed === 'GONE' || isWaitingOrRunning(observed)) return false;
    const livedMs = call.receivedMs! - job.submitted.sentMs + graceMs;
    const { delayTime, executionTime } = recordOf(call) ?? {};
    return Math.max(Number(delayTime ?? 0), Number(executionTime ?? 0)) > livedMs;
  });
}
