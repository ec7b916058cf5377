/** What faults of sections 2.1 and 2.3 break: what is accepted, and what reaches the worker. */
import { rowsOf, type BreaksList } from './list.js';

/** In every run: in that after a retry as well. */
const REACHES = '2.1/input-reaches-worker-* 2.1/input-nested-unchanged 4.6/keeps-input';
const ACCEPTED = '2.1/input-object-accepted-* 2.1/input-content-not-validated';
/** A plain submission, with `input` alone, is refused. */
const REFUSES_PLAIN = '2.1/input-object-accepted-* 2.1/input-empty-accepted-*';
const S3 = '2.3/passed-along-*';

export const SUBMISSIONS: BreaksList = {
  file: 'proof/breaks/submissions.ts',
  rows: rowsOf(`
runsync-input-unchecked | 2.1/input-missing-refused-runsync | input is required
input-empty-array-as-object | 2.1/input-array-refused-* | input is a JSON object
input-string-accepted | 2.1/input-scalar-refused-* | input is a JSON object
input-string-accepted | 2.1/input-reaches-worker-* | it reaches the worker as an object that nobody submitted
input-null-accepted | 2.1/input-null-refused-* | input is a JSON object
input-null-accepted | 2.1/input-reaches-worker-* | it reaches the worker as an object that nobody submitted
runsync-input-unchecked | 2.1/input-null-refused-runsync 2.1/input-array-refused-runsync 2.1/input-scalar-refused-runsync | input is a JSON object
body-array-is-500 | 7/body-not-object-* 7/no-500-for-client-errors | malformed requests are answered with 400
body-null-is-500 | 7/body-not-object-* 7/no-500-for-client-errors | malformed requests are answered with 400
empty-body-is-500 | 7/no-body-* 7/no-500-for-client-errors 7/malformed-json-* | an empty body is malformed
policy-null-is-500 s3-null-is-500 webhook-no-url-is-500 webhook-number-is-500 | 7/no-500-for-client-errors 7/no-500-in-normal-use | whatever these are taken for, 500 is for the endpoint itself
webhook-number-is-500 | 2.1/webhook-type-checked | refused, but not as a bad request

# What reaches the worker: whatever is changed on the way, the input that was submitted does not.
input-loses-nulls input-numbers-as-strings input-trimmed input-unicode-mangled input-empty-arrays-dropped | ${REACHES} | another input than the one submitted
input-nul-lost input-line-breaks-unified input-unicode-normalised input-dates-reformatted input-html-escaped input-proto-lost input-dotted-keys-nested | ${REACHES} | another input than the one submitted
input-numeric-texts-as-numbers input-boolean-texts-as-booleans input-floats-of-32-bits input-astral-lost input-empty-key-lost input-dollar-keys-lost input-keys-snake-case input-singletons-unwrapped input-long-text-cut input-empty-object-as-array input-large-numbers-as-texts input-exponents-lost input-duplicates-removed input-tabs-as-blanks input-percent-decoded input-plus-as-blank input-dots-replaced input-dollars-replaced | ${REACHES} | another input than the one submitted
input-zero-width-lost input-backslashes-lost input-quotes-doubled input-tags-stripped input-numbers-of-14-digits input-long-arrays-cut input-array-nulls-lost input-keys-trimmed input-numbered-keys-as-array input-underscore-keys-lost input-constructor-lost input-keys-merged-by-case input-empty-texts-as-null input-placeholders-filled | ${REACHES} | another input than the one submitted
input-loses-nulls input-ascii-only input-empty-values-dropped input-integers-of-32-bits input-fractions-cut input-keys-lower-case | ${REACHES} | another input than the one submitted
input-of-the-last-submission now-and-then-input-of-another | ${REACHES} 2.1/input-unicode-unchanged 2.1/input-not-mixed-between-jobs 2.4/output-of-this-job | the input of another job
input-with-webhook-added s3-in-input | ${REACHES} | input has a member that was not submitted
input-unicode-mangled input-unicode-normalised input-astral-lost input-zero-width-lost | 2.1/input-unicode-unchanged | text beyond ASCII is changed
input-trimmed input-html-escaped input-tabs-as-blanks input-percent-decoded input-plus-as-blank input-backslashes-lost input-quotes-doubled input-tags-stripped input-nul-lost input-line-breaks-unified input-placeholders-filled input-keys-lower-case input-keys-snake-case input-keys-merged-by-case input-keys-trimmed | 2.1/input-unicode-unchanged | text is changed, what stands beyond ASCII in it included
input-member-webhook-called | 2.1/input-content-not-interpreted 6/each-job-its-own-url | a job without webhook causes a call
input-member-policy-used | 2.1/input-content-not-interpreted 2.2/ttl-default-not-early 2.2/execution-timeout-default-not-early 4.1/retention-kept 4.2/retention-kept | the job has no policy of its own: the defaults hold, and its result is kept
input-member-input-unwrapped | ${REACHES} 2.1/input-content-not-interpreted | a member of input is read as a field of the service
input-constructor-lost input-proto-lost input-keys-trimmed | 2.1/input-content-not-interpreted | names of members mean nothing to the service
input-placeholders-filled | 2.1/input-content-not-interpreted | content is defined by the worker
id-from-input | 2.1/input-content-not-interpreted 2.4/id-matches-* 2.4/id-assigned-by-service | the id that is shown is a member of input
input-nested-over-thirty-refused input-deep-refused input-of-many-members-refused input-with-id-refused input-dollar-keys-of-input-refused input-dotted-keys-of-input-refused | ${ACCEPTED} 2.1/input-nested-unchanged | any object is an input
input-dollar-keys-fail-job | 3/success-completes-* 2.1/input-content-not-validated 4.8/counts-completed 4.8/failed-not-completed 6/called-on-completion-* | a job whose handler succeeds is FAILED for the content of its input
input-over-four-megabytes-fails | 2.1/input-reaches-worker-* 3/success-completes-* | its handler would have completed it
runsync-input-over-sixteen-megabytes-fails | 2.1/input-reaches-worker-runsync 3/success-completes-runsync 4.1/complete-result-in-one-answer | its handler would have completed it

# Optional members
webhook-wrong-type-accepted webhook-falsy-accepted | 2.1/webhook-type-checked | a webhook is a string
webhook-required | 2.1/webhook-optional ${REFUSES_PLAIN} | webhook is optional: what lacks it is refused
policy-wrong-type-accepted policy-array-accepted policy-falsy-accepted | 2.1/policy-type-checked-* | a policy is an object
policy-required | 2.1/policy-optional ${REFUSES_PLAIN} | policy is optional: what lacks it is refused
s3-array-accepted s3-falsy-accepted | 2.1/s3config-type-checked | s3Config is an object
low-priority-number-accepted low-priority-string-accepted | 2.2/low-priority-type-checked | lowPriority is a boolean
low-priority-true-refused | 2.2/low-priority-accepted-true 2.1/policy-accepted-* 2.2/low-priority-job-runs | lowPriority true is refused
low-priority-starves | 2.2/low-priority-job-runs 1/every-job-is-processed 1/free-worker-takes-job 1/freed-worker-takes-waiting-job | a job with lowPriority waits for good
low-priority-waits-for-quiet | 2.2/low-priority-job-runs 1/free-worker-takes-job 1/freed-worker-takes-waiting-job | a worker is free, the job waits

# s3Config
s3-of-latest-job | ${S3} 2.3/not-mixed-between-jobs 2.3/kept-across-retry | the s3Config of another job
s3-output-stored s3-bucket-looked-for | 2.3/service-does-not-use-it | the service itself uses the storage
s3-in-cancel s3-in-webhook | 2.3/secret-not-shown | the service only passes it along
s3-config-dropped s3-secret-masked s3-renamed s3-url-slash-added s3-secret-percent-encoded s3-endpoint-without-scheme s3-trimmed | ${S3} 2.3/kept-across-retry | it is passed along, and no more
s3-config-dropped s3-secret-withheld s3-bucket-lower-case s3-endpoint-url-withheld s3-url-slash-added | ${S3} 2.3/kept-across-retry | it is passed along, and no more
s3-config-dropped s3-renamed s3-bucket-lower-case | 2.3/access-id-reaches-worker 2.3/access-secret-reaches-worker 2.3/bucket-name-reaches-worker 2.3/endpoint-url-reaches-worker | no member reaches the worker as it was
s3-config-dropped s3-renamed s3-secret-masked | 2.3/kept-across-retry | the retried run gets another one than was submitted
s3-secret-masked s3-secret-percent-encoded s3-trimmed | 2.3/access-secret-reaches-worker | the secret is changed
s3-trimmed | 2.3/access-id-reaches-worker 2.3/bucket-name-reaches-worker 2.3/endpoint-url-reaches-worker | any member may have blanks around it
s3-endpoint-without-scheme | 2.3/endpoint-url-reaches-worker | the URL is changed
s3-config-not-for-runsync | 2.3/access-id-reaches-worker 2.3/access-secret-reaches-worker 2.3/bucket-name-reaches-worker 2.3/endpoint-url-reaches-worker | of a /runsync job no member does
s3-config-lingers s3-merged-with-previous | 2.3/not-mixed-between-jobs 2.3/passed-along-* | what another job submitted reaches the worker
s3-missing-as-null | ${S3} 2.3/*-reaches-worker | members that nobody submitted
s3-amazon-only | 2.3/any-provider-accepted 2.1/s3config-accepted-* 2.3/*-reaches-worker 2.3/passed-along-* 2.3/kept-across-retry | the submission is refused: nothing of it reaches a worker

# Bodies
malformed-json-is-500 malformed-500 | 7/malformed-json-* 7/no-body-* 7/body-not-object-* 7/no-500-for-client-errors | malformed requests are answered with 400
malformed-500 malformed-422 malformed-is-200 | 2.1/*-refused-* 2.1/*-type-checked* 2.2/*-type-checked 2.2/*-integer 7/wait-not-integer 7/status-ttl-not-integer | malformed requests are answered with 400, with whatever is wrong in them
malformed-422 malformed-is-200 | 7/malformed-json-* 7/no-body-* 7/body-not-object-* | malformed requests are answered with 400
malformed-is-200 | 2.4/id-in-* 2.4/status-in-* | an answer of success that names no job
malformed-json-accepted | 7/malformed-json-* | taken as an empty input
malformed-json-accepted | 7/no-body-* | no body is no JSON either
runsync-malformed-json-accepted | 7/malformed-json-runsync 7/no-body-runsync | taken as an empty input
malformed-tail-accepted malformed-commas-accepted malformed-quotes-accepted malformed-nan-accepted | 7/malformed-json-* | that is no JSON
malformed-json-makes-job | 3/invalid-submission-creates-nothing | the refused submission is queued
malformed-json-makes-job | 4.8/counts-* 4.7/empty-queue-removes-nothing | a job that nobody submitted is counted
`),
};
