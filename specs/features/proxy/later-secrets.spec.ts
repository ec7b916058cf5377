/** What only later calls show to have failed shows no secret either. */
import { expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { toldMs } from '../../../src/judging/live/live-calls.js';
import { AT, run, seen, settings, type Seen, type Told } from './support.js';

const SECRET = 'SECRET-OF-A-CLIENT';
const headers = { authorization: 'Bearer ***', 'content-type': 'application/json' };

/** A submission with this secret. */
function submission(told: Told, accessSecret: string): readonly Seen[] {
  const s3Config = { accessId: 'me', accessSecret, bucketName: 'b', endpointUrl: 'https://s3.example.com' };
  const body = new TextEncoder().encode(JSON.stringify({ input: { lora: 1 }, s3Config }));
  const [begin, end] = seen({ ...told, headers });
  return [begin, { ...end, request: { ...end.request, body } }];
}

test('a call that failed by what came later is told without its secret', () => {
  const judge = new LiveJudge(settings({ others: false }), undefined, 1);
  const refused: Told = { ...run(10, 'refused'), reply: {}, status: 400 };
  const all = [
    ...seen(run(0, 'first')),
    ...submission(refused, SECRET),
    ...submission(run(1_000, 'accepted'), 'another-secret'),
  ];
  const alerts = all.flatMap((one) => [...judge.take(one), ...judge.look(toldMs(one)).alerts]);
  for (const _ of judge.finish(AT + 3_000)) continue;
  const { report } = judge.finished!;
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['2.3/any-provider-accepted']);
  expect(JSON.stringify(report)).toContain('was answered with 400');
  expect(JSON.stringify([report, alerts, judge.state])).not.toContain(SECRET);
});

test('a call that fails at once is told without its secret', () => {
  const judge = new LiveJudge(settings({ others: false }));
  const wrong: Told = { ...run(10, 'wrong'), reply: { stored: SECRET } };
  for (const one of [...seen(run(0, 'first')), ...submission(wrong, SECRET)]) judge.take(one);
  const alerts = [...judge.look(AT + 2_000).alerts];
  for (const _ of judge.finish(AT + 3_000)) continue;
  expect([...alerts, ...judge.state.findings].length).toBeGreaterThan(0);
  expect(JSON.stringify([alerts, judge.state, judge.finished])).not.toContain(SECRET);
});
