import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeSession } from '../../../src/client/judge.js';
import { CLIENT_RULES } from '../../../src/client/rules/index.js';
import type { Session } from '../../../src/client/session.js';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { HTTP_CASES } from './http-cases.js';
import { JOB_CASES } from './job-cases.js';
import { LIMIT_CASES } from './limit-cases.js';
import { POLLING_CASES } from './polling-cases.js';
import { RATE_LIMIT_CASES } from './rate-limit-cases.js';
import { REQUEST_CASES } from './request-cases.js';
import type { RuleCases } from './rule-cases.js';
import { FINAL_STATE_CASES } from './final-state-cases.js';
import { SUCCESS_CASES } from './success-cases.js';
import { WEBHOOK_CASES } from './webhook-cases.js';

const CASES: readonly RuleCases[] = [
  ...REQUEST_CASES,
  ...LIMIT_CASES,
  ...SUCCESS_CASES,
  ...FINAL_STATE_CASES,
  ...POLLING_CASES,
  ...RATE_LIMIT_CASES,
  ...JOB_CASES,
  ...WEBHOOK_CASES,
  ...HTTP_CASES,
];

const verdictOf = (session: Session, id: string) => {
  const verdict = judgeSession(session).find(({ rule }) => rule.id === id);
  if (verdict === undefined) throw new Error(`there is no rule ${id}`);
  return verdict;
};

describe.each(CASES)('$rule', ({ rule, kept, violated, open }) => {
  it.each(Object.entries(kept))('is kept by a client that %s', (_, session) => {
    expect(verdictOf(session, rule)).toEqual({ rule: expect.anything(), state: 'kept' });
  });

  it.each(Object.entries(violated))('is violated by a client that %s', (_, [session, says]) => {
    const verdict = verdictOf(session, rule);
    expect(verdict.state).toBe('violated');
    if (verdict.state !== 'violated') return;
    expect(verdict.violations.map(({ text }) => text).join('\n')).toContain(says);
    const numbers = new Set(session.calls.map(({ id }) => id));
    for (const { calls } of verdict.violations) for (const call of calls) expect(numbers).toContain(call);
  });

  it.each(Object.entries(open))('says nothing of a client that %s', (_, session) => {
    expect(verdictOf(session, rule).state).toBe('open');
  });
});

describe('the client rules', () => {
  it('has at least thirty', () => {
    expect(CLIENT_RULES.length).toBeGreaterThanOrEqual(30);
  });

  it('has ids that begin with client/ and occur once', () => {
    const ids = CLIENT_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^client\/[a-z0-9-]+$/u.test(id))).toEqual([]);
  });

  it('has sessions that keep, violate and leave open each rule', () => {
    const complete = CASES.filter(({ kept, violated, open }) =>
      [kept, violated, open].every((cases) => Object.keys(cases).length > 0),
    );
    expect(complete.map(({ rule }) => rule).toSorted()).toEqual(CLIENT_RULES.map(({ id }) => id).toSorted());
  });

  it('quotes the document, and only sections that it has', () => {
    const text = readFileSync('docs/queue-endpoint-api.md', 'utf8');
    const lines = text.split('\n');
    for (const { id, source } of CLIENT_RULES) {
      if (source.kind === 'http') continue;
      expect(
        lines.some(
          (line) =>
            (line.startsWith('#') && line.includes(` ${source.section} `)) ||
            line.includes(` ${source.section}. `),
        ),
        id,
      ).toBe(true);
      if (source.kind === 'document')
        expect(
          lines.some((line) => line.includes(source.quote)),
          id,
        ).toBe(true);
    }
  });

  it('says must only of what the document says', () => {
    const musts = CLIENT_RULES.filter(({ level }) => level === 'must');
    expect(musts.filter(({ source }) => source.kind !== 'document')).toEqual([]);
  });

  it('names weathers that there are, at least one each', () => {
    const known = new Set(WEATHERS.map(({ id }) => id));
    for (const { id, weather } of CLIENT_RULES) {
      expect(weather.length, id).toBeGreaterThan(0);
      expect(
        weather.filter((name) => !known.has(name)),
        id,
      ).toEqual([]);
    }
  });
});
