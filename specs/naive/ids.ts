/** Gives job ids in the shape an implementer might choose. */
import { createHash, randomUUID } from 'node:crypto';
import type { Choices } from './choices.js';
import type { FaultId } from './faults.js';
import type { JsonObject } from './json.js';

export interface Ids {
  next(kind: 'run' | 'runsync', input: JsonObject): string;
  /** Whether this server could have given the id. */
  wellFormed(id: string): boolean;
  /** Tells that no job has the id any more. */
  free(id: string): void;
}

const SHAPES: Readonly<Record<Choices['idShape'], RegExp>> = {
  uuid: /^[0-9a-f-]{36}$/,
  short: /^j[0-9a-z]+$/,
  number: /^\d+$/,
  prefixed: /^(sync-)?[0-9a-f-]{36}-u1$/,
  long: /^[0-9a-f]{180}$/,
  base64: /^[A-Za-z0-9+/]+=*$/,
  reserved: /^job:\d+ \+a=b&c\/\?#%\.é$/,
  dotted: /^job\.[0-9]+_v2~[0-9a-z]+$/,
};

export function idGiver(choices: Choices, fault: FaultId | null): Ids {
  let count = 1000;
  const freed: string[] = [];
  return {
    next(kind, input) {
      count += 1;
      if (fault === 'id-by-input') return createHash('sha256').update(JSON.stringify(input)).digest('hex');
      if (fault === 'id-reused') return freed.pop() ?? randomUUID();
      switch (choices.idShape) {
        case 'uuid':
          return randomUUID();
        case 'short':
          return `j${count.toString(36)}`;
        case 'number':
          return String(count);
        case 'prefixed':
          return `${kind === 'runsync' ? 'sync-' : ''}${randomUUID()}-u1`;
        case 'long':
          return `${randomUUID()}${randomUUID()}`.replaceAll('-', '').repeat(3).slice(0, 180);
        case 'base64':
          return Buffer.from(`job ${count} ÿ~`).toString('base64');
        case 'reserved':
          return `job:${count} +a=b&c/?#%.é`;
        case 'dotted':
          return `job.${count}_v2~${count.toString(36)}`;
      }
    },
    wellFormed: (id) => SHAPES[choices.idShape].test(id),
    free: (id) => void freed.push(id),
  };
}
