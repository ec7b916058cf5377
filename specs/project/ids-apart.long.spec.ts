import { describe, expect, it } from 'vitest';
import { idsTakenApart } from './ids-apart.js';

const PLANTED = 'src/oracle/planted.ts';
const text = `
import type { Requirement, RequirementId } from '../spec/index.js';
import type { Failure } from './ledger/findings.js';

export const allowed = (id: RequirementId, ids: ReadonlySet<string>, failure: Failure) =>
  id === '2.2/ttl-removes-running' || ids.has(failure.requirement) || [id].includes('4.6/keeps-input') || \`\${id}\`;

const taken = (some: string): boolean => some === '';
export const a = (id: RequirementId) => id.startsWith('2.2/');
export const b = (id: RequirementId | undefined) => id?.length;
export const c = (id: RequirementId) => /^2/.test(id);
export const d = (id: RequirementId) => id[0];
export const e = (id: RequirementId) => [...id];
export const f = (id: RequirementId) => taken(id);
export const g = (id: RequirementId) => id as string;
export const h = ({ id }: Requirement) => id.includes('ttl');
export const i = ({ requirement }: Failure) => requirement.split('/');
export function j(failure: Failure) {
  const broken = failure.requirement;
  const other: string = broken;
  return other;
}
export const k = (ids: readonly RequirementId[]) => ids.find((id) => id.endsWith('-run'));
`;

const found = idsTakenApart({ path: PLANTED, text });

describe('ids of requirements and questions', () => {
  it('are names: the oracle reads nothing out of their letters', () => {
    const elsewhere = found.filter(({ path }) => path !== PLANTED);
    const edit = 'add a field or a list of ids (idsFor), and read that';
    expect(
      elsewhere.map(({ message }) => message),
      edit,
    ).toEqual([]);
  });

  it('are seen to be taken apart', () => {
    expect(
      found.filter(({ path }) => path === PLANTED).map(({ message }) => message.replace(/.*?: /, '')),
    ).toEqual([
      'id.startsWith',
      'id?.length',
      '/^2/.test(id)',
      'id[0]',
      '...id',
      'taken(id)',
      'id as string',
      'id.includes',
      'requirement.split',
      'other: string = broken',
      'id.endsWith',
    ]);
  });
});
