/** Faults of section 2.3: `s3Config`. */
import { isObject, type Json } from '../json.js';
import { lookForBucket, storeOutput } from '../storage.js';
import { perEndpoint } from './memory.js';
import { withBody, changedMember } from './steps.js';
import { mapStrings, snakeCase } from './values.js';
import { breaking } from './fault.js';

export const STORAGE_OPTIONS_FAULTS = [
  breaking(
    '2.3',
    'The service only passes this information along; the worker must contain the logic that uses it.',
    {
      's3-dropped': { does: 'the worker does not get s3Config', s3Config: () => null },
      's3-secret-masked': {
        does: 'the worker gets accessSecret as ***',
        s3Config: (s3Config) => (isObject(s3Config) ? { ...s3Config, accessSecret: '***' } : s3Config),
      },
      's3-renamed': {
        does: 'the worker gets the members in snake_case',
        s3Config: (s3Config) => (isObject(s3Config) ? snakeCase(s3Config) : s3Config),
      },
      's3-dropped-on-retry': {
        does: 'the retried run gets no s3Config',
        s3Config: (s3Config, { retries }) => (retries > 0 ? null : s3Config),
      },
      's3-dropped-for-runsync': {
        does: 'jobs of /runsync get no s3Config',
        s3Config: (s3Config, { kind }) => (kind === 'runsync' ? null : s3Config),
      },
      's3-of-latest-job': {
        does: 'workers get the s3Config of the job submitted last',
        s3Config: (s3Config, { endpoint }) => s3Config && (endpoint.latest?.s3Config ?? s3Config),
      },
      's3-of-previous-job': {
        does: 'a job without s3Config gets that of an earlier one',
        with: () => {
          const previousOf = perEndpoint(() => ({ s3Config: null as Json }));
          return {
            submission(submission, _policy, endpoint) {
              const previous = previousOf(endpoint);
              previous.s3Config = submission.s3Config ??= previous.s3Config;
            },
          };
        },
      },
      's3-in-record': {
        does: 'the record shows the s3Config of the job',
        record: (record, { s3Config }) => ({ ...record, s3Config }),
      },
      's3-in-cancel': {
        does: 'the answer of /cancel shows the s3Config of the job',
        cancelReply: (reply, { s3Config }) => withBody(reply, { s3Config }),
      },
      's3-in-webhook': {
        does: 'the webhook is told the whole submission',
        notice: (notice, { s3Config }) => ({ ...notice, body: { ...notice.body, s3Config } }),
      },
      's3-endpoint-url-slash': {
        does: 'a slash is appended to endpointUrl',
        s3Config: (s3Config) =>
          isObject(s3Config) ? { ...s3Config, endpointUrl: `${String(s3Config['endpointUrl'])}/` } : s3Config,
      },
      's3-output-stored': {
        does: 'the service itself puts the output of a job into its bucket',
        succeeds({ job }, output) {
          storeOutput(job.s3Config, job.id, output);
          return { output };
        },
      },
      's3-bucket-looked-for': {
        does: 'the service itself asks the storage for the bucket of a submission',
        submitted: ({ s3Config }) => lookForBucket(s3Config),
      },
    },
  ),
  breaking('2.3', 'The service only passes this information along', {
    's3-merged-with-previous': {
      does: 'members that an s3Config lacks are taken from an earlier one',
      with: () => {
        const previousOf = perEndpoint(() => ({ s3Config: null as Json }));
        return {
          submission(submission, _policy, endpoint) {
            const previous = previousOf(endpoint);
            const given = submission.s3Config;
            if (isObject(given) && isObject(previous.s3Config))
              submission.s3Config = { ...previous.s3Config, ...given };
            if (given !== null) previous.s3Config = given;
          },
        };
      },
    },
    's3-missing-as-null': {
      does: 'members that an s3Config lacks reach the worker as null',
      s3Config: (s3Config) =>
        isObject(s3Config)
          ? { accessId: null, accessSecret: null, bucketName: null, endpointUrl: null, ...s3Config }
          : s3Config,
    },
    's3-secret-percent-encoded': {
      does: 'accessSecret reaches the worker percent-encoded',
      s3Config: (s3Config) => changedMember(s3Config, 'accessSecret', encodeURIComponent),
    },
    's3-endpoint-without-scheme': {
      does: 'endpointUrl reaches the worker without https://',
      s3Config: (s3Config) =>
        changedMember(s3Config, 'endpointUrl', (url) => url.replace(/^https?:\/\//, '')),
    },
    's3-trimmed': {
      does: 'members reach the worker without blanks around them',
      s3Config: (s3Config) => mapStrings(s3Config, (text) => text.trim()),
    },
    's3-in-input': {
      does: 'members of s3Config are added to input as well',
      input: (input, { s3Config }) => (isObject(s3Config) ? { ...s3Config, ...input } : input),
    },
  }),
];
