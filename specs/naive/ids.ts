/** Gives job ids in the shape an implementer might choose. */
import { randomUUID } from 'node:crypto';
import type { Choices } from './choices.js';

export interface Ids {
  next(kind: 'run' | 'runsync'): string;
  /** Whether this server could have given the id. */
  wellFormed(id: string): boolean;
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

export function idGiver(choices: Choices): Ids {
  let count = 1000;
  return {
    next(kind) {
      count += 1;
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
  };
}
