/** The job API as an OpenAPI 3.1 description, from the operations and limits in `src/spec/`. */
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUN_PAYLOAD_MAX,
  RUNSYNC_PAYLOAD_MAX,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../../src/spec/limits.js';
import {
  ALL_OPERATIONS,
  HEALTH_JOB_COUNTERS,
  HEALTH_WORKER_COUNTERS,
  PURGE_STATUS,
  S3_CONFIG_FIELDS,
  type OperationSpec,
} from '../../../src/spec/operations.js';
import { RATES } from '../../../src/spec/rates.js';
import { JOB_STATUSES } from '../../../src/spec/states.js';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const integers = (names: readonly string[]): object => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }])),
});

const SCHEMAS = {
  Submission: {
    type: 'object',
    description: 'Section 2.1',
    required: ['input'],
    properties: {
      input: {
        type: 'object',
        description: 'Parameters for the worker; its content is defined by the worker.',
      },
      webhook: { type: 'string', format: 'uri', description: 'Called when the job completes (section 6).' },
      policy: ref('Policy'),
      s3Config: ref('S3Config'),
    },
  },
  Policy: {
    type: 'object',
    description: 'Section 2.2; times in milliseconds.',
    properties: {
      executionTimeout: {
        type: 'integer',
        default: EXECUTION_TIMEOUT_DEFAULT_MS,
        minimum: EXECUTION_TIMEOUT_MIN_MS,
        maximum: EXECUTION_TIMEOUT_MAX_MS,
      },
      lowPriority: { type: 'boolean', default: false },
      ttl: { type: 'integer', default: TTL_DEFAULT_MS, minimum: TTL_MIN_MS, maximum: TTL_MAX_MS },
    },
  },
  S3Config: {
    type: 'object',
    description: 'Section 2.3; which members are required is not shown.',
    properties: Object.fromEntries(S3_CONFIG_FIELDS.map((name) => [name, { type: 'string' }])),
  },
  Status: { type: 'string', enum: JOB_STATUSES, description: 'Section 3' },
  Submitted: {
    type: 'object',
    required: ['id', 'status'],
    properties: { id: { type: 'string' }, status: ref('Status') },
  },
  Job: {
    type: 'object',
    description: 'Section 2.4; the unit of the times is not shown.',
    required: ['id', 'status'],
    properties: {
      id: { type: 'string' },
      status: ref('Status'),
      output: { description: 'What the worker returned.' },
      delayTime: { type: 'integer' },
      executionTime: { type: 'integer' },
    },
  },
  Stream: {
    type: 'array',
    description: 'Section 2.5',
    items: {
      type: 'object',
      required: ['output'],
      properties: { output: {}, metrics: { type: 'object' } },
    },
  },
  Purged: {
    type: 'object',
    description: 'Section 2.6',
    required: ['removed', 'status'],
    properties: { removed: { type: 'integer', minimum: 0 }, status: { const: PURGE_STATUS } },
  },
  Health: {
    type: 'object',
    description: 'Section 2.7',
    required: ['jobs', 'workers'],
    properties: { jobs: integers(HEALTH_JOB_COUNTERS), workers: integers(HEALTH_WORKER_COUNTERS) },
  },
  FaultsByCall: {
    type: 'object',
    description: 'For each operation the faults of its first call, its second, and so on.',
    additionalProperties: { type: 'array', items: { type: 'string' }, examples: [['503', 'none', '429:2s']] },
  },
  TestFaults: {
    type: 'object',
    required: ['id', 'pending'],
    properties: { id: { type: 'string' }, pending: ref('FaultsByCall') },
  },
};

const ANSWER: { readonly [op: string]: string } = {
  runsync: 'Job',
  run: 'Submitted',
  status: 'Job',
  stream: 'Stream',
  cancel: 'Submitted',
  retry: 'Submitted',
  'purge-queue': 'Purged',
  health: 'Health',
};

const QUERY: { readonly [name: string]: object } = {
  wait: { type: 'integer', minimum: WAIT_MIN_MS, maximum: WAIT_MAX_MS, default: WAIT_DEFAULT_MS },
  ttl: { type: 'integer', description: 'Milliseconds; sets the lifespan of this job.' },
};

function operation({ op, section, path, takesJob, body, query, success }: OperationSpec): object {
  const rate = RATES[op];
  const largest =
    op === 'run' ? RUN_PAYLOAD_MAX.megabytes : op === 'runsync' ? RUNSYNC_PAYLOAD_MAX.megabytes : null;
  const segments = ['endpoint_id', ...(takesJob ? ['job_id'] : []), ...(path.endsWith('*') ? ['rest'] : [])];
  const schema = ANSWER[op];
  const notes = [
    `Section ${section}. Answers ${success}.`,
    ...(rate === null
      ? []
      : [
          `At most ${rate.requests} requests per ${rate.windowMs / 1_000} s${rate.concurrency === null ? '' : `, ${rate.concurrency} at a time`} (section 8).`,
        ]),
    ...(largest === null ? [] : [`At most ${largest} MB.`]),
  ];
  return {
    operationId: op,
    description: notes.join(' '),
    parameters: [
      ...segments.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...query.map((name) => ({ name, in: 'query', required: false, schema: QUERY[name] })),
    ],
    ...(body === 'submission'
      ? { requestBody: { required: true, content: { 'application/json': { schema: ref('Submission') } } } }
      : {}),
    responses: {
      '2XX': {
        description: success,
        ...(schema === undefined ? {} : { content: { 'application/json': { schema: ref(schema) } } }),
      },
      '400': { description: 'The request is malformed (section 7).' },
      '401': { description: 'The key is missing or wrong, or has no permission (sections 5 and 7).' },
      '404': { description: 'The endpoint or the job is unknown, or its record has expired (section 7).' },
      ...(rate === null ? {} : { '429': { description: 'Too many requests (sections 7 and 8).' } }),
    },
  };
}

/** Of the emulator alone: a service of the API has no such path. */
function faultsOfTests(): { readonly [path: string]: object } {
  const json = (schema: string): object => ({ content: { 'application/json': { schema: ref(schema) } } });
  const servers = [{ url: 'http://127.0.0.1:8080', description: 'runproof serve --test-control' }];
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const answers = (code: string, description: string, schema: string | null, more: object = {}): object => ({
    [code]: { description, ...(schema === null ? {} : json(schema)) },
    '401': { description: 'The key is missing or wrong.' },
    ...more,
  });
  const unknown = { '404': { description: 'No test has these faults.' } };
  return {
    '/_control/faults': {
      servers,
      post: {
        operationId: 'add-faults',
        description:
          'Only the emulator of Runproof: faults for the calls of one test (docs/emulator-faults.md).',
        requestBody: { required: true, ...json('FaultsByCall') },
        responses: answers('201', 'The id, also that of a new endpoint.', 'TestFaults', {
          '400': { description: 'The faults are malformed.' },
        }),
      },
    },
    '/_control/faults/{id}': {
      servers,
      parameters: [id],
      get: {
        operationId: 'pending-faults',
        description: 'Only the emulator of Runproof: the faults that no call has met yet.',
        responses: answers('200', 'What is pending.', 'TestFaults', unknown),
      },
      delete: {
        operationId: 'remove-faults',
        description: 'Only the emulator of Runproof: removes the faults and their endpoint.',
        responses: answers('204', 'They are removed.', null, unknown),
      },
    },
  };
}

/** The description as JSON. */
export function openApi(): string {
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const one of ALL_OPERATIONS) {
    const path = one.path
      .replace('<endpoint_id>', '{endpoint_id}')
      .replace('<job_id>', '{job_id}')
      .replace('*', '{rest}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operation(one) };
  }
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'Queue-based serverless endpoint job API',
      version: '2',
      description:
        'Generated from what Runproof checks. What the document leaves open stays open here; `docs/queue-endpoint-api.md` is the document.',
    },
    servers: [{ url: 'http://127.0.0.1:8080', description: 'runproof serve' }],
    security: [{ key: [] }, { bearer: [] }],
    paths: { ...paths, ...faultsOfTests() },
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: 'The bare key (section 5).',
        },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
  return `${JSON.stringify(description, null, 2)}\n`;
}
