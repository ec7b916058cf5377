/** What faults of section 2.4 break: the job's record as it is shown, its output and its times. */
import { rowsOf, type BreaksList } from './list.js';

const OUTPUT = '2.4/output-object-unchanged 2.4/output-array-unchanged';
const WHOLE = '4.1/complete-result-in-one-answer';
const AGREES = '4.1/answer-agrees-with-status';
const DELAY = '2.4/delay-time-measures-waiting';
const EXECUTION = '2.4/execution-time-measures-run';

export const RECORDS: BreaksList = {
  file: 'proof/breaks/records.ts',
  rows: rowsOf(`
id-is-number | 2.4/id-in-* 2.4/id-matches-* 2.4/id-kept-across-retry 4.1/complete-result-in-one-answer | an id is a string
id-reused id-by-clock id-by-count id-by-input | 2.4/id-unique | two jobs have one id
id-by-input | 2.4/id-assigned-by-service 1/every-job-is-processed 3/submission-creates-job-* 3/submission-starts-in-queue | a second submission makes no job
runsync-coalesced | 2.4/id-unique 3/submission-creates-job-runsync | a second submission makes no job
id-missing-in-status status-without-id | 2.4/id-in-status 2.4/id-matches-status | there is no id
cancel-without-id | 2.4/id-in-cancel 2.4/id-matches-cancel | there is no id
retry-without-id | 2.4/id-in-retry 2.4/id-matches-retry | there is no id
runsync-without-id | 2.4/id-in-runsync ${WHOLE} 3/submission-creates-job-runsync | there is no id
id-new-on-retry | 2.4/id-kept-across-retry 2.4/id-matches-retry 3/retry-requeues-* 4.6/retried-job-runs 4.6/failed-again-can-be-retried 4.6/retries-runsync-job | the job of the old id is not requeued
status-lower-case | 2.4/status-known-* 4.2/status-in-queue 4.6/status-in-queue 4.5/status-cancelled-* 4.1/complete-result-in-one-answer | states are in upper case
status-running status-queued status-canceled status-error | 2.4/status-known-* | that is none of the six states
status-queued | 4.2/status-in-queue | IN_QUEUE is asked for
status-canceled status-misspelt-on-cancel | 4.5/status-cancelled-* 2.4/status-known-* | CANCELLED is asked for
status-queued | 4.6/status-in-queue | IN_QUEUE is asked for
status-missing-at-end | 2.4/status-in-* ${WHOLE} 4.5/status-cancelled-* 2.4/status-known-* | there is no state
status-error | 3/handler-error-fails-* 3/worker-crash-fails | the state is not FAILED
state-of-runsync-capitalized | 2.4/status-known-runsync ${WHOLE} | Completed is not COMPLETED
run-without-status | 2.4/status-in-run 4.2/status-in-queue 2.4/status-known-run | there is no state
retry-without-status | 2.4/status-in-retry 4.6/status-in-queue 2.4/status-known-retry | there is no state

# Output
output-array-lost output-array-in-object output-long-arrays-cut output-singletons-unwrapped output-list-of-one-unwrapped | 2.4/output-array-unchanged | an array is not what it was
output-array-lost | 2.4/output-in-* | there is no output
output-stringified output-nested-twice output-wrapped | ${OUTPUT} 2.4/output-scalar-unchanged 2.4/output-unicode-unchanged | no output is what it was
output-unicode-mangled output-ascii-only output-astral-lost output-unicode-normalised | 2.4/output-unicode-unchanged ${OUTPUT} 2.4/output-scalar-unchanged | text beyond ASCII is changed
output-floats-rounded output-large-cut output-numeric-texts-as-numbers output-trimmed output-html-escaped output-nul-lost output-floats-of-32-bits output-keys-snake-case output-singletons-unwrapped output-empty-object-as-array output-empty-array-as-object output-empty-key-lost output-deep-lost output-dates-reformatted output-empty-texts-as-null output-array-nulls-lost output-numbers-of-14-digits output-numbered-keys-as-array output-underscore-keys-lost output-constructor-lost output-proto-lost output-dollar-keys-lost output-dotted-keys-nested output-large-numbers-as-texts output-exponents-lost output-backslashes-lost output-line-breaks-unified output-boolean-texts-as-booleans output-long-arrays-cut output-dots-replaced output-dollars-replaced | ${OUTPUT} | what the handler produced is changed
output-floats-rounded output-large-cut output-json-text-parsed output-numeric-texts-as-numbers output-trimmed output-html-escaped output-nul-lost output-floats-of-32-bits output-dates-reformatted output-empty-texts-as-null output-numbers-of-14-digits output-large-numbers-as-texts output-exponents-lost output-backslashes-lost output-line-breaks-unified output-boolean-texts-as-booleans output-text-in-object | 2.4/output-scalar-unchanged | a text or a number by itself as well
output-trimmed output-html-escaped output-nul-lost output-backslashes-lost output-line-breaks-unified output-large-cut | 2.4/output-unicode-unchanged | text is changed, what stands beyond ASCII in it included
output-text-in-object | 2.4/output-unicode-unchanged | a text is no text any more
output-empty-texts-as-null | 2.4/output-in-* | an empty text is shown as nothing
output-above-64k-lost output-large-cut | ${OUTPUT} 2.4/output-in-* 2.4/output-scalar-unchanged | a large output is lost
output-over-one-megabyte-* output-above-64k-lost output-large-cut output-stringified output-nested-twice output-wrapped output-of-another-job | 2.4/large-output-whole | 1 MB bounds chunks alone
output-of-another-job now-and-then-output-of-another | 2.1/input-not-mixed-between-jobs | the output of a job that returns its input tells which input it was given
output-of-another-job now-and-then-output-of-another output-null-is-previous | 2.4/output-of-this-job ${OUTPUT} 2.4/output-scalar-unchanged 2.4/output-unicode-unchanged | what another job produced
output-of-another-job | 2.4/output-in-* | of the first there is none
output-read-once | 4.3/reading-does-not-consume 2.4/output-in-status 4.1/retention-kept 4.2/retention-kept 4.1/wait-does-not-shorten-retention 4.2/retention-from-completion 4.1/retention-from-completion 4.1/answer-agrees-with-status 4.3/ttl-optional 4.7/keeps-finished 3/completed-stays | a second read shows no output
result-read-once status-deletes-ended-job | 4.3/reading-does-not-consume 4.1/retention-kept 4.2/retention-kept 4.1/wait-does-not-shorten-retention 3/completed-stays 3/failed-stays 3/timed-out-stays 3/cancelled-stays 2.2/ttl-not-early-completed 4.3/ttl-optional 4.2/retention-from-completion 4.1/retention-from-completion 4.2/retention-after-retry 4.1/retention-after-retry 3/retry-requeues-* 4.6/failed-again-can-be-retried | a job that was read is gone
output-not-in-status | 2.4/output-in-status ${AGREES} 4.1/retention-kept 4.2/retention-kept | a result cannot be read
output-not-in-runsync | 2.4/output-in-runsync ${WHOLE} ${AGREES} | there is no output
runsync-output-only | 2.4/id-in-runsync 2.4/status-in-runsync 2.4/*-time-in-runsync ${WHOLE} 2.4/output-in-runsync 3/submission-creates-job-runsync | nothing of the record is there
output-empty-left-out | ${OUTPUT} 2.4/output-in-* ${WHOLE} ${AGREES} | there is no output
output-falsy-left-out | 2.4/output-in-* ${WHOLE} | there is no output
output-while-queued | 2.4/no-output-while-queued 4.6/removes-output | nothing has run, or not since the retry
output-error-member-fails-job output-falsy-fails output-dollar-keys-fail-job | 3/success-completes-* | a success becomes FAILED
output-error-member-fails-job output-falsy-fails output-dollar-keys-fail-job | ${OUTPUT} 4.8/counts-completed 4.8/failed-not-completed 2.4/output-scalar-unchanged 6/called-on-completion-* | there is no result to be read
output-falsy-never-completes | 3/success-completes-* 1/every-job-is-processed 4.1/wait-answers-on-completion 6/called-on-completion-* 4.8/counts-completed 4.8/counts-in-progress 2.4/output-scalar-unchanged | it never ends
output-status-member-holds | 2.4/status-known-* 4.3/shows-current-state 3/success-completes-* 2.4/output-object-unchanged 3/completed-stays 4.1/complete-result-in-one-answer 2.4/status-in-* | the state shown is what the handler wrote
output-id-member-holds | 2.4/id-matches-status 2.4/id-in-* 2.4/id-assigned-by-service 3/submission-creates-job-runsync | the id shown is what the handler wrote
output-output-member-unwrapped | 2.4/output-object-unchanged | an object is not what it was
output-output-member-unwrapped | 2.4/output-in-* | where X is null there is none

# Times
delay-zero delay-keeps-growing delay-modulo-second delay-modulo-minute delay-modulo-hour delay-zero-after-wait | ${DELAY} | that is not how long it waited
delay-zero-after-wait | ${AGREES} | /runsync and /status differ
delay-and-execution-swapped | ${DELAY} ${EXECUTION} 2.4/delay-time-excludes-execution 2.4/execution-time-excludes-waiting | each is the other
delay-zero-after-wait times-zero-in-runsync | 2.4/times-settled | /status tells other times of the same end than /runsync did
delay-keeps-growing | 2.4/times-settled ${AGREES} 2.4/delay-time-excludes-execution | it goes on growing
delay-fractional | 2.4/delay-time-integer-* | an integer is asked for
delay-missing delay-time-missing delay-time-zero-left-out | 2.4/delay-time-in-* ${WHOLE} 2.4/times-in-every-state | it is not there
delay-time-missing-after-retry | 2.4/delay-time-in-status 2.4/delay-time-in-failed 2.4/times-in-every-state | it is not there
delay-as-string | 2.4/delay-time-integer-* 2.4/delay-time-in-* ${WHOLE} ${DELAY} | an integer is asked for
delay-zero-when-failed | 2.4/delay-time-in-failed | the time it waited is not told
delay-negative-after-retry | 2.4/delay-time-integer-* ${DELAY} | no time is negative
execution-zero execution-modulo-second execution-modulo-minute execution-modulo-hour execution-of-16-bits execution-frozen-at-first-read execution-of-first-run | ${EXECUTION} | that is not how long it ran
execution-from-first-start | ${EXECUTION} 2.4/execution-time-excludes-waiting | more than the run is in it
execution-time-goes-on | 2.4/times-settled ${AGREES} 2.4/execution-time-excludes-waiting ${EXECUTION} | it goes on growing
execution-missing execution-time-missing execution-time-zero-left-out | 2.4/execution-time-in-* ${WHOLE} 2.4/times-in-every-state | it is not there
execution-as-string | 2.4/execution-time-integer-* 2.4/execution-time-in-* ${WHOLE} ${EXECUTION} | an integer is asked for
execution-zero-when-failed execution-zero-when-overrun | 2.4/execution-time-in-failed | the time it ran is not told
times-zero-in-runsync | ${EXECUTION} ${DELAY} ${AGREES} ${WHOLE} | these are not the times
times-missing-in-runsync | 2.4/delay-time-in-runsync 2.4/execution-time-in-runsync ${WHOLE} | they are not there
execution-frozen-at-first-read | 2.4/times-settled | what was read while it ran stays
times-of-failed-missing | 2.4/times-in-every-state | they are not there
`),
};
