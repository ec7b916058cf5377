/** Section 4.9: the paths that the document only names. */
import { describe, expect, it } from 'vitest';
import type { Edition } from '../../src/spec/index.js';
import { createTestBed, fields } from './test-bed.js';

const EDITIONS: readonly Edition[] = ['document', 'runpod'];

describe.each(EDITIONS)('in the edition %s', (edition) => {
  it('/openai waits for the worker and answers with its output only', () => {
    const w = createTestBed({ edition });
    const call = w.runsync('/openai/v1/chat/completions', { model: 'm' });
    const { input, job } = w.starts()[0]!;
    expect(input).toEqual({ openai_route: '/v1/chat/completions', openai_input: { model: 'm' } });
    expect(w.lateReply(call)).toBeNull();
    w.report(job, { kind: 'success', output: { choices: [] } });
    expect(w.lateReply(call)!.reply).toMatchObject({ status: 200, body: { choices: [] } });
  });

  it('/openai whose job outlasts the default wait is answered with the job record', () => {
    const w = createTestBed({ edition });
    const call = w.runsync('/openai/v1/models', {});
    w.advance(90_000);
    expect(fields(w.lateReply(call)!.reply)).toMatchObject({ id: w.starts()[0]!.job, status: 'IN_PROGRESS' });
  });

  it('/openai without a JSON object is malformed', () => {
    const w = createTestBed({ edition });
    for (const text of ['', '{', '[]', '"x"']) {
      expect(w.post('/openai/v1/chat', undefined, { text }).status).toBe(400);
    }
    expect(w.starts()).toHaveLength(0);
  });

  it('/requests lists jobs by id and status, without secrets', () => {
    const w = createTestBed({ edition });
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
  const w = createTestBed({ endpoints });
  const ids: string[] = [];
  for (let job = 0; job < 1_010; job++) {
    if (job % 500 === 0) w.advance(10_000);
    ids.push(w.run());
  }
  const { requests } = fields(w.get('/requests')) as unknown as { requests: { id: string }[] };
  expect(requests.map(({ id }) => id)).toEqual(ids.slice(-1_000));
  expect(w.get('/requests', { endpoint: 'other' }).body).toEqual({ requests: [] });
});

it('the readings differ', () => {
  const not = createTestBed({
    dialect: { '4.9/openai-answer': 'not-offered', '4.9/requests-answer': 'not-offered' },
  });
  expect(not.post('/openai/v1/chat', {}).status).toBe(400);
  expect(not.get('/requests').status).toBe(400);
  const other = createTestBed({ dialect: { '4.9/requests-answer': 'other' } });
  other.run();
  expect(other.get('/requests').body).toEqual({ count: 1 });
});
