/** Faults of section 2.3: `s3Config`. */
import { isObject, type Json } from '../json.js';
import { lookForBucket, storeOutput } from '../storage.js';
import { perEndpoint } from './memory.js';
import { withBody, changedMember } from './steps.js';
import { mapStrings, snakeCase } from './values.js';
import type { Faults } from './fault.js';

export const STORAGE_OPTIONS_FAULTS = {
  's3-config-dropped': { s3Config: () => null },
  's3-secret-masked': {
    s3Config: (s3Config) => (isObject(s3Config) ? { ...s3Config, accessSecret: '***' } : s3Config),
  },
  's3-renamed': { s3Config: (s3Config) => (isObject(s3Config) ? snakeCase(s3Config) : s3Config) },
  's3-config-lost-on-retry': { s3Config: (s3Config, { retries }) => (retries > 0 ? null : s3Config) },
  's3-config-not-for-runsync': { s3Config: (s3Config, { kind }) => (kind === 'runsync' ? null : s3Config) },
  's3-of-latest-job': {
    s3Config: (s3Config, { endpoint }) => s3Config && (endpoint.latest?.s3Config ?? s3Config),
  },
  's3-config-lingers': {
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
  's3-config-in-record': { record: (record, { s3Config }) => ({ ...record, s3Config }) },
  's3-in-cancel': { cancelReply: (reply, { s3Config }) => withBody(reply, { s3Config }) },
  's3-in-webhook': { notice: (notice, { s3Config }) => ({ ...notice, body: { ...notice.body, s3Config } }) },
  's3-url-slash-added': {
    s3Config: (s3Config) =>
      isObject(s3Config) ? { ...s3Config, endpointUrl: `${String(s3Config['endpointUrl'])}/` } : s3Config,
  },
  's3-output-stored': {
    succeeds({ job }, output) {
      storeOutput(job.s3Config, job.id, output);
      return { output };
    },
  },
  's3-bucket-looked-for': { submitted: ({ s3Config }) => lookForBucket(s3Config) },
  's3-merged-with-previous': {
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
    s3Config: (s3Config) =>
      isObject(s3Config)
        ? { accessId: null, accessSecret: null, bucketName: null, endpointUrl: null, ...s3Config }
        : s3Config,
  },
  's3-secret-percent-encoded': {
    s3Config: (s3Config) => changedMember(s3Config, 'accessSecret', encodeURIComponent),
  },
  's3-endpoint-without-scheme': {
    s3Config: (s3Config) => changedMember(s3Config, 'endpointUrl', (url) => url.replace(/^https?:\/\//, '')),
  },
  's3-trimmed': { s3Config: (s3Config) => mapStrings(s3Config, (text) => text.trim()) },
  's3-in-input': { input: (input, { s3Config }) => (isObject(s3Config) ? { ...s3Config, ...input } : input) },
} satisfies Faults;
