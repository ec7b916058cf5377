import { describe, expect, it } from 'vitest';
import {
  AMENDMENTS,
  dialectOf,
  defaultDialect,
  isQuestionId,
  isRequirementId,
  latenessAllowedMs,
  QUESTIONS,
  question,
  REQUIREMENTS,
  requirementsOf,
  type OpenQuestion,
} from '../../src/spec/index.js';

const changes = AMENDMENTS.runpod.flatMap((amendment) => amendment.changes);
const questions: readonly OpenQuestion[] = QUESTIONS;

describe('edition document', () => {
  it('is the document as written', () => {
    expect(AMENDMENTS.document).toEqual([]);
    expect(requirementsOf('document')).toEqual(REQUIREMENTS);
    expect(dialectOf('document')).toEqual(defaultDialect());
    expect(latenessAllowedMs('document', 'executionTimeout')).toBe(0);
  });
});

describe('edition runpod', () => {
  it('gives each amendment a unique name, changes and evidence', () => {
    const ids = AMENDMENTS.runpod.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, changes: list, evidence } of AMENDMENTS.runpod) {
      expect(list.length, id).toBeGreaterThan(0);
      expect(evidence.length, id).toBeGreaterThan(0);
    }
  });

  it('changes only what exists, and no question twice', () => {
    const fixed: string[] = [];
    for (const change of changes) {
      if ('requirement' in change) expect(isRequirementId(change.requirement), change.requirement).toBe(true);
      if (change.kind !== 'fix') continue;
      expect(isQuestionId(change.question), change.question).toBe(true);
      expect(question(change.question).readings.map(({ id }) => id)).toContain(change.reading);
      fixed.push(change.question);
    }
    expect(new Set(fixed).size).toBe(fixed.length);
  });

  it('uses every reading that is legal only in it', () => {
    const dialect: { readonly [id: string]: string } = dialectOf('runpod');
    for (const { id, readings } of questions) {
      const own = readings.filter(({ onlyIn }) => onlyIn?.includes('runpod'));
      if (own.length > 0)
        expect(
          own.map((reading) => reading.id),
          id,
        ).toContain(dialect[id]);
    }
  });

  it('drops and rewords requirements, and changes levels', () => {
    const amended = new Map(requirementsOf('runpod').map((one) => [one.id, one]));
    expect(amended.has('2.2/ttl-max-enforced')).toBe(false);
    expect(amended.get('5/bearer-accepted')?.level).toBe('must');
    expect(amended.get('4.4/answer-is-array')?.text).toContain('`stream`');
    expect(latenessAllowedMs('runpod', 'executionTimeout')).toBe(12_000);
  });
});
