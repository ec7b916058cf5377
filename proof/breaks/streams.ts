/** What faults of sections 2.5 and 4.4 break: chunks and how they are delivered. */
import { rowsOf, type BreaksList } from './list.js';

const UNCHANGED = '2.5/chunk-output-unchanged';
/** A chunk is lost: whoever reads until the end does not get it. */
const LOST = '4.4/chunks-not-lost 4.4/chunks-after-end';
const LOST_AT_ONCE = `${LOST} 4.4/chunks-while-running`;
const LARGE =
  '4.4/large-output-rejoins 4.4/chunks-not-lost 4.4/chunks-after-end 4.4/chunks-while-running 2.5/chunk-output-unchanged';
const TWICE = '4.4/chunks-not-duplicated 4.4/chunks-not-invented';

export const STREAMS: BreaksList = {
  file: 'proof/breaks/streams.ts',
  rows: rowsOf(`
stream-every-tenth-lost stream-falsy-lost stream-read-at-most-ten stream-one-per-instant stream-repeats-merged stream-position-shared stream-chunk-lives-a-minute stream-not-of-runsync stream-first-worker-only stream-blank-lost stream-null-ends stream-done-ends stream-empty-containers-lost stream-empty-text-ends stream-false-ends stream-from-first-read stream-closes-when-empty stream-read-while-waiting-stays-empty retry-stream-stays-closed | ${LOST_AT_ONCE} | a result is never delivered
stream-only-new-to-nobody | 4.3/reading-does-not-consume 4.3/ttl-optional | reading the state takes something away
stream-lost-on-failure | ${LOST} | a result is never delivered
stream-loses-last | 4.4/chunks-while-running | the last chunk is held back while it is the last
stream-duplicates stream-second-read-repeats-last | ${TWICE} | a chunk comes twice
stream-duplicates | 4.4/large-output-rejoins | the parts joined are more than there was
stream-sorted-as-text stream-large-after-small | 4.4/chunks-in-order | not the order in which they were produced
stream-reversed stream-sorted-as-text | 4.4/large-output-rejoins | parts are in another order
stream-mixes-jobs | 4.4/chunks-not-invented ${LOST_AT_ONCE} 4.4/chunks-in-order | chunks go to another job
stream-of-cancelled-in-next | 4.4/chunks-not-invented | chunks of another job
stream-answers-crossed | 4.4/chunks-not-invented ${LOST_AT_ONCE} 4.4/chunks-not-duplicated | chunks go to another reader
stream-position-shared | 4.4/chunks-not-duplicated | where another job was read moves the place
stream-wrapped stream-ndjson stream-single-object stream-no-body-when-empty | 4.4/answer-is-array 1/json-body-stream 1/json-content-type-stream | no JSON array
stream-answers-409 stream-resets-connection | 4/operation-stream 1/json-body-stream 1/json-content-type-stream 4.4/answer-is-array 2.5/chunk-is-object 2.5/chunk-has-output ${UNCHANGED} ${LOST_AT_ONCE} 4.4/large-output-split 4.4/large-output-rejoins | no stream is ever answered
stream-of-running-answers-409 stream-of-running-resets-connection | 4.4/chunks-while-running | nothing is delivered while it runs
chunk-bare | 2.5/chunk-is-object 2.5/chunk-has-output ${UNCHANGED} | there is no output
chunk-misnamed | 2.5/chunk-has-output ${UNCHANGED} | there is no output
stream-stringified | ${UNCHANGED} | a result is changed
stream-joined | ${UNCHANGED} ${LOST_AT_ONCE} 4.4/chunks-not-invented 4.4/large-output-rejoins | one chunk instead of several results
stream-joined | 4.4/chunk-size | several large results make one chunk above 1 MB
stream-trimmed stream-lines-split stream-arrays-flattened stream-output-member-unwrapped stream-json-text-parsed stream-astral-lost stream-nulls-dropped stream-line-ends-lost stream-html-escaped stream-numeric-texts-as-numbers stream-empty-texts-as-null stream-numbers-of-14-digits stream-floats-of-32-bits stream-keys-snake-case stream-nul-lost stream-singletons-unwrapped stream-dates-reformatted | ${UNCHANGED} | a result is changed
stream-lines-split stream-arrays-flattened | 4.4/chunks-not-invented ${LOST_AT_ONCE} 4.4/chunk-below-limit-whole | several chunks of one small result
stream-trimmed stream-line-ends-lost | 4.4/large-output-rejoins | the parts of a large text may be trimmed
stream-error-member-fails-job stream-large-fails-job | 3/success-completes-* 3/not-completed-before-handler-ends | a success becomes FAILED
stream-error-member-fails-job | ${LOST} | what follows is not delivered
stream-large-fails-job | 4.4/large-output-split 4.4/large-output-rejoins 4.4/chunks-not-lost 4.4/chunks-after-end | it is not delivered
stream-split-at-two stream-limit-in-characters | 4.4/chunk-size | a chunk is larger than 1 MB
stream-split-at-two stream-chunk-too-large stream-limit-in-characters | 4.4/large-output-split | a large result is one chunk
stream-large-cut stream-dropped-when-large stream-split-drops-short-rest stream-list-cut stream-second-large-lost stream-split-loses-byte stream-split-loses-character stream-split-inside-character | ${LARGE} | something of it is lost
stream-dropped-when-large | 4.4/large-output-split | it is not several chunks
stream-split-overlaps stream-split-reversed | 4.4/large-output-rejoins ${UNCHANGED} | the parts joined are not what there was
stream-split-reversed | 4.4/chunks-in-order | the parts come in another order
stream-split-overlaps | ${TWICE} | something of it comes twice
now-and-then-chunk-lost | 4.4/large-output-rejoins 4.4/large-output-split 2.5/chunk-output-unchanged | a part of a large result is lost
stream-read-at-most-ten stream-newest-only stream-loses-first stream-loses-last stream-one-per-instant stream-gone-at-end stream-repeats-merged | 4.4/large-output-rejoins 4.4/large-output-split | parts of a large result are lost
retry-keeps-chunks retry-late-chunks-of-first-run | 4.6/removes-stream | chunks of the previous run, which its handler did produce
`),
};
