/** What faults of sections 1, 5, 7, 8 and 9 break that concern calls: form, keys, codes, sizes, rates. */
import { rowsOf, type BreaksList } from './list.js';

const MISSING = '5/missing-key-*';
const WRONG = '5/wrong-key-*';
const BAD_KEYS = '5/empty-key 5/key-compared-whole 5/other-scheme 5/key-only-in-header';
const EFFECTS = '5/unauthorized-*';
const OTHER_PATHS = '4/other-paths-require-key-*';
const ABOVE = '8/rate-*-above';
const RUN_SIZE = '4.2/payload-up-to-limit-accepted';
const SYNC_SIZE = '4.1/payload-up-to-limit-accepted';

/** /OPERATION needs no key. */
const open = (op: string): string =>
  `5/missing-key-${op} 5/wrong-key-${op} 5/empty-key 5/key-compared-whole 5/other-scheme 5/key-only-in-header 5/key-without-permission`;

export const CALLS: BreaksList = {
  file: 'proof/breaks/calls.ts',
  rows: rowsOf(`
answers-as-text | 1/json-content-type-* 1/json-error-content-type-* | JSON is announced as text
errors-as-html | 1/json-error-content-type-* | JSON is announced as HTML
unauthorized-shows-reason-in-html | 1/json-error-body-401 1/json-error-content-type-401 | no JSON
errors-in-words | 1/json-error-body-* | no JSON
too-many-as-text | 1/json-error-body-429 1/json-error-content-type-429 | no JSON
any-version | 9/other-version-not-served 9/path-without-version-not-served | the version is v2
version-missing-passes | 9/path-without-version-not-served | the version is a segment of the path

# Keys
auth-off | ${MISSING} ${WRONG} ${BAD_KEYS} ${EFFECTS} ${OTHER_PATHS} 5/key-without-permission | nobody is refused
auth-missing-accepted | ${MISSING} 5/empty-key 5/unauthorized-* ${OTHER_PATHS} 5/key-only-in-header | a call without a key passes
auth-missing-is-403 auth-missing-is-400 auth-missing-is-500 auth-redirects | ${MISSING} 5/empty-key ${OTHER_PATHS} 5/key-only-in-header | 401 is asked for
auth-refusal-shows-job auth-refusal-shows-output | 5/unauthorized-reveals-nothing | what the key protects stands in the answer
auth-missing-is-500 | 7/no-500-for-client-errors | 500 is for the endpoint itself
any-key | ${WRONG} 5/key-compared-whole 5/other-scheme ${EFFECTS} 5/empty-key 5/key-without-permission | a wrong key passes
auth-wrong-is-403 auth-wrong-is-404 | ${WRONG} 5/key-compared-whole 5/other-scheme 5/empty-key 5/key-without-permission | 401 is asked for
auth-permission-for-submissions-only | 5/key-without-permission | a key without permission passes
no-key-403 | ${MISSING} ${WRONG} ${BAD_KEYS} ${OTHER_PATHS} | 401 is asked for
key-prefix-accepted key-with-more-accepted key-case-ignored key-length-compared auth-part-of-key auth-end-of-key auth-words-after-key-ignored key-beginning-compared | 5/key-compared-whole ${WRONG} ${EFFECTS} | a key that is not valid passes
auth-part-of-key auth-end-of-key | 5/other-scheme | the key after another word passes
key-prefix-accepted auth-empty-accepted | 5/empty-key | an empty key passes
auth-any-bearer | 5/key-without-permission | any key passes, or one that is as long
auth-any-bearer | ${WRONG} 5/key-compared-whole 5/empty-key ${EFFECTS} | any key passes after Bearer
auth-acts-anyway | 3/invalid-submission-creates-nothing 5/unauthorized-submission-creates-nothing-* 5/unauthorized-*-has-no-effect 3/success-completes-* 3/failed-stays 2.2/ttl-default-not-early 4.8/counts-* 4.7/empty-queue-removes-nothing | the refused call is performed
unauthorized-run-creates unauthorized-runsync-creates | 5/unauthorized-submission-creates-nothing-* 3/invalid-submission-creates-nothing | the refused call makes a job
health-needs-no-key | ${open('health')} | all operations require a key
status-needs-no-key | ${open('status')} 5/unauthorized-reveals-nothing | all operations require a key
stream-needs-no-key | ${open('stream')} 5/unauthorized-reveals-nothing | all operations require a key
cancel-needs-no-key | ${open('cancel')} 5/unauthorized-cancel-has-no-effect | all operations require a key
retry-needs-no-key | ${open('retry')} 5/unauthorized-retry-has-no-effect | all operations require a key
purge-needs-no-key | ${open('purge-queue')} 5/unauthorized-purge-has-no-effect | all operations require a key
run-needs-no-key | ${open('run')} 5/unauthorized-submission-creates-nothing-run | all operations require a key
runsync-needs-no-key | ${open('runsync')} 5/unauthorized-submission-creates-nothing-runsync | all operations require a key
auth-not-on-other-paths | ${OTHER_PATHS} | all operations require a key
auth-success-cached | ${MISSING} ${WRONG} ${BAD_KEYS} ${EFFECTS} ${OTHER_PATHS} 5/key-without-permission | a wrong key passes
auth-first-call-only | ${MISSING} 5/empty-key ${EFFECTS} ${OTHER_PATHS} 5/key-only-in-header | a call without a key passes
auth-refusal-cached | 5/key-accepted-* 5/bare-or-bearer 5/bearer-accepted 4/operation-* | the right key is refused

# Endpoints and jobs that there are not
wrong-endpoint-is-500 unknown-endpoint-400 wrong-endpoint-is-401 wrong-endpoint-accepted wrong-endpoint-created | 7/unknown-endpoint-* | 404 is asked for
wrong-endpoint-is-500 | 7/no-500-for-client-errors | 500 is for the endpoint itself
wrong-endpoint-is-401 | 5/key-accepted-* 5/bare-or-bearer | the right key is answered with 401
endpoint-id-case-ignored endpoint-id-with-tail endpoint-id-shortened | 7/unknown-endpoint-* 1/endpoints-isolated-* | an id that is not that of the endpoint finds it
wrong-endpoint-health-zeros | 7/unknown-endpoint-health | 404 is asked for
wrong-endpoint-purge-zero | 7/unknown-endpoint-purge-queue | 404 is asked for
wrong-endpoint-run-accepted | 7/unknown-endpoint-run | 404 is asked for
endpoint-by-prototype | 7/unknown-endpoint-* 7/no-500-for-client-errors | 404 is asked for
unknown-job-is-500 gone-job-is-500-but-for-status unknown-job-by-prototype malformed-job-id-is-500 long-job-id-is-500 | 7/unknown-job-* 7/no-500-for-client-errors | a 4xx is asked for
gone-job-is-500-but-for-status | 7/no-500-in-normal-use 7/ttl-expired-stream 7/ttl-expired-cancel 7/ttl-expired-retry 7/result-expired-* 1/endpoints-isolated-* | what is gone is unknown, too: 404 is asked for
unknown-job-is-500 | 7/no-500-in-normal-use 7/ttl-expired-* 7/result-expired-* 2.2/ttl-removes-* 1/endpoints-isolated-* | what is gone is unknown, too: 404 is asked for
unknown-job-is-200 unknown-job-is-204 | 7/unknown-job-* 7/ttl-expired-* 7/result-expired-* 2.4/id-in-* 2.4/status-in-* 1/json-body-* 1/json-content-type-* 4.4/answer-is-array 2.2/ttl-removes-* 4.1/retention-gone 4.1/retention-with-wait-gone 4.2/retention-gone 4.6/expired-* 4.5/status-cancelled-* 4.6/status-in-queue 1/endpoints-isolated-* | what is gone is unknown, too, and answered with success
unknown-job-streams-empty | 7/unknown-job-stream 7/ttl-expired-stream 7/result-expired-stream 7/result-expired-run-stream 1/endpoints-isolated-stream | what is not there is streamed
unknown-job-by-prototype | 7/no-500-in-normal-use | 500 is for the endpoint itself
crash-breaks-endpoint | 4/operation-* 7/no-500-in-normal-use 7/no-500-for-client-errors 3/worker-crash-fails 3/crash-leaves-other-jobs-alone 3/submission-creates-job-* 3/failed-stays 3/handler-error-fails-* 2.1/*-accepted-* 2.1/*-optional 2.2/*-accepted* 4.1/wait-optional 4.1/wait-*-accepted 4.1/payload-up-to-limit-accepted 4.2/payload-up-to-limit-accepted 2.7/* | every call is answered with 500

# Sizes
run-limit-missing run-limit-in-characters | 4.2/payload-above-limit-refused | more than 10 MB pass
run-limit-one | ${RUN_SIZE} | less than 10 MB are refused
run-limit-one | 2.1/input-content-not-validated | a large input is refused for its size
run-oversize-is-500 | 4.2/payload-above-limit-refused 7/no-500-for-client-errors | 500 is for the endpoint itself
run-oversize-makes-job | 3/invalid-submission-creates-nothing 4.2/payload-above-limit-refused 4.8/counts-* 4.7/empty-queue-removes-nothing | the refused submission is queued
runsync-limit-missing | 4.1/payload-above-limit-refused | more than 20 MB pass
runsync-limit-one | ${SYNC_SIZE} | less than 20 MB are refused

# Rates
rate-not-enforced rate-one-too-high rate-tokens-pile-up | ${ABOVE} | more than the rate pass
rate-per-job | 8/rate-cancel-above 8/rate-status-above 8/rate-stream-above | more than the rate pass
rate-of-cancel-per-job | 8/rate-cancel-above | more than the rate pass
rate-of-status-per-job | 8/rate-status-above | more than the rate pass
rate-of-stream-per-job | 8/rate-stream-above | more than the rate pass
rate-one-too-low rate-halved rate-lower-of rate-dynamic-only | 8/rate-*-below | less than the rate is refused
rate-lower-of rate-dynamic-only | 8/workers-never-lower-limit 8/concurrency-*-below 8/rate-*-recovers 8/rate-per-* | the limit falls below the base
rate-dynamic-only | 8/rate-*-above | where workers run, more than the base may pass or less
rate-503 | 8/rate-*-above 7/no-500-in-normal-use 7/no-500-for-client-errors 8/concurrency-*-above | 429 is asked for
rate-is-403 | 8/rate-*-above 8/concurrency-*-above | 429 is asked for
rate-acts-anyway | 8/refused-call-has-no-effect | the refused call is performed
rate-acts-anyway | 4.8/counts-* 4.7/empty-queue-removes-nothing | jobs that nobody submitted are counted
rate-never-resets rate-resets-once rate-window-one-minute rate-refusals-prolong rate-*-window-of-60-s | 8/rate-*-recovers 8/rate-*-below | the allowance does not come back after ten seconds
rate-run-window-of-20-s | 8/rate-run-recovers 8/rate-run-below | the allowance does not come back after ten seconds
rate-refusals-prolong | 8/rate-per-operation | what is refused counts
rate-window-one-second rate-refusal-resets rate-cancel-window-of-5-s rate-purge-queue-window-of-2-s | ${ABOVE} | more than the rate pass within ten seconds
rate-shared-by-operations | 8/rate-per-operation 8/rate-*-below 8/rate-*-recovers | one operation uses up what is another one’s
rate-status-as-stream | 8/rate-per-operation 8/rate-status-below 8/rate-stream-below | one operation uses up what is another one’s
rate-stream-as-run | 8/rate-per-operation 8/rate-run-below 8/rate-stream-below | one operation uses up what is another one’s
rate-run-as-runsync | 8/rate-per-operation 8/rate-run-below 8/rate-runsync-below | one operation uses up what is another one’s
rate-retry-draws-from-run | 8/rate-per-operation 8/rate-run-below | one operation uses up what is another one’s
rate-health-draws-from-status | 8/rate-per-operation 8/rate-status-below | one operation uses up what is another one’s
rate-shared-by-endpoints | 8/rate-per-endpoint 8/rate-*-below | one endpoint uses up what is another one’s
rate-spread-per-second | 8/rate-*-below | calls within the rate are refused
status-limited-per-job | 8/rate-status-below | calls within the rate are refused
concurrency-halved | 8/concurrency-*-below | fewer calls than may be are refused
concurrency-leaks concurrency-leaks-when-refused concurrency-leaks-when-wait-elapses concurrency-leaks-when-clients-hang-up concurrency-leaks-when-malformed | 8/concurrency-*-below 8/rate-*-below 8/rate-*-recovers | calls that are over count as under way
concurrency-counts-queued-jobs concurrency-counts-waiting-jobs | 8/concurrency-run-below 8/rate-run-below 8/rate-run-recovers 8/rate-runsync-below 1/waits-when-no-worker-free | calls that are over count as under way for as long as their jobs wait
concurrency-counts-waiting-jobs | 8/concurrency-*-above | calls of operations without jobs never count
workers-lower-limit | 8/workers-never-lower-limit 8/rate-*-below | the limit falls below the base
`),
};
