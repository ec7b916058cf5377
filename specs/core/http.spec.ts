/** Sections 2.1, 2.2, 4, 5, 7: what is refused, with which code, in which words. */
import { describe, expect, test } from 'vitest';
import { createTestBed, fields, KEY } from './test-bed.js';

describe('7: a malformed submission is answered with 400 and names the field', () => {
  test.each([
    ['', 'the body must be a JSON object'],
    ['{', 'the body is not valid JSON'],
    ['[]', 'the body must be a JSON object'],
    ['{}', 'input is required'],
    ['{"input":[]}', 'input must be a JSON object'],
    ['{"input":{"a":1},"policy":7}', 'policy must be a JSON object'],
    ['{"input":{"a":1},"policy":{"ttl":"soon"}}', 'policy.ttl must be an integer'],
    ['{"input":{"a":1},"policy":{"ttl":9999}}', 'policy.ttl must be between 10000 and 604800000'],
    ['{"input":{"a":1},"policy":{"executionTimeout":1.5}}', 'policy.executionTimeout must be an integer'],
    ['{"input":{"a":1},"policy":{"lowPriority":1}}', 'policy.lowPriority must be a boolean'],
    ['{"input":{"a":1},"webhook":"nowhere"}', 'webhook must be an http or https URL'],
    ['{"input":{"a":1},"s3Config":{"bucketName":7}}', 's3Config.bucketName must be a string'],
  ])('%s', (text, words) => {
    const w = createTestBed();
    for (const op of ['/run', '/runsync']) {
      const reply = w.post(op, undefined, { text });
      expect(reply.status).toBe(400);
      expect(JSON.stringify(reply.body)).toContain(words);
    }
    expect(fields(w.get('/health'))['jobs']).toMatchObject({ inQueue: 0, inProgress: 0 });
    expect(w.starts()).toEqual([]);
  });

  test.each([
    ['/runsync', 'wait', 'x'],
    ['/runsync', 'wait', '999'],
    ['/runsync', 'wait', '+5000'],
    ['/runsync', 'wait', '1e4'],
  ])('%s?%s=%s', (op, name, value) => {
    const reply = createTestBed().post(op, { input: { a: 1 } }, { query: { [name]: value } });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain(`${name} must be`);
  });
});

describe('5: the key', () => {
  test.each([
    [KEY, 200],
    [`Bearer ${KEY}`, 200],
    [`bearer ${KEY}`, 200],
    [null, 401],
    ['', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    [KEY.slice(1), 401],
    [`${KEY}x`, 401],
    [KEY.toUpperCase(), 401],
    [`Basic ${KEY}`, 401],
  ])('%s is answered %i', (key, status) => {
    expect(createTestBed().get('/health', { key }).status).toBe(status);
  });

  test('401 takes precedence over every other refusal and changes nothing', () => {
    const w = createTestBed();
    const job = w.run();
    const key = 'wrong';
    for (const path of [`/cancel/${job}`, '/purge-queue', '/run', '/nothing', '/cancel/none']) {
      expect(w.post(path, { input: {} }, { key }).status).toBe(401);
    }
    expect(w.get('/health', { key, endpoint: 'nowhere' }).status).toBe(401);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
  });
});

describe('4, 7: paths, methods, sizes', () => {
  test.each([
    ['GET', '/health', 'nowhere', 404],
    ['GET', '/status/none', 'ep', 404],
    ['GET', '/status', 'ep', 404],
    ['GET', '/nothing', 'ep', 404],
    ['GET', '/run', 'ep', 405],
    ['POST', '/health', 'ep', 405],
    ['GET', '//v1/ep/health', 'ep', 404],
    ['GET', '/status/%zz', 'ep', 404],
  ])('%s %s at %s is answered %i', (method, path, endpoint, status) => {
    expect(createTestBed().get(path, { method, endpoint }).status).toBe(status);
  });

  test.each([
    ['/run', 10_000_000, 200],
    ['/run', 10_000_001, 400],
    ['/runsync', 20_000_001, 400],
  ])('%s of %i bytes is answered %i', (op, bytes, status) => {
    expect(createTestBed().post(op, { input: { a: 1 } }, { bytes }).status).toBe(status);
  });
});

test('1/endpoints-isolated-status: a job is found at its own endpoint only', () => {
  const w = createTestBed({
    endpoints: [
      { id: 'ep', workers: 1 },
      { id: 'other', workers: 1 },
    ],
  });
  const job = w.run();
  for (const path of ['/status', '/stream'])
    expect(w.get(`${path}/${job}`, { endpoint: 'other' }).status).toBe(404);
  for (const path of ['/cancel', '/retry']) {
    expect(w.post(`${path}/${job}`, undefined, { endpoint: 'other' }).status).toBe(404);
  }
});
