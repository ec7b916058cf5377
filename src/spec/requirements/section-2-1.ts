/**
 * What section 2.1 of the document requires.
 *
 * An optional field of the wrong type is a `should`: section 7 gives "malformed … parameters" as the typical cause of a 400,
 * but does not say that each of them must cause one. A service that ignores a meaningless `webhook`, `policy`, `s3Config` or
 * field of `policy` is not excluded. `input` is a `must`: it is required, and only a valid submission creates a job (section 3).
 */
import { SUBMISSIONS } from '../operations.js';
import { family, inSection } from './rows.js';

export const SECTION_2_1 = inSection('2.1', [
  ...family('2.1/input-missing-refused-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission without `input` is refused with 400.',
    code: 400,
    quote: '| `input` | JSON object | yes |',
  }),
  ...family('2.1/input-null-refused-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission whose `input` is null is refused with 400.',
    code: 400,
    quote: '| `input` | JSON object | yes |',
  }),
  ...family('2.1/input-array-refused-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission whose `input` is an array is refused with 400.',
    code: 400,
    quote: '| `input` | JSON object | yes |',
  }),
  ...family('2.1/input-scalar-refused-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission whose `input` is a string, a number or a boolean is refused with 400.',
    code: 400,
    quote: '| `input` | JSON object | yes |',
  }),
  ...family('2.1/input-object-accepted-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission whose `input` is an object with members is accepted.',
    quote: '| `input` | JSON object | yes |',
  }),
  ...family('2.1/input-empty-accepted-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission whose `input` is `{}` is accepted: that is a JSON object, too.',
    quote: '| `input` | JSON object | yes |',
  }),
  ...family('2.1/input-reaches-worker-*', SUBMISSIONS, {
    level: 'must',
    text: 'The handler of a job submitted by /* receives the `input` that was submitted.',
    quote: "Parameters for the worker's handler.",
    needs: ['scripted-worker'],
  }),
  {
    id: '2.1/input-not-mixed-between-jobs',
    level: 'must',
    text: 'A job runs with the `input` of its own submission, never with that of another job.',
    quote: "Parameters for the worker's handler.",
    needs: ['scripted-worker'],
  },
  {
    id: '2.1/input-nested-unchanged',
    level: 'must',
    text: 'Nested objects, arrays, numbers, booleans and nulls within `input` reach the handler as they were sent.',
    quote: "Parameters for the worker's handler.",
    needs: ['scripted-worker'],
  },
  {
    id: '2.1/input-unicode-unchanged',
    level: 'must',
    text: 'Text beyond ASCII within `input`, in keys and in values, reaches the handler as it was sent.',
    quote: "Parameters for the worker's handler.",
    needs: ['scripted-worker'],
  },
  {
    id: '2.1/input-content-not-interpreted',
    level: 'must',
    text: 'Members of `input` with the name of an API field (`id`, `status`, `policy`, `webhook`…) have no effect on the service.',
    quote: 'Its content is defined by the worker, not by the service.',
    needs: ['scripted-worker'],
  },
  {
    id: '2.1/input-content-not-validated',
    level: 'must',
    text: 'The service does not refuse a submission because of what a non-empty `input` object contains.',
    quote: 'Its content is defined by the worker, not by the service.',
  },
  {
    id: '2.1/webhook-optional',
    level: 'must',
    text: 'A submission without `webhook` is accepted.',
    quote: '| `webhook` | string (URL) | no |',
  },
  ...family('2.1/webhook-accepted-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission with a `webhook` that is a URL is accepted.',
    quote: '| `webhook` | string (URL) | no |',
  }),
  {
    id: '2.1/webhook-type-checked',
    level: 'should',
    text: 'A submission whose `webhook` is not a string is refused with 400.',
    code: 400,
    quote: '| `webhook` | string (URL) | no |',
  },
  {
    id: '2.1/policy-optional',
    level: 'must',
    text: 'A submission without `policy` is accepted.',
    quote: '| `policy` | object | no |',
  },
  ...family('2.1/policy-accepted-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission with a `policy` whose fields are within their constraints is accepted.',
    quote: '| `policy` | object | no |',
  }),
  ...family('2.1/policy-type-checked-*', SUBMISSIONS, {
    level: 'should',
    text: 'A /* submission whose `policy` is a string, a number, a boolean or an array is refused with 400.',
    code: 400,
    quote: '| `policy` | object | no |',
  }),
  {
    id: '2.1/s3config-optional',
    level: 'must',
    text: 'A submission without `s3Config` is accepted.',
    quote: '| `s3Config` | object | no |',
  },
  ...family('2.1/s3config-accepted-*', SUBMISSIONS, {
    level: 'must',
    text: 'A /* submission with an `s3Config` of all four fields is accepted.',
    quote: '| `s3Config` | object | no |',
  }),
  {
    id: '2.1/s3config-type-checked',
    level: 'should',
    text: 'A submission whose `s3Config` is a string, a number, a boolean or an array is refused with 400.',
    code: 400,
    quote: '| `s3Config` | object | no |',
  },
]);
