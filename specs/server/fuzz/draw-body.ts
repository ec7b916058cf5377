/** Bodies that are wrong in one way or another, some of them only a little. */
import type { RandomStream } from '../../../src/time/random.js';

type Draw = (random: RandomStream) => string | Buffer;

const VALUES = [
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740993',
  '1'.repeat(400),
  '0.1',
  '5000.5',
  '"5000"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202e\\ufeff"',
  '[]',
  '[[]]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"toJSON":3,"then":4}',
  '"http://[::"',
  '"ftp://x/"',
  '"javascript:alert(1)"',
  '"//x"',
  '"<script>alert(1)</script>"',
  '{"ttl":1e999}',
  '{"ttl":-1,"executionTimeout":"x"}',
  '{"ttl":10000.00001}',
  '{"lowPriority":"yes"}',
  '{"accessId":[]}',
];

const FIELDS = [
  'input',
  'webhook',
  'policy',
  's3Config',
  '__proto__',
  'constructor',
  'ınput',
  'INPUT',
  '',
  '\\u0069nput',
];

const nested = (random: RandomStream): string => {
  const levels = random.pick([10, 1_000, 1_990, 2_100, 20_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"":', '}]'],
  ] as const);
  return `${open.repeat(levels)}${random.chance(500) ? `0${close.repeat(levels)}` : ''}`;
};

const object = (random: RandomStream): string => {
  const members = Array.from({ length: random.intBetween(0, 6) }, () => {
    const value = random.chance(50) ? nested(random) : random.pick(VALUES);
    return `"${random.pick(FIELDS)}":${value}`;
  });
  return `{${members.join(',')}}`;
};

const GOOD = '{"input":{"plan":[{"return":1}]}}';

const BODIES: readonly Draw[] = [
  object,
  object,
  object,
  (random) => `{"input":${random.pick(VALUES)},"policy":${random.pick(VALUES)}}`,
  (random) => `{"input":{},"webhook":${random.pick(VALUES)}}`,
  (random) => `{"input":{"plan":${random.pick(VALUES)}}}`,
  (random) => `{"input":{"plan":[{"return":${random.pick(VALUES)}},{"stream":${random.pick(VALUES)}}]}}`,
  (random) => `{"input":${nested(random)}}`,
  nested,
  (random) => random.pick(VALUES),
  () => '',
  () => `\ufeff${GOOD}`,
  () => `${GOOD}\0`,
  () => `{"input":{},"input":[]}`,
  () => `{"input":{"a":1,"a":2}}${' '.repeat(2_000)}x`,
  (random) => GOOD.slice(0, random.intBetween(1, GOOD.length - 1)),
  () => Buffer.from(GOOD, 'utf16le'),
  () => Buffer.from([0xc0, 0xaf, 0xe0, 0x80, 0xaf]),
  () => Buffer.from([...Buffer.from('{"input":{"a":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}}')]),
  () => Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  (random) => noise(random, random.intBetween(1, 400)),
];

export function drawBody(random: RandomStream): Buffer {
  const body = random.pick(BODIES)(random);
  return typeof body === 'string' ? Buffer.from(body) : body;
}

export function noise(random: RandomStream, bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, () => random.intBetween(0, 255)));
}
