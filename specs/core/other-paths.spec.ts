/** Section 4.9: the paths that the document only names. */
import { describe, expect, it } from 'vitest';
import type { Edition } from '../../src/spec/index.js';
import { createWorld, fields } from './test-bed.js';

const EDITIONS: readonly Edition[] = ['document', 'runpod'];

describe.each(EDITIONS)('in the edition %s', (edition) => {
  it('/openai waits for the worker and answers its output alone', () => {
    const w = createWorld({ edition });
    const call = w.ask('/openai/v1/chat/completions', { model: 'm' });
    const { input, job } = w.starts()[0]!;
    expect(input).toEqual({ openai_route: '/v1/chat/completions', openai_input: { model: 'm' } });
    expect(w.late(call)).toBeNull();
    w.report(job, { kind: 'success', output: { choices: [] } });
    expect(w.late(call)!.reply).toMatchObject({ status: 200, body: { choices: [] } });
  });

  it('/openai that outlasts the longest default wait is told how its job stands', () => {
    const w = createWorld({ edition });
    const call = w.ask('/openai/v1/models', {});
    w.pass(90_000);
    expect(fields(w.late(call)!.reply)).toMatchObject({ id: w.starts()[0]!.job, status: 'IN_PROGRESS' });
  });

  it('/openai without a JSON object is malformed', () => {
    const w = createWorld({ edition });
    for (const text of ['', '{', '[]', '"x"']) {
      expect(w.post('/openai/v1/chat', undefined, { text }).status).toBe(400);
    }
    expect(w.starts()).toHaveLength(0);
  });

  it('/requests lists jobs by id and status, and no secret of theirs', () => {
    const w = createWorld({ edition });
    const secrets = {
      s3Config: { accessId: 'my-access', accessSecret: 'my-secret' },
      webhook: 'http://user:my-password@hook.test/?token=my-token',
    };
    const running = w.run(secrets, { prompt: 'my-prompt' });
    const waiting = w.run(secrets);
    const { body } = w.get('/requests');
    expect(body).toEqual({
      requests: [
        { id: running, status: 'IN_PROGRESS' },
        { id: waiting, status: 'IN_QUEUE' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('my-');
  });
});

it('/requests lists the newest thousand, of its endpoint only', () => {
  const endpoints = ['ep', 'other'].map((id) => ({ id, workers: 0 }));
  const w = createWorld({ endpoints });
  const ids: string[] = [];
  for (let job = 0; job < 1_010; job++) {
    if (job % 500 === 0) w.pass(10_000);
    ids.push(w.run());
  }
  const { requests } = fields(w.get('/requests')) as unknown as { requests: { id: string }[] };
  expect(requests.map(({ id }) => id)).toEqual(ids.slice(-1_000));
  expect(w.get('/requests', { endpoint: 'other' }).body).toEqual({ requests: [] });
});

it('the readings differ', () => {
  const not = createWorld({
    dialect: { '4.9/openai-answer': 'not-offered', '4.9/requests-answer': 'not-offered' },
  });
  expect(not.post('/openai/v1/chat', {}).status).toBe(400);
  expect(not.get('/requests').status).toBe(400);
  const other = createWorld({ dialect: { '4.9/requests-answer': 'other' } });
  other.run();
  expect(other.get('/requests').body).toEqual({ count: 1 });
});
