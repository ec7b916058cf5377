/** Section 6: which addresses are called: those that submissions name, each for its own jobs. */
import { WEBHOOK_ATTEMPTS_MAX } from '../../spec/limits.js';
import { getOrMake } from '../../util/maps.js';
import { folderOf } from '../calls/submissions.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { isShared, jobBy } from '../jobs/observed-jobs.js';
import type { Rewritten } from '../jobs/rewritten.js';
import { seconds } from '../../util/duration.js';
import { isObject } from '../observed/recorded-call.js';
import {
  failCalls,
  isAmplyWatched,
  isCalled,
  leftLate,
  mayBeCalledElsewhere,
  reportingAnEnd,
  watchedUntilMs,
} from './expectations.js';
import { notRepeated } from './attempts.js';
import { missedCall } from './missed-calls.js';

export function judgeAddresses(context: JudgingContext): void {
  judgeAddressesInInputs(context);
  const { lives, callIndex, observedJobs } = context;
  if (context.session.exists) for (const one of observedJobs.rewritten) calledElsewhere(context, one);
  for (const { webhook, reported, called } of observedJobs.misdirected)
    context.fail('6/each-job-its-own-url', {
      script: webhook.script,
      actual: `a call of ${webhook.url}, the address of job ${called}, reports job ${reported}`,
      calls: [reported, called].flatMap((id) => jobBy(context, id)?.submitted.call ?? []),
    });
  const shared = new Map<string, Life[]>();
  for (const life of lives) {
    const { webhookUrl } = life.job;
    if (webhookUrl !== null && isShared(callIndex, webhookUrl))
      getOrMake(shared, webhookUrl, () => []).push(life);
  }
  for (const [url, sharers] of shared) judgeShared(context, url, sharers);
  // Its end was reported at its address, at most as often as permitted: so no other job was.
  const isReported = ({
    job: {
      webhookUrl,
      webhooks: { length },
    },
  }: Life): boolean =>
    webhookUrl !== null && !isShared(callIndex, webhookUrl) && length > 0 && length <= WEBHOOK_ATTEMPTS_MAX;
  const areKnown = (): boolean =>
    context.session.webhooks.every(({ url }) => callIndex.callsByWebhook.has(url));
  if (lives.length > 1 && lives.some(isReported) && areKnown()) context.pass('6/each-job-its-own-url');
}

/** The payload is open, so the call still counts for the job that it may report: only its address is wrong. */
function calledElsewhere(context: JudgingContext, { webhook, given }: Rewritten): void {
  const { url, script, arrivedMs } = webhook;
  const actual = `a call of ${url} at ${seconds(arrivedMs)}`;
  context.fail('6/called-at-given-url', { script, expected: `a call of ${given[0]!}`, actual, calls: [] });
}

const IN_INPUT = '2.1/input-content-not-interpreted';

/** An address that only the input names means something to the worker alone, and a scripted one calls no address. */
function judgeAddressesInInputs(context: JudgingContext): void {
  if (!context.has('scripted-worker')) return;
  const { lives, callIndex, session } = context;
  for (const life of lives) {
    const { job, completed } = life;
    const { input } = job.submission;
    const url = isObject(input) ? input['webhook'] : undefined;
    if (typeof url !== 'string' || job.webhookUrl !== null || callIndex.callsByWebhook.has(url)) continue;
    if (session.webhooks.some((webhook) => webhook.url === url))
      failCalls(life, IN_INPUT, `a call of ${url}, which only the input names`);
    // A call at a neighbouring address arrived, so one at this address would have arrived as well.
    else if (
      session.webhooks.some((webhook) => folderOf(webhook.url) === folderOf(url)) &&
      completed !== null &&
      isAmplyWatched(life, completed.byMs)
    )
      context.pass(IN_INPUT);
  }
}

/** Each job that names the address is reported there. The payload is open, so calls are only counted. */
function judgeShared(context: JudgingContext, url: string, sharers: readonly Life[]): void {
  const calls = context.observedJobs.webhooks.filter((webhook) => webhook.url === url);
  if (isCalled(context, url)) context.pass('6/called-at-given-url');
  const completed = sharers.filter((life) => life.completed !== null);
  const last = completed.at(-1);
  if (last !== undefined && calls.length < completed.length && !mayBeCalledElsewhere(context, url)) {
    const byMs = Math.max(...completed.map((life) => life.completed!.byMs));
    const untilMs = watchedUntilMs(last);
    const actual = `${completed.length} jobs with the same webhook address completed by ${seconds(byMs)}; calls to it until ${seconds(untilMs)}: ${calls.length}`;
    if (completed.every((life) => isAmplyWatched(life, byMs))) missedCall(last, byMs, actual);
  }
  // A job that ended twice may be reported for each end.
  if (sharers.some((life) => life.job.retried || life.calls('cancel').length > 0)) return;
  if (!mayBeCalledElsewhere(context, url)) notRepeated(completed, calls);
  const submissions = context.callIndex.callsByWebhook.get(url)!.length;
  const reporting = reportingAnEnd(context, calls);
  const isOnce = reporting.every((call) => call.answered === 200 && !leftLate(context, call));
  if (reporting.length <= submissions * (isOnce ? 1 : WEBHOOK_ATTEMPTS_MAX)) return;
  const id = isOnce ? '6/stops-after-200' : '6/at-most-three-attempts';
  failCalls(sharers.at(-1)!, id, `${reporting.length} calls for ${submissions} submissions`);
}
