/**
 * `scenarios/` promises the situations that a check brings about: one file each, sorted by the document's
 * sections. It never says what should come of them. A spec checks that this list is whole.
 */
import type { NamedScenario } from '../src/scenario/index.js';
import s1AFreeWorkerTakesTheJob from './1/a-free-worker-takes-the-job.js';
import s1AFreedWorkerIsOneWorker from './1/a-freed-worker-is-one-worker.js';
import s1AnIdleWorkerTakesTheJob from './1/an-idle-worker-takes-the-job.js';
import s1EndpointsDoNotShareJobs from './1/endpoints-do-not-share-jobs.js';
import s1EndpointsDoNotShareQueues from './1/endpoints-do-not-share-queues.js';
import s1EveryOperationOnce from './1/every-operation-once.js';
import s1EveryOperationWithAScriptedWorker from './1/every-operation-with-a-scripted-worker.js';
import s1JobsAreProcessedOnce from './1/jobs-are-processed-once.js';
import s1JobsWaitForAWorker from './1/jobs-wait-for-a-worker.js';
import s1MoreWorkersTakeMoreJobs from './1/more-workers-take-more-jobs.js';
import s1NoWorkersAtAll from './1/no-workers-at-all.js';
import s1SubmissionsAtOnce from './1/submissions-at-once.js';
import s2_1AMemberNamedTwice from './2.1/a-member-named-twice.js';
import s2_1AnyWorkerAnyInput from './2.1/any-worker-any-input.js';
import s2_1EveryFieldAtOnce from './2.1/every-field-at-once.js';
import s2_1InputContentIsTheWorkers from './2.1/input-content-is-the-workers.js';
import s2_1InputIsAnObject from './2.1/input-is-an-object.js';
import s2_1InputIsAnObjectOnASharedEndpoint from './2.1/input-is-an-object-on-a-shared-endpoint.js';
import s2_1InputOfEveryKind from './2.1/input-of-every-kind.js';
import s2_1InputReachesTheWorker from './2.1/input-reaches-the-worker.js';
import s2_1MembersOfOddValues from './2.1/members-of-odd-values.js';
import s2_1OptionalFieldsOfTheWrongType from './2.1/optional-fields-of-the-wrong-type.js';
import s2_1SubmissionWithMembersOfItsOwn from './2.1/submission-with-members-of-its-own.js';
import s2_1WebhookAddressAccepted from './2.1/webhook-address-accepted.js';
import s2_1WhatEachSubmissionCarries from './2.1/what-each-submission-carries.js';
import s2_2AnyWorkerTtl from './2.2/any-worker-ttl.js';
import s2_2ExecutionTimeoutAboveTheDefault from './2.2/execution-timeout-above-the-default.js';
import s2_2ExecutionTimeoutAfterTheWait from './2.2/execution-timeout-after-the-wait.js';
import s2_2ExecutionTimeoutAndARetry from './2.2/execution-timeout-and-a-retry.js';
import s2_2ExecutionTimeoutCountsWhileStreaming from './2.2/execution-timeout-counts-while-streaming.js';
import s2_2ExecutionTimeoutDefault from './2.2/execution-timeout-default.js';
import s2_2ExecutionTimeoutFreesTheWorker from './2.2/execution-timeout-frees-the-worker.js';
import s2_2ExecutionTimeoutJustLongEnough from './2.2/execution-timeout-just-long-enough.js';
import s2_2ExecutionTimeoutLongest from './2.2/execution-timeout-longest.js';
import s2_2ExecutionTimeoutOfARetryThatWaits from './2.2/execution-timeout-of-a-retry-that-waits.js';
import s2_2ExecutionTimeoutOfEveryKindOfJob from './2.2/execution-timeout-of-every-kind-of-job.js';
import s2_2ExecutionTimeoutOfOneJobOnly from './2.2/execution-timeout-of-one-job-only.js';
import s2_2ExecutionTimeoutSmallest from './2.2/execution-timeout-smallest.js';
import s2_2ExecutionTimeoutSparesTheQueue from './2.2/execution-timeout-spares-the-queue.js';
import s2_2ExecutionTimeoutStopsAJob from './2.2/execution-timeout-stops-a-job.js';
import s2_2ExecutionTimeoutStopsARunsyncJob from './2.2/execution-timeout-stops-a-runsync-job.js';
import s2_2ExpiredJobsHoldNobodyUp from './2.2/expired-jobs-hold-nobody-up.js';
import s2_2LowPriorityBesideAnother from './2.2/low-priority-beside-another.js';
import s2_2LowPriorityBesideOtherFields from './2.2/low-priority-beside-other-fields.js';
import s2_2LowPriorityInTheQueue from './2.2/low-priority-in-the-queue.js';
import s2_2LowPriorityJobsRun from './2.2/low-priority-jobs-run.js';
import s2_2LowPriorityWakesNobody from './2.2/low-priority-wakes-nobody.js';
import s2_2OutlivesTheDefault from './2.2/outlives-the-default.js';
import s2_2PolicyInFull from './2.2/policy-in-full.js';
import s2_2PolicyOfTheWrongType from './2.2/policy-of-the-wrong-type.js';
import s2_2PolicyValuesAboveTheMost from './2.2/policy-values-above-the-most.js';
import s2_2PolicyValuesBelowTheLeast from './2.2/policy-values-below-the-least.js';
import s2_2TimersStrikeAtTheMillisecond from './2.2/timers-strike-at-the-millisecond.js';
import s2_2TtlAboveTheLongest from './2.2/ttl-above-the-longest.js';
import s2_2TtlAndARetry from './2.2/ttl-and-a-retry.js';
import s2_2TtlBeforeExecutionTimeout from './2.2/ttl-before-execution-timeout.js';
import s2_2TtlCountsFromSubmission from './2.2/ttl-counts-from-submission.js';
import s2_2TtlDefaultOfARunningJob from './2.2/ttl-default-of-a-running-job.js';
import s2_2TtlDefaultOfAWaitingJob from './2.2/ttl-default-of-a-waiting-job.js';
import s2_2TtlExpiredJobIsUnknown from './2.2/ttl-expired-job-is-unknown.js';
import s2_2TtlFreesTheWorker from './2.2/ttl-frees-the-worker.js';
import s2_2TtlLongest from './2.2/ttl-longest.js';
import s2_2TtlOfARetriedJob from './2.2/ttl-of-a-retried-job.js';
import s2_2TtlOfManyJobs from './2.2/ttl-of-many-jobs.js';
import s2_2TtlOfOneJobOnly from './2.2/ttl-of-one-job-only.js';
import s2_2TtlRemovesACancelledJob from './2.2/ttl-removes-a-cancelled-job.js';
import s2_2TtlRemovesACompletedJob from './2.2/ttl-removes-a-completed-job.js';
import s2_2TtlRemovesAFailedJob from './2.2/ttl-removes-a-failed-job.js';
import s2_2TtlRemovesAFinishedRunsyncJob from './2.2/ttl-removes-a-finished-runsync-job.js';
import s2_2TtlRemovesARunningJob from './2.2/ttl-removes-a-running-job.js';
import s2_2TtlRemovesARunsyncJob from './2.2/ttl-removes-a-runsync-job.js';
import s2_2TtlRemovesATimedOutJob from './2.2/ttl-removes-a-timed-out-job.js';
import s2_2TtlRemovesAWaitingJob from './2.2/ttl-removes-a-waiting-job.js';
import s2_2TtlRemovesWhateverBecameOfIt from './2.2/ttl-removes-whatever-became-of-it.js';
import s2_2TtlSevenDaysTwoOfThemWaiting from './2.2/ttl-seven-days-two-of-them-waiting.js';
import s2_2TtlSmallest from './2.2/ttl-smallest.js';
import s2_2TtlWinsOverCompletion from './2.2/ttl-wins-over-completion.js';
import s2_3S3configInPart from './2.3/s3config-in-part.js';
import s2_3S3configReachesTheWorker from './2.3/s3config-reaches-the-worker.js';
import s2_3S3configSurvivesARetry from './2.3/s3config-survives-a-retry.js';
import s2_3ServiceDoesNotUseIt from './2.3/service-does-not-use-it.js';
import s2_4AnyWorkerRecord from './2.4/any-worker-record.js';
import s2_4FailedAfterStreaming from './2.4/failed-after-streaming.js';
import s2_4IdSurvivesARetry from './2.4/id-survives-a-retry.js';
import s2_4IdsAreNotUsedAgain from './2.4/ids-are-not-used-again.js';
import s2_4IdsAreUnique from './2.4/ids-are-unique.js';
import s2_4NothingAfterSomething from './2.4/nothing-after-something.js';
import s2_4OutputComesBackUnchanged from './2.4/output-comes-back-unchanged.js';
import s2_4OutputLarge from './2.4/output-large.js';
import s2_4OutputOfEachJob from './2.4/output-of-each-job.js';
import s2_4OutputOfNothingAndOfMuch from './2.4/output-of-nothing-and-of-much.js';
import s2_4RecordOfAJobThatNeverRan from './2.4/record-of-a-job-that-never-ran.js';
import s2_4TimesAfterARetry from './2.4/times-after-a-retry.js';
import s2_4TimesOfAFailedJob from './2.4/times-of-a-failed-job.js';
import s2_4TimesOfAJobThatWaited from './2.4/times-of-a-job-that-waited.js';
import s2_4TimesOfARunsyncJob from './2.4/times-of-a-runsync-job.js';
import s2_5Chunks from './2.5/chunks.js';
import s2_5MetricsOfTheWorker from './2.5/metrics-of-the-worker.js';
import s2_6PurgeResult from './2.6/purge-result.js';
import s2_7HealthRecord from './2.7/health-record.js';
import s3CancelARunningJob from './3/cancel-a-running-job.js';
import s3CancelAWaitingJob from './3/cancel-a-waiting-job.js';
import s3CancelDoesNotWaitForTheEnd from './3/cancel-does-not-wait-for-the-end.js';
import s3CancelEndsTheExecutionTimeout from './3/cancel-ends-the-execution-timeout.js';
import s3CancelledJobsAreNotPurged from './3/cancelled-jobs-are-not-purged.js';
import s3CrashAndAPlanForTheNext from './3/crash-and-a-plan-for-the-next.js';
import s3CrashIsNotForgotten from './3/crash-is-not-forgotten.js';
import s3CrashLeavesTheWorkerToOthers from './3/crash-leaves-the-worker-to-others.js';
import s3FailedJobsAreNotRunAgain from './3/failed-jobs-are-not-run-again.js';
import s3FinishedJobsStayAsTheyAre from './3/finished-jobs-stay-as-they-are.js';
import s3HandlerError from './3/handler-error.js';
import s3NoReturnToTheQueue from './3/no-return-to-the-queue.js';
import s3InvalidSubmissionsCreateNothing from './3/invalid-submissions-create-nothing.js';
import s3RefusedSubmissionsCreateNothing from './3/refused-submissions-create-nothing.js';
import s3RetentionOfTheUnsuccessful from './3/retention-of-the-unsuccessful.js';
import s3RetryAFailedJob from './3/retry-a-failed-job.js';
import s3RetryATimedOutJob from './3/retry-a-timed-out-job.js';
import s3RetryBehindOthers from './3/retry-behind-others.js';
import s3RunsyncJobCompletes from './3/runsync-job-completes.js';
import s3SecondRunsFreeTheirWorkers from './3/second-runs-free-their-workers.js';
import s3UnsuccessfulJobsStayForAWhile from './3/unsuccessful-jobs-stay-for-a-while.js';
import s3WorkerCrash from './3/worker-crash.js';
import s4_1AnyWorkerRetention from './4.1/any-worker-retention.js';
import s4_1AnyWorkerRetentionWithWait from './4.1/any-worker-retention-with-wait.js';
import s4_1Payload from './4.1/payload.js';
import s4_1RetentionAfterARetry from './4.1/retention-after-a-retry.js';
import s4_1RetentionAndReading from './4.1/retention-and-reading.js';
import s4_1RetentionCountsFromCompletion from './4.1/retention-counts-from-completion.js';
import s4_1RetentionEnds from './4.1/retention-ends.js';
import s4_1RetentionOfAnOutlivedWait from './4.1/retention-of-an-outlived-wait.js';
import s4_1RetentionWithALongWait from './4.1/retention-with-a-long-wait.js';
import s4_1RetentionWithWait from './4.1/retention-with-wait.js';
import s4_1WaitAndAFailingJob from './4.1/wait-and-a-failing-job.js';
import s4_1WaitAndPurge from './4.1/wait-and-purge.js';
import s4_1WaitAndTtl from './4.1/wait-and-ttl.js';
import s4_1WaitBoundaries from './4.1/wait-boundaries.js';
import s4_1WaitCoversTheQueue from './4.1/wait-covers-the-queue.js';
import s4_1WaitDefault from './4.1/wait-default.js';
import s4_1WaitDefaultHoldsForLongJobs from './4.1/wait-default-holds-for-long-jobs.js';
import s4_1WaitDoesNotShortenRetention from './4.1/wait-does-not-shorten-retention.js';
import s4_1WaitElapses from './4.1/wait-elapses.js';
import s4_1WaitEndsInTheQueue from './4.1/wait-ends-in-the-queue.js';
import s4_1WaitIsNoNumber from './4.1/wait-is-no-number.js';
import s4_1WaitLongerThanTheJob from './4.1/wait-longer-than-the-job.js';
import s4_1WaitLongest from './4.1/wait-longest.js';
import s4_1WaitOfEachCall from './4.1/wait-of-each-call.js';
import s4_1WaitTooLong from './4.1/wait-too-long.js';
import s4_1WaitTooSmall from './4.1/wait-too-small.js';
import s4_1WaitWithAFraction from './4.1/wait-with-a-fraction.js';
import s4_2AnswersAtOnce from './4.2/answers-at-once.js';
import s4_2AnyWorkerRetention from './4.2/any-worker-retention.js';
import s4_2Payload from './4.2/payload.js';
import s4_2ResultsOfManyJobs from './4.2/results-of-many-jobs.js';
import s4_2RetentionAfterARetry from './4.2/retention-after-a-retry.js';
import s4_2RetentionAndReading from './4.2/retention-and-reading.js';
import s4_2RetentionAndRefusedRetries from './4.2/retention-and-refused-retries.js';
import s4_2RetentionBesideRunsync from './4.2/retention-beside-runsync.js';
import s4_2RetentionCountsFromCompletion from './4.2/retention-counts-from-completion.js';
import s4_2RetentionEnds from './4.2/retention-ends.js';
import s4_2RetentionOfUnsuccessfulJobs from './4.2/retention-of-unsuccessful-jobs.js';
import s4_3ReadingChangesNothing from './4.3/reading-changes-nothing.js';
import s4_3TtlAccepted from './4.3/ttl-accepted.js';
import s4_3TtlBeyondTheLongest from './4.3/ttl-beyond-the-longest.js';
import s4_3TtlBeyondTheRetention from './4.3/ttl-beyond-the-retention.js';
import s4_3TtlCountsFromSomewhere from './4.3/ttl-counts-from-somewhere.js';
import s4_3TtlFreesWhatTheJobHeld from './4.3/ttl-frees-what-the-job-held.js';
import s4_3TtlGivenTwice from './4.3/ttl-given-twice.js';
import s4_3TtlIsNoNumber from './4.3/ttl-is-no-number.js';
import s4_3TtlLengthensALife from './4.3/ttl-lengthens-a-life.js';
import s4_3TtlOfAFinishedJob from './4.3/ttl-of-a-finished-job.js';
import s4_3TtlOfAWaitingJob from './4.3/ttl-of-a-waiting-job.js';
import s4_3TtlOfNoLength from './4.3/ttl-of-no-length.js';
import s4_3TtlOfRetriedAndOfRunsyncJobs from './4.3/ttl-of-retried-and-of-runsync-jobs.js';
import s4_3TtlOfSixSeconds from './4.3/ttl-of-six-seconds.js';
import s4_3TtlShortensALife from './4.3/ttl-shortens-a-life.js';
import s4_3TtlStaysWhateverHappens from './4.3/ttl-stays-whatever-happens.js';
import s4_3TtlThatIsOver from './4.3/ttl-that-is-over.js';
import s4_4LargeResultThatIsNoText from './4.4/large-result-that-is-no-text.js';
import s4_4ReadLate from './4.4/read-late.js';
import s4_4ReadWithNothingNew from './4.4/read-with-nothing-new.js';
import s4_4StreamAfterTheEnd from './4.4/stream-after-the-end.js';
import s4_4StreamOfAWaitingJob from './4.4/stream-of-a-waiting-job.js';
import s4_4StreamOfLargeResults from './4.4/stream-of-large-results.js';
import s4_4StreamOfTextBeyondAscii from './4.4/stream-of-text-beyond-ascii.js';
import s4_4StreamWhileItRuns from './4.4/stream-while-it-runs.js';
import s4_4StreamsSideBySide from './4.4/streams-side-by-side.js';
import s4_4TheSameResultAgain from './4.4/the-same-result-again.js';
import s4_4UnreadChunksOfAStoppedJob from './4.4/unread-chunks-of-a-stopped-job.js';
import s4_5AnyWorkerCancel from './4.5/any-worker-cancel.js';
import s4_5CancelAFinishedJob from './4.5/cancel-a-finished-job.js';
import s4_5CancelOfARunsyncJob from './4.5/cancel-of-a-runsync-job.js';
import s4_5CancelReturnsAtOnce from './4.5/cancel-returns-at-once.js';
import s4_5CancelTouchesOneJobOnly from './4.5/cancel-touches-one-job-only.js';
import s4_5CancelWithAnyWorker from './4.5/cancel-with-any-worker.js';
import s4_5WorkerAfterACancel from './4.5/worker-after-a-cancel.js';
import s4_6AnyWorkerRetry from './4.6/any-worker-retry.js';
import s4_6CancelAfterARetry from './4.6/cancel-after-a-retry.js';
import s4_6HandlerOfTheFirstRunIsOver from './4.6/handler-of-the-first-run-is-over.js';
import s4_6PlaceInTheQueue from './4.6/place-in-the-queue.js';
import s4_6RetentionOfARetriedRunsyncJob from './4.6/retention-of-a-retried-runsync-job.js';
import s4_6RetriesAtOnce from './4.6/retries-at-once.js';
import s4_6RetryAgainAndAgain from './4.6/retry-again-and-again.js';
import s4_6RetryEverAgain from './4.6/retry-ever-again.js';
import s4_6RetryKeepsTheInput from './4.6/retry-keeps-the-input.js';
import s4_6RetryKeepsThePolicy from './4.6/retry-keeps-the-policy.js';
import s4_6RetryOfACancelledJob from './4.6/retry-of-a-cancelled-job.js';
import s4_6RetryOfACompletedJob from './4.6/retry-of-a-completed-job.js';
import s4_6RetryOfARunningJob from './4.6/retry-of-a-running-job.js';
import s4_6RetryOfARunsyncJob from './4.6/retry-of-a-runsync-job.js';
import s4_6RetryOfAWaitingJob from './4.6/retry-of-a-waiting-job.js';
import s4_6RetryOutrunsTheRetention from './4.6/retry-outruns-the-retention.js';
import s4_6RetryOutrunsTheRetentionOfRun from './4.6/retry-outruns-the-retention-of-run.js';
import s4_6RetryRemovesWhatWasStreamed from './4.6/retry-removes-what-was-streamed.js';
import s4_6RetryTouchesOneJobOnly from './4.6/retry-touches-one-job-only.js';
import s4_6SecondRetryIsLikeTheFirst from './4.6/second-retry-is-like-the-first.js';
import s4_6TimerOfTheFirstRunIsOver from './4.6/timer-of-the-first-run-is-over.js';
import s4_7PurgeCountsEachJobOnce from './4.7/purge-counts-each-job-once.js';
import s4_7PurgeIsOverAtOnce from './4.7/purge-is-over-at-once.js';
import s4_7PurgeOfALongQueue from './4.7/purge-of-a-long-queue.js';
import s4_7PurgeOfAnEmptyQueue from './4.7/purge-of-an-empty-queue.js';
import s4_7PurgeOfEveryKindOfWaitingJob from './4.7/purge-of-every-kind-of-waiting-job.js';
import s4_7PurgeRemovesTheWaitingJobs from './4.7/purge-removes-the-waiting-jobs.js';
import s4_7PurgeTwice from './4.7/purge-twice.js';
import s4_7PurgeWithAnyWorker from './4.7/purge-with-any-worker.js';
import s4_7PurgesSideBySide from './4.7/purges-side-by-side.js';
import s4_8CountsAfterDeletion from './4.8/counts-after-deletion.js';
import s4_8CountsAroundARetry from './4.8/counts-around-a-retry.js';
import s4_8CountsOfARetriedJobThatWaits from './4.8/counts-of-a-retried-job-that-waits.js';
import s4_8CountsOfEveryEnd from './4.8/counts-of-every-end.js';
import s4_8CountsOfEveryKind from './4.8/counts-of-every-kind.js';
import s4_8CountsOfFinishedJobs from './4.8/counts-of-finished-jobs.js';
import s4_8CountsOfWorkers from './4.8/counts-of-workers.js';
import s4_8CountsWithFewerWorkers from './4.8/counts-with-fewer-workers.js';
import s4OddRequests from './4/odd-requests.js';
import s4OtherPathsWantAKey from './4/other-paths-want-a-key.js';
import s5BareAndBearer from './5/bare-and-bearer.js';
import s5BareAndBearerAtRetryAndPurge from './5/bare-and-bearer-at-retry-and-purge.js';
import s5KeyWithoutPermission from './5/key-without-permission.js';
import s5KeysOfPurge from './5/keys-of-purge.js';
import s5MissingKey from './5/missing-key.js';
import s5NearlyRightKeys from './5/nearly-right-keys.js';
import s5PrefixInLowerCase from './5/prefix-in-lower-case.js';
import s5PurgeWithoutPermission from './5/purge-without-permission.js';
import s5RefusedCallsChangeNothing from './5/refused-calls-change-nothing.js';
import s5RefusedSubmissions from './5/refused-submissions.js';
import s5RefusedSubmissionsOfRunsync from './5/refused-submissions-of-runsync.js';
import s5WhatIsToldFirst from './5/what-is-told-first.js';
import s5WrongKey from './5/wrong-key.js';
import s6AfterARetry from './6/after-a-retry.js';
import s6AnswersOtherThan200 from './6/answers-other-than-200.js';
import s6AnyWorkerCalled from './6/any-worker-called.js';
import s6AnyWorkerFailingWebhooks from './6/any-worker-failing-webhooks.js';
import s6CalledAtCompletion from './6/called-at-completion.js';
import s6CalledWhenAJobFails from './6/called-when-a-job-fails.js';
import s6DropsTheConnection from './6/drops-the-connection.js';
import s6EachJobItsOwn from './6/each-job-its-own.js';
import s6FailsAlways from './6/fails-always.js';
import s6FailsOnce from './6/fails-once.js';
import s6JobGoneBetweenAttempts from './6/job-gone-between-attempts.js';
import s6NeverAnswers from './6/never-answers.js';
import s6NoCallForUnfinishedJobs from './6/no-call-for-unfinished-jobs.js';
import s6NoCallWhenAResultExpires from './6/no-call-when-a-result-expires.js';
import s6OneAddressForSeveralJobs from './6/one-address-for-several-jobs.js';
import s6OtherSuccessesAndRedirects from './6/other-successes-and-redirects.js';
import s6PurgeBetweenAttempts from './6/purge-between-attempts.js';
import s6SeveralAttemptsSeveralJobs from './6/several-attempts-several-jobs.js';
import s6WhateverTheOutput from './6/whatever-the-output.js';
import s7IdsOfNoJob from './7/ids-of-no-job.js';
import s7MalformedBodies from './7/malformed-bodies.js';
import s7OddContentTypes from './7/odd-content-types.js';
import s7OrdinaryUseIsNoError from './7/ordinary-use-is-no-error.js';
import s7UnknownEndpoint from './7/unknown-endpoint.js';
import s7UnknownJob from './7/unknown-job.js';
import s7WrongMethods from './7/wrong-methods.js';
import s8AllowancesOfTwoUsers from './8/allowances-of-two-users.js';
import s8CallsWithoutAKeyAndTheRate from './8/calls-without-a-key-and-the-rate.js';
import s8Concurrency from './8/concurrency.js';
import s8ConcurrencyOfRunsync from './8/concurrency-of-runsync.js';
import s8_ConcurrencyOfStream from './8/concurrency-of-stream.js';
import s8_ConcurrencyOfStatus from './8/concurrency-of-status.js';
import s8_ConcurrencyOfOpenai from './8/concurrency-of-openai.js';
import s8FailedCallsAndTheRate from './8/failed-calls-and-the-rate.js';
import s8LimitsThatAreNotShown from './8/limits-that-are-not-shown.js';
import s8Megabytes from './8/megabytes.js';
import s8OversizedSubmissionsCreateNothing from './8/oversized-submissions-create-nothing.js';
import s8RateByTheWayItIsCounted from './8/rate-by-the-way-it-is-counted.js';
import s8RateFromTheFirstCall from './8/rate-from-the-first-call.js';
import s8RateHoldsForTheWholeWindow from './8/rate-holds-for-the-whole-window.js';
import s8RateOfCancel from './8/rate-of-cancel.js';
import s8RateOfCancelHoldsForTheWholeWindow from './8/rate-of-cancel-holds-for-the-whole-window.js';
import s8RateOfCancelOfWaitingJobs from './8/rate-of-cancel-of-waiting-jobs.js';
import s8RateOfCancelOnAnIdleEndpoint from './8/rate-of-cancel-on-an-idle-endpoint.js';
import s8RateOfCancelOverTwoWindows from './8/rate-of-cancel-over-two-windows.js';
import s8RateOfOpenai from './8/rate-of-openai.js';
import s8_RateOfOpenaiPaths from './8/rate-of-openai-paths.js';
import s8RateOfPurge from './8/rate-of-purge.js';
import s8RateOfPurgeOverThreeWindows from './8/rate-of-purge-over-three-windows.js';
import s8RateOfRequests from './8/rate-of-requests.js';
import s8RateOfRequestsOverTwoWindows from './8/rate-of-requests-over-two-windows.js';
import s8RateOfRun from './8/rate-of-run.js';
import s8RateOfRunOverTwoWindows from './8/rate-of-run-over-two-windows.js';
import s8RateOfRunsync from './8/rate-of-runsync.js';
import s8RateOfStatus from './8/rate-of-status.js';
import s8RateOfStatusWithoutWorkers from './8/rate-of-status-without-workers.js';
import s8RateOfStatusOverTwoWindows from './8/rate-of-status-over-two-windows.js';
import s8RateOfStream from './8/rate-of-stream.js';
import s8RateOfStreamWithoutWorkers from './8/rate-of-stream-without-workers.js';
import s8RateOfStreamOverTwoWindows from './8/rate-of-stream-over-two-windows.js';
import s8RateWindowIsTenSeconds from './8/rate-window-is-ten-seconds.js';
import s8RateWithARunningWorker from './8/rate-with-a-running-worker.js';
import s8RatesArePerEndpoint from './8/rates-are-per-endpoint.js';
import s8RatesArePerOperation from './8/rates-are-per-operation.js';
import s8RatesWithBusyWorkers from './8/rates-with-busy-workers.js';
import s8RefusalsDoNotProlong from './8/refusals-do-not-prolong.js';
import s8RefusedCallsChangeNothing from './8/refused-calls-change-nothing.js';
import s9OtherVersions from './9/other-versions.js';

export const named: readonly NamedScenario[] = [
  { name: '1/a-free-worker-takes-the-job', ...s1AFreeWorkerTakesTheJob },
  { name: '1/a-freed-worker-is-one-worker', ...s1AFreedWorkerIsOneWorker },
  { name: '1/an-idle-worker-takes-the-job', ...s1AnIdleWorkerTakesTheJob },
  { name: '1/endpoints-do-not-share-jobs', ...s1EndpointsDoNotShareJobs },
  { name: '1/endpoints-do-not-share-queues', ...s1EndpointsDoNotShareQueues },
  { name: '1/every-operation-once', ...s1EveryOperationOnce },
  { name: '1/every-operation-with-a-scripted-worker', ...s1EveryOperationWithAScriptedWorker },
  { name: '1/jobs-are-processed-once', ...s1JobsAreProcessedOnce },
  { name: '1/jobs-wait-for-a-worker', ...s1JobsWaitForAWorker },
  { name: '1/more-workers-take-more-jobs', ...s1MoreWorkersTakeMoreJobs },
  { name: '1/no-workers-at-all', ...s1NoWorkersAtAll },
  { name: '1/submissions-at-once', ...s1SubmissionsAtOnce },
  { name: '2.1/a-member-named-twice', ...s2_1AMemberNamedTwice },
  { name: '2.1/any-worker-any-input', ...s2_1AnyWorkerAnyInput },
  { name: '2.1/every-field-at-once', ...s2_1EveryFieldAtOnce },
  { name: '2.1/input-content-is-the-workers', ...s2_1InputContentIsTheWorkers },
  { name: '2.1/input-is-an-object', ...s2_1InputIsAnObject },
  { name: '2.1/input-is-an-object-on-a-shared-endpoint', ...s2_1InputIsAnObjectOnASharedEndpoint },
  { name: '2.1/input-of-every-kind', ...s2_1InputOfEveryKind },
  { name: '2.1/input-reaches-the-worker', ...s2_1InputReachesTheWorker },
  { name: '2.1/members-of-odd-values', ...s2_1MembersOfOddValues },
  { name: '2.1/optional-fields-of-the-wrong-type', ...s2_1OptionalFieldsOfTheWrongType },
  { name: '2.1/submission-with-members-of-its-own', ...s2_1SubmissionWithMembersOfItsOwn },
  { name: '2.1/webhook-address-accepted', ...s2_1WebhookAddressAccepted },
  { name: '2.1/what-each-submission-carries', ...s2_1WhatEachSubmissionCarries },
  { name: '2.2/any-worker-ttl', ...s2_2AnyWorkerTtl },
  { name: '2.2/execution-timeout-above-the-default', ...s2_2ExecutionTimeoutAboveTheDefault },
  { name: '2.2/execution-timeout-after-the-wait', ...s2_2ExecutionTimeoutAfterTheWait },
  { name: '2.2/execution-timeout-and-a-retry', ...s2_2ExecutionTimeoutAndARetry },
  { name: '2.2/execution-timeout-counts-while-streaming', ...s2_2ExecutionTimeoutCountsWhileStreaming },
  { name: '2.2/execution-timeout-default', ...s2_2ExecutionTimeoutDefault },
  { name: '2.2/execution-timeout-frees-the-worker', ...s2_2ExecutionTimeoutFreesTheWorker },
  { name: '2.2/execution-timeout-just-long-enough', ...s2_2ExecutionTimeoutJustLongEnough },
  { name: '2.2/execution-timeout-longest', ...s2_2ExecutionTimeoutLongest },
  { name: '2.2/execution-timeout-of-a-retry-that-waits', ...s2_2ExecutionTimeoutOfARetryThatWaits },
  { name: '2.2/execution-timeout-of-every-kind-of-job', ...s2_2ExecutionTimeoutOfEveryKindOfJob },
  { name: '2.2/execution-timeout-of-one-job-only', ...s2_2ExecutionTimeoutOfOneJobOnly },
  { name: '2.2/execution-timeout-smallest', ...s2_2ExecutionTimeoutSmallest },
  { name: '2.2/execution-timeout-spares-the-queue', ...s2_2ExecutionTimeoutSparesTheQueue },
  { name: '2.2/execution-timeout-stops-a-job', ...s2_2ExecutionTimeoutStopsAJob },
  { name: '2.2/execution-timeout-stops-a-runsync-job', ...s2_2ExecutionTimeoutStopsARunsyncJob },
  { name: '2.2/expired-jobs-hold-nobody-up', ...s2_2ExpiredJobsHoldNobodyUp },
  { name: '2.2/low-priority-beside-another', ...s2_2LowPriorityBesideAnother },
  { name: '2.2/low-priority-beside-other-fields', ...s2_2LowPriorityBesideOtherFields },
  { name: '2.2/low-priority-in-the-queue', ...s2_2LowPriorityInTheQueue },
  { name: '2.2/low-priority-jobs-run', ...s2_2LowPriorityJobsRun },
  { name: '2.2/low-priority-wakes-nobody', ...s2_2LowPriorityWakesNobody },
  { name: '2.2/outlives-the-default', ...s2_2OutlivesTheDefault },
  { name: '2.2/policy-in-full', ...s2_2PolicyInFull },
  { name: '2.2/policy-of-the-wrong-type', ...s2_2PolicyOfTheWrongType },
  { name: '2.2/policy-values-above-the-most', ...s2_2PolicyValuesAboveTheMost },
  { name: '2.2/policy-values-below-the-least', ...s2_2PolicyValuesBelowTheLeast },
  { name: '2.2/timers-strike-at-the-millisecond', ...s2_2TimersStrikeAtTheMillisecond },
  { name: '2.2/ttl-above-the-longest', ...s2_2TtlAboveTheLongest },
  { name: '2.2/ttl-and-a-retry', ...s2_2TtlAndARetry },
  { name: '2.2/ttl-before-execution-timeout', ...s2_2TtlBeforeExecutionTimeout },
  { name: '2.2/ttl-counts-from-submission', ...s2_2TtlCountsFromSubmission },
  { name: '2.2/ttl-default-of-a-running-job', ...s2_2TtlDefaultOfARunningJob },
  { name: '2.2/ttl-default-of-a-waiting-job', ...s2_2TtlDefaultOfAWaitingJob },
  { name: '2.2/ttl-expired-job-is-unknown', ...s2_2TtlExpiredJobIsUnknown },
  { name: '2.2/ttl-frees-the-worker', ...s2_2TtlFreesTheWorker },
  { name: '2.2/ttl-longest', ...s2_2TtlLongest },
  { name: '2.2/ttl-of-a-retried-job', ...s2_2TtlOfARetriedJob },
  { name: '2.2/ttl-of-many-jobs', ...s2_2TtlOfManyJobs },
  { name: '2.2/ttl-of-one-job-only', ...s2_2TtlOfOneJobOnly },
  { name: '2.2/ttl-removes-a-cancelled-job', ...s2_2TtlRemovesACancelledJob },
  { name: '2.2/ttl-removes-a-completed-job', ...s2_2TtlRemovesACompletedJob },
  { name: '2.2/ttl-removes-a-failed-job', ...s2_2TtlRemovesAFailedJob },
  { name: '2.2/ttl-removes-a-finished-runsync-job', ...s2_2TtlRemovesAFinishedRunsyncJob },
  { name: '2.2/ttl-removes-a-running-job', ...s2_2TtlRemovesARunningJob },
  { name: '2.2/ttl-removes-a-runsync-job', ...s2_2TtlRemovesARunsyncJob },
  { name: '2.2/ttl-removes-a-timed-out-job', ...s2_2TtlRemovesATimedOutJob },
  { name: '2.2/ttl-removes-a-waiting-job', ...s2_2TtlRemovesAWaitingJob },
  { name: '2.2/ttl-removes-whatever-became-of-it', ...s2_2TtlRemovesWhateverBecameOfIt },
  { name: '2.2/ttl-seven-days-two-of-them-waiting', ...s2_2TtlSevenDaysTwoOfThemWaiting },
  { name: '2.2/ttl-smallest', ...s2_2TtlSmallest },
  { name: '2.2/ttl-wins-over-completion', ...s2_2TtlWinsOverCompletion },
  { name: '2.3/s3config-in-part', ...s2_3S3configInPart },
  { name: '2.3/s3config-reaches-the-worker', ...s2_3S3configReachesTheWorker },
  { name: '2.3/s3config-survives-a-retry', ...s2_3S3configSurvivesARetry },
  { name: '2.3/service-does-not-use-it', ...s2_3ServiceDoesNotUseIt },
  { name: '2.4/any-worker-record', ...s2_4AnyWorkerRecord },
  { name: '2.4/failed-after-streaming', ...s2_4FailedAfterStreaming },
  { name: '2.4/id-survives-a-retry', ...s2_4IdSurvivesARetry },
  { name: '2.4/ids-are-not-used-again', ...s2_4IdsAreNotUsedAgain },
  { name: '2.4/ids-are-unique', ...s2_4IdsAreUnique },
  { name: '2.4/nothing-after-something', ...s2_4NothingAfterSomething },
  { name: '2.4/output-comes-back-unchanged', ...s2_4OutputComesBackUnchanged },
  { name: '2.4/output-large', ...s2_4OutputLarge },
  { name: '2.4/output-of-each-job', ...s2_4OutputOfEachJob },
  { name: '2.4/output-of-nothing-and-of-much', ...s2_4OutputOfNothingAndOfMuch },
  { name: '2.4/record-of-a-job-that-never-ran', ...s2_4RecordOfAJobThatNeverRan },
  { name: '2.4/times-after-a-retry', ...s2_4TimesAfterARetry },
  { name: '2.4/times-of-a-failed-job', ...s2_4TimesOfAFailedJob },
  { name: '2.4/times-of-a-job-that-waited', ...s2_4TimesOfAJobThatWaited },
  { name: '2.4/times-of-a-runsync-job', ...s2_4TimesOfARunsyncJob },
  { name: '2.5/chunks', ...s2_5Chunks },
  { name: '2.5/metrics-of-the-worker', ...s2_5MetricsOfTheWorker },
  { name: '2.6/purge-result', ...s2_6PurgeResult },
  { name: '2.7/health-record', ...s2_7HealthRecord },
  { name: '3/cancel-a-running-job', ...s3CancelARunningJob },
  { name: '3/cancel-a-waiting-job', ...s3CancelAWaitingJob },
  { name: '3/cancel-does-not-wait-for-the-end', ...s3CancelDoesNotWaitForTheEnd },
  { name: '3/cancel-ends-the-execution-timeout', ...s3CancelEndsTheExecutionTimeout },
  { name: '3/cancelled-jobs-are-not-purged', ...s3CancelledJobsAreNotPurged },
  { name: '3/crash-and-a-plan-for-the-next', ...s3CrashAndAPlanForTheNext },
  { name: '3/crash-is-not-forgotten', ...s3CrashIsNotForgotten },
  { name: '3/crash-leaves-the-worker-to-others', ...s3CrashLeavesTheWorkerToOthers },
  { name: '3/failed-jobs-are-not-run-again', ...s3FailedJobsAreNotRunAgain },
  { name: '3/finished-jobs-stay-as-they-are', ...s3FinishedJobsStayAsTheyAre },
  { name: '3/handler-error', ...s3HandlerError },
  { name: '3/no-return-to-the-queue', ...s3NoReturnToTheQueue },
  { name: '3/invalid-submissions-create-nothing', ...s3InvalidSubmissionsCreateNothing },
  { name: '3/refused-submissions-create-nothing', ...s3RefusedSubmissionsCreateNothing },
  { name: '3/retention-of-the-unsuccessful', ...s3RetentionOfTheUnsuccessful },
  { name: '3/retry-a-failed-job', ...s3RetryAFailedJob },
  { name: '3/retry-a-timed-out-job', ...s3RetryATimedOutJob },
  { name: '3/retry-behind-others', ...s3RetryBehindOthers },
  { name: '3/runsync-job-completes', ...s3RunsyncJobCompletes },
  { name: '3/second-runs-free-their-workers', ...s3SecondRunsFreeTheirWorkers },
  { name: '3/unsuccessful-jobs-stay-for-a-while', ...s3UnsuccessfulJobsStayForAWhile },
  { name: '3/worker-crash', ...s3WorkerCrash },
  { name: '4.1/any-worker-retention', ...s4_1AnyWorkerRetention },
  { name: '4.1/any-worker-retention-with-wait', ...s4_1AnyWorkerRetentionWithWait },
  { name: '4.1/payload', ...s4_1Payload },
  { name: '4.1/retention-after-a-retry', ...s4_1RetentionAfterARetry },
  { name: '4.1/retention-and-reading', ...s4_1RetentionAndReading },
  { name: '4.1/retention-counts-from-completion', ...s4_1RetentionCountsFromCompletion },
  { name: '4.1/retention-ends', ...s4_1RetentionEnds },
  { name: '4.1/retention-of-an-outlived-wait', ...s4_1RetentionOfAnOutlivedWait },
  { name: '4.1/retention-with-a-long-wait', ...s4_1RetentionWithALongWait },
  { name: '4.1/retention-with-wait', ...s4_1RetentionWithWait },
  { name: '4.1/wait-and-a-failing-job', ...s4_1WaitAndAFailingJob },
  { name: '4.1/wait-and-purge', ...s4_1WaitAndPurge },
  { name: '4.1/wait-and-ttl', ...s4_1WaitAndTtl },
  { name: '4.1/wait-boundaries', ...s4_1WaitBoundaries },
  { name: '4.1/wait-covers-the-queue', ...s4_1WaitCoversTheQueue },
  { name: '4.1/wait-default', ...s4_1WaitDefault },
  { name: '4.1/wait-default-holds-for-long-jobs', ...s4_1WaitDefaultHoldsForLongJobs },
  { name: '4.1/wait-does-not-shorten-retention', ...s4_1WaitDoesNotShortenRetention },
  { name: '4.1/wait-elapses', ...s4_1WaitElapses },
  { name: '4.1/wait-ends-in-the-queue', ...s4_1WaitEndsInTheQueue },
  { name: '4.1/wait-is-no-number', ...s4_1WaitIsNoNumber },
  { name: '4.1/wait-longer-than-the-job', ...s4_1WaitLongerThanTheJob },
  { name: '4.1/wait-longest', ...s4_1WaitLongest },
  { name: '4.1/wait-of-each-call', ...s4_1WaitOfEachCall },
  { name: '4.1/wait-too-long', ...s4_1WaitTooLong },
  { name: '4.1/wait-too-small', ...s4_1WaitTooSmall },
  { name: '4.1/wait-with-a-fraction', ...s4_1WaitWithAFraction },
  { name: '4.2/answers-at-once', ...s4_2AnswersAtOnce },
  { name: '4.2/any-worker-retention', ...s4_2AnyWorkerRetention },
  { name: '4.2/payload', ...s4_2Payload },
  { name: '4.2/results-of-many-jobs', ...s4_2ResultsOfManyJobs },
  { name: '4.2/retention-after-a-retry', ...s4_2RetentionAfterARetry },
  { name: '4.2/retention-and-reading', ...s4_2RetentionAndReading },
  { name: '4.2/retention-and-refused-retries', ...s4_2RetentionAndRefusedRetries },
  { name: '4.2/retention-beside-runsync', ...s4_2RetentionBesideRunsync },
  { name: '4.2/retention-counts-from-completion', ...s4_2RetentionCountsFromCompletion },
  { name: '4.2/retention-ends', ...s4_2RetentionEnds },
  { name: '4.2/retention-of-unsuccessful-jobs', ...s4_2RetentionOfUnsuccessfulJobs },
  { name: '4.3/reading-changes-nothing', ...s4_3ReadingChangesNothing },
  { name: '4.3/ttl-accepted', ...s4_3TtlAccepted },
  { name: '4.3/ttl-beyond-the-longest', ...s4_3TtlBeyondTheLongest },
  { name: '4.3/ttl-beyond-the-retention', ...s4_3TtlBeyondTheRetention },
  { name: '4.3/ttl-counts-from-somewhere', ...s4_3TtlCountsFromSomewhere },
  { name: '4.3/ttl-frees-what-the-job-held', ...s4_3TtlFreesWhatTheJobHeld },
  { name: '4.3/ttl-given-twice', ...s4_3TtlGivenTwice },
  { name: '4.3/ttl-is-no-number', ...s4_3TtlIsNoNumber },
  { name: '4.3/ttl-lengthens-a-life', ...s4_3TtlLengthensALife },
  { name: '4.3/ttl-of-a-finished-job', ...s4_3TtlOfAFinishedJob },
  { name: '4.3/ttl-of-a-waiting-job', ...s4_3TtlOfAWaitingJob },
  { name: '4.3/ttl-of-no-length', ...s4_3TtlOfNoLength },
  { name: '4.3/ttl-of-retried-and-of-runsync-jobs', ...s4_3TtlOfRetriedAndOfRunsyncJobs },
  { name: '4.3/ttl-of-six-seconds', ...s4_3TtlOfSixSeconds },
  { name: '4.3/ttl-shortens-a-life', ...s4_3TtlShortensALife },
  { name: '4.3/ttl-stays-whatever-happens', ...s4_3TtlStaysWhateverHappens },
  { name: '4.3/ttl-that-is-over', ...s4_3TtlThatIsOver },
  { name: '4.4/large-result-that-is-no-text', ...s4_4LargeResultThatIsNoText },
  { name: '4.4/read-late', ...s4_4ReadLate },
  { name: '4.4/read-with-nothing-new', ...s4_4ReadWithNothingNew },
  { name: '4.4/stream-after-the-end', ...s4_4StreamAfterTheEnd },
  { name: '4.4/stream-of-a-waiting-job', ...s4_4StreamOfAWaitingJob },
  { name: '4.4/stream-of-large-results', ...s4_4StreamOfLargeResults },
  { name: '4.4/stream-of-text-beyond-ascii', ...s4_4StreamOfTextBeyondAscii },
  { name: '4.4/stream-while-it-runs', ...s4_4StreamWhileItRuns },
  { name: '4.4/streams-side-by-side', ...s4_4StreamsSideBySide },
  { name: '4.4/the-same-result-again', ...s4_4TheSameResultAgain },
  { name: '4.4/unread-chunks-of-a-stopped-job', ...s4_4UnreadChunksOfAStoppedJob },
  { name: '4.5/any-worker-cancel', ...s4_5AnyWorkerCancel },
  { name: '4.5/cancel-a-finished-job', ...s4_5CancelAFinishedJob },
  { name: '4.5/cancel-of-a-runsync-job', ...s4_5CancelOfARunsyncJob },
  { name: '4.5/cancel-returns-at-once', ...s4_5CancelReturnsAtOnce },
  { name: '4.5/cancel-touches-one-job-only', ...s4_5CancelTouchesOneJobOnly },
  { name: '4.5/cancel-with-any-worker', ...s4_5CancelWithAnyWorker },
  { name: '4.5/worker-after-a-cancel', ...s4_5WorkerAfterACancel },
  { name: '4.6/any-worker-retry', ...s4_6AnyWorkerRetry },
  { name: '4.6/cancel-after-a-retry', ...s4_6CancelAfterARetry },
  { name: '4.6/handler-of-the-first-run-is-over', ...s4_6HandlerOfTheFirstRunIsOver },
  { name: '4.6/place-in-the-queue', ...s4_6PlaceInTheQueue },
  { name: '4.6/retention-of-a-retried-runsync-job', ...s4_6RetentionOfARetriedRunsyncJob },
  { name: '4.6/retries-at-once', ...s4_6RetriesAtOnce },
  { name: '4.6/retry-again-and-again', ...s4_6RetryAgainAndAgain },
  { name: '4.6/retry-ever-again', ...s4_6RetryEverAgain },
  { name: '4.6/retry-keeps-the-input', ...s4_6RetryKeepsTheInput },
  { name: '4.6/retry-keeps-the-policy', ...s4_6RetryKeepsThePolicy },
  { name: '4.6/retry-of-a-cancelled-job', ...s4_6RetryOfACancelledJob },
  { name: '4.6/retry-of-a-completed-job', ...s4_6RetryOfACompletedJob },
  { name: '4.6/retry-of-a-running-job', ...s4_6RetryOfARunningJob },
  { name: '4.6/retry-of-a-runsync-job', ...s4_6RetryOfARunsyncJob },
  { name: '4.6/retry-of-a-waiting-job', ...s4_6RetryOfAWaitingJob },
  { name: '4.6/retry-outruns-the-retention', ...s4_6RetryOutrunsTheRetention },
  { name: '4.6/retry-outruns-the-retention-of-run', ...s4_6RetryOutrunsTheRetentionOfRun },
  { name: '4.6/retry-removes-what-was-streamed', ...s4_6RetryRemovesWhatWasStreamed },
  { name: '4.6/retry-touches-one-job-only', ...s4_6RetryTouchesOneJobOnly },
  { name: '4.6/second-retry-is-like-the-first', ...s4_6SecondRetryIsLikeTheFirst },
  { name: '4.6/timer-of-the-first-run-is-over', ...s4_6TimerOfTheFirstRunIsOver },
  { name: '4.7/purge-counts-each-job-once', ...s4_7PurgeCountsEachJobOnce },
  { name: '4.7/purge-is-over-at-once', ...s4_7PurgeIsOverAtOnce },
  { name: '4.7/purge-of-a-long-queue', ...s4_7PurgeOfALongQueue },
  { name: '4.7/purge-of-an-empty-queue', ...s4_7PurgeOfAnEmptyQueue },
  { name: '4.7/purge-of-every-kind-of-waiting-job', ...s4_7PurgeOfEveryKindOfWaitingJob },
  { name: '4.7/purge-removes-the-waiting-jobs', ...s4_7PurgeRemovesTheWaitingJobs },
  { name: '4.7/purge-twice', ...s4_7PurgeTwice },
  { name: '4.7/purge-with-any-worker', ...s4_7PurgeWithAnyWorker },
  { name: '4.7/purges-side-by-side', ...s4_7PurgesSideBySide },
  { name: '4.8/counts-after-deletion', ...s4_8CountsAfterDeletion },
  { name: '4.8/counts-around-a-retry', ...s4_8CountsAroundARetry },
  { name: '4.8/counts-of-a-retried-job-that-waits', ...s4_8CountsOfARetriedJobThatWaits },
  { name: '4.8/counts-of-every-end', ...s4_8CountsOfEveryEnd },
  { name: '4.8/counts-of-every-kind', ...s4_8CountsOfEveryKind },
  { name: '4.8/counts-of-finished-jobs', ...s4_8CountsOfFinishedJobs },
  { name: '4.8/counts-of-workers', ...s4_8CountsOfWorkers },
  { name: '4.8/counts-with-fewer-workers', ...s4_8CountsWithFewerWorkers },
  { name: '4/odd-requests', ...s4OddRequests },
  { name: '4/other-paths-want-a-key', ...s4OtherPathsWantAKey },
  { name: '5/bare-and-bearer', ...s5BareAndBearer },
  { name: '5/bare-and-bearer-at-retry-and-purge', ...s5BareAndBearerAtRetryAndPurge },
  { name: '5/key-without-permission', ...s5KeyWithoutPermission },
  { name: '5/keys-of-purge', ...s5KeysOfPurge },
  { name: '5/missing-key', ...s5MissingKey },
  { name: '5/nearly-right-keys', ...s5NearlyRightKeys },
  { name: '5/prefix-in-lower-case', ...s5PrefixInLowerCase },
  { name: '5/purge-without-permission', ...s5PurgeWithoutPermission },
  { name: '5/refused-calls-change-nothing', ...s5RefusedCallsChangeNothing },
  { name: '5/refused-submissions', ...s5RefusedSubmissions },
  { name: '5/refused-submissions-of-runsync', ...s5RefusedSubmissionsOfRunsync },
  { name: '5/what-is-told-first', ...s5WhatIsToldFirst },
  { name: '5/wrong-key', ...s5WrongKey },
  { name: '6/after-a-retry', ...s6AfterARetry },
  { name: '6/answers-other-than-200', ...s6AnswersOtherThan200 },
  { name: '6/any-worker-called', ...s6AnyWorkerCalled },
  { name: '6/any-worker-failing-webhooks', ...s6AnyWorkerFailingWebhooks },
  { name: '6/called-at-completion', ...s6CalledAtCompletion },
  { name: '6/called-when-a-job-fails', ...s6CalledWhenAJobFails },
  { name: '6/drops-the-connection', ...s6DropsTheConnection },
  { name: '6/each-job-its-own', ...s6EachJobItsOwn },
  { name: '6/fails-always', ...s6FailsAlways },
  { name: '6/fails-once', ...s6FailsOnce },
  { name: '6/job-gone-between-attempts', ...s6JobGoneBetweenAttempts },
  { name: '6/never-answers', ...s6NeverAnswers },
  { name: '6/no-call-for-unfinished-jobs', ...s6NoCallForUnfinishedJobs },
  { name: '6/no-call-when-a-result-expires', ...s6NoCallWhenAResultExpires },
  { name: '6/one-address-for-several-jobs', ...s6OneAddressForSeveralJobs },
  { name: '6/other-successes-and-redirects', ...s6OtherSuccessesAndRedirects },
  { name: '6/purge-between-attempts', ...s6PurgeBetweenAttempts },
  { name: '6/several-attempts-several-jobs', ...s6SeveralAttemptsSeveralJobs },
  { name: '6/whatever-the-output', ...s6WhateverTheOutput },
  { name: '7/ids-of-no-job', ...s7IdsOfNoJob },
  { name: '7/malformed-bodies', ...s7MalformedBodies },
  { name: '7/odd-content-types', ...s7OddContentTypes },
  { name: '7/ordinary-use-is-no-error', ...s7OrdinaryUseIsNoError },
  { name: '7/unknown-endpoint', ...s7UnknownEndpoint },
  { name: '7/unknown-job', ...s7UnknownJob },
  { name: '7/wrong-methods', ...s7WrongMethods },
  { name: '8/allowances-of-two-users', ...s8AllowancesOfTwoUsers },
  { name: '8/calls-without-a-key-and-the-rate', ...s8CallsWithoutAKeyAndTheRate },
  { name: '8/concurrency', ...s8Concurrency },
  { name: '8/concurrency-of-runsync', ...s8ConcurrencyOfRunsync },
  { name: '8/concurrency-of-stream', ...s8_ConcurrencyOfStream },
  { name: '8/concurrency-of-status', ...s8_ConcurrencyOfStatus },
  { name: '8/concurrency-of-openai', ...s8_ConcurrencyOfOpenai },
  { name: '8/failed-calls-and-the-rate', ...s8FailedCallsAndTheRate },
  { name: '8/limits-that-are-not-shown', ...s8LimitsThatAreNotShown },
  { name: '8/megabytes', ...s8Megabytes },
  { name: '8/oversized-submissions-create-nothing', ...s8OversizedSubmissionsCreateNothing },
  { name: '8/rate-by-the-way-it-is-counted', ...s8RateByTheWayItIsCounted },
  { name: '8/rate-from-the-first-call', ...s8RateFromTheFirstCall },
  { name: '8/rate-holds-for-the-whole-window', ...s8RateHoldsForTheWholeWindow },
  { name: '8/rate-of-cancel', ...s8RateOfCancel },
  { name: '8/rate-of-cancel-holds-for-the-whole-window', ...s8RateOfCancelHoldsForTheWholeWindow },
  { name: '8/rate-of-cancel-of-waiting-jobs', ...s8RateOfCancelOfWaitingJobs },
  { name: '8/rate-of-cancel-on-an-idle-endpoint', ...s8RateOfCancelOnAnIdleEndpoint },
  { name: '8/rate-of-cancel-over-two-windows', ...s8RateOfCancelOverTwoWindows },
  { name: '8/rate-of-openai', ...s8RateOfOpenai },
  { name: '8/rate-of-openai-paths', ...s8_RateOfOpenaiPaths },
  { name: '8/rate-of-purge', ...s8RateOfPurge },
  { name: '8/rate-of-purge-over-three-windows', ...s8RateOfPurgeOverThreeWindows },
  { name: '8/rate-of-requests', ...s8RateOfRequests },
  { name: '8/rate-of-requests-over-two-windows', ...s8RateOfRequestsOverTwoWindows },
  { name: '8/rate-of-run', ...s8RateOfRun },
  { name: '8/rate-of-run-over-two-windows', ...s8RateOfRunOverTwoWindows },
  { name: '8/rate-of-runsync', ...s8RateOfRunsync },
  { name: '8/rate-of-status', ...s8RateOfStatus },
  { name: '8/rate-of-status-without-workers', ...s8RateOfStatusWithoutWorkers },
  { name: '8/rate-of-status-over-two-windows', ...s8RateOfStatusOverTwoWindows },
  { name: '8/rate-of-stream', ...s8RateOfStream },
  { name: '8/rate-of-stream-without-workers', ...s8RateOfStreamWithoutWorkers },
  { name: '8/rate-of-stream-over-two-windows', ...s8RateOfStreamOverTwoWindows },
  { name: '8/rate-window-is-ten-seconds', ...s8RateWindowIsTenSeconds },
  { name: '8/rate-with-a-running-worker', ...s8RateWithARunningWorker },
  { name: '8/rates-are-per-endpoint', ...s8RatesArePerEndpoint },
  { name: '8/rates-are-per-operation', ...s8RatesArePerOperation },
  { name: '8/rates-with-busy-workers', ...s8RatesWithBusyWorkers },
  { name: '8/refusals-do-not-prolong', ...s8RefusalsDoNotProlong },
  { name: '8/refused-calls-change-nothing', ...s8RefusedCallsChangeNothing },
  { name: '9/other-versions', ...s9OtherVersions },
];
