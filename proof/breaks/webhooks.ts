/** What faults of section 6 break: webhooks. */
import { rowsOf, type BreaksList } from './list.js';

const CALLED = '6/called-on-completion-run 6/called-on-completion-runsync';
const AT_ALL = `${CALLED} 6/called-at-given-url`;
const REPEATED =
  '6/retries-after-error-status 6/retries-after-dropped-connection 6/retries-after-silence 6/three-attempts';
const ELSEWHERE = '6/called-at-given-url 6/each-job-its-own-url';

export const WEBHOOKS: BreaksList = {
  file: 'proof/breaks/webhooks.ts',
  rows: rowsOf(`
webhook-never | ${AT_ALL} 6/each-job-its-own-url | none is called
webhook-on-submission webhook-at-start | 6/no-call-before-completion ${CALLED} 6/no-call-for-removed | the call comes before the end, and none at the end
webhook-a-minute-late | 6/called-without-delay ${CALLED} | whoever looks for half a minute finds that none came
webhook-runsync-only | 6/called-on-completion-run | none is called
webhook-first-job-only webhook-not-for-falsy-output webhook-not-for-streaming-job webhook-over-256-kb-lost webhook-one-per-instant webhook-not-for-waiting-jobs webhook-not-for-low-priority webhook-not-when-read webhook-not-beside-s3 | ${CALLED} | of some jobs none is called
webhook-not-while-called-waits webhook-not-after-wait | 6/called-on-completion-runsync | of some jobs none is called
webhook-twice | 6/stops-after-200 6/at-most-three-attempts 6/pause-not-shorter 6/second-success-ends-retries | there is a second call though the first was answered with 200
webhook-without-query webhook-origin-only webhook-to-root webhook-url-cut-at-255 webhook-query-names-merged webhook-trailing-slash-lost webhook-query-plus-decoded webhook-empty-parameters-lost webhook-query-sorted webhook-path-decoded webhook-double-slashes-merged webhook-query-encoded-twice webhook-query-decoded | ${ELSEWHERE} ${CALLED} | another URL is called
webhook-of-latest-job webhook-of-first-job webhook-of-the-last-submission | ${ELSEWHERE} ${CALLED} | another job’s URL is called
webhook-sticks | 6/each-job-its-own-url | a job without webhook causes a call
webhook-retries-after-200 webhook-200-is-failure | 6/stops-after-200 6/second-success-ends-retries | 200 is not taken for a success
webhook-4xx-is-success webhook-5xx-not-retried | 6/retries-after-error-status 6/three-attempts | an error is taken for a success
webhook-refused-not-retried webhook-silence-is-success | 6/retries-after-dropped-connection 6/three-attempts | a call without an answer is taken for a success
webhook-one-attempt | ${REPEATED} | there is no second call
webhook-endless-attempts | 6/at-most-three-attempts | there is a fourth call
webhook-pause-ten-milliseconds webhook-pause-none | 6/pause-not-shorter | ten seconds have to pass
webhook-pause-one-minute webhook-pause-doubles webhook-pause-twenty | 6/pause-not-longer ${REPEATED} | the next call comes after ten seconds
webhook-holds-job | 6/failing-webhook-leaves-job-alone 3/success-completes-* 4.1/wait-answers-on-completion 4.3/shows-current-state 4.8/counts-* 2.4/execution-time-measures-run ${CALLED} 6/no-call-before-completion | the job does not complete when its handler has
webhook-holds-worker | 6/failing-webhook-leaves-others-alone | other jobs wait
webhook-failure-fails-job | 6/failing-webhook-leaves-job-alone 3/completed-stays 3/success-completes-* 4.8/counts-failed 4.8/failed-not-completed 4.3/reading-does-not-consume | the job becomes FAILED
webhook-failure-requeues-job | 6/failing-webhook-leaves-job-alone 3/completed-stays 1/job-processed-once 3/no-return-to-queue 6/at-most-three-attempts 4.8/counts-completed 2.4/times-settled 2.4/execution-time-measures-run | the job runs again, and its record is told of that run
webhook-repeats-to-latest-url | ${ELSEWHERE} ${REPEATED} 6/failing-webhook-leaves-others-alone 6/stops-after-200 | the second call goes to another URL
webhook-repeats-without-query | ${ELSEWHERE} ${REPEATED} | the second call goes to another URL
webhook-timer-shared webhook-attempts-shared webhook-success-stops-others webhook-dropped-when-read webhook-ten-pending-only webhook-dropped-by-next-submission webhook-host-banned-after-failures webhook-attempts-kept-over-retry webhook-dropped-by-cancel now-and-then-webhook-not-repeated | ${REPEATED} 6/pause-not-longer | a failed call is not made again
webhook-timer-shared webhook-attempts-shared webhook-success-stops-others webhook-host-banned-after-failures | 6/failing-webhook-leaves-others-alone | what becomes of one webhook depends on others
webhook-host-banned-after-failures | ${CALLED} | none is called for a minute
webhook-dropped-by-cancel | 4.5/this-job-only | the cancel of one job stops webhooks of others
webhook-at-retention-end | 6/stops-after-200 6/at-most-three-attempts 6/second-success-ends-retries | there is one more call
`),
};
