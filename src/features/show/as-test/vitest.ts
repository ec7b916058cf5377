/** A test for vitest, with `fetch` alone. */
import type { KeyForm, TestCall, Text } from './plan.js';
import { nameOf, namesIn, valueIn, type Literals, type Tongue } from './tongue.js';
import type { Must, Subject } from './expectation.js';

export const VITEST: Tongue & Literals = {
  words: { true: 'true', false: 'false', null: 'null' },
  text,
  member: (name) => (name === '__proto__' ? `['${name}']` : quoted(name)),
  head: (plan, about, has) => [
    ...about.notes.map((note) => `// ${note}`),
    ...(has.hooks ? ["import { createServer } from 'node:http';"] : []),
    ...(has.later || (has.time && !plan.isControlled)
      ? ["import { setTimeout as pause } from 'node:timers/promises';"]
      : []),
    `import { expect, ${plan.isControlled ? 'onTestFinished, ' : ''}test } from 'vitest';`,
    '',
    `const { RUNPROOF_URL: url = ${text([about.url])}, RUNPROOF_API_KEY: key = ${text([about.key])} } = process.env;`,
    ...(plan.isControlled
      ? [`const { RUNPROOF_CONTROL_URL: control = ${text(about.control)} } = process.env;`]
      : []),
    `const api = \`\${url}/v2/${plan.endpoint}\`;`,
    ...(plan.hasSecond ? ['const second = `${api}-second`;'] : []),
    '',
    'async function call(method: string, address: string, body?: string, headers?: Record<string, string>) {',
    "  headers ??= { authorization: key, ...(body !== undefined && { 'content-type': 'application/json' }) };",
    '  const reply = await fetch(address, { method, headers, body: body && Buffer.from(body) });',
    '  const text = await reply.text();',
    '  let json: any = text;',
    '  try { json = JSON.parse(text); } catch {}',
    ...(has.answer
      ? [
          "  const refusal = [400, 401, 404, 429, 500].includes(reply.status) ? `${reply.status}` : `${reply.status}`[0] + 'xx';",
          "  return { json, id: json?.id, answer: reply.status >= 300 ? refusal : typeof json?.status === 'string' ? json.status : 'ok' };",
        ]
      : [
          `  return { json, id: json?.id${has.code ? ', code: reply.status' : ''}${has.type ? ", type: (reply.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase()" : ''} };`,
        ]),
    '}',
    ...(has.time ? (plan.isControlled ? AT_CONTROLLED : AT_REAL) : []),
    ...(has.later && plan.isControlled ? arrived(plan.endpoint) : []),
    ...(has.hooks ? receiver(plan.hooks) : []),
    '',
    `test(${text([about.sentence])}, { timeout: ${plan.timeoutMs.toLocaleString('en').replaceAll(',', '_')} }, async () => {`,
    ...(plan.isControlled
      ? namesIn(plan).flatMap((name) => [
          `  await call('PUT', \`\${control}/endpoints/${name}\`, '{"workers":${plan.workers}}');`,
          `  onTestFinished(async () => { await call('DELETE', \`\${control}/endpoints/${name}\`); });`,
        ])
      : []),
  ],
  step: (step, plan) => {
    switch (step.do) {
      case 'at':
        return [`  await at(${step.ms});`];
      case 'workers':
        return [
          `  await call('PATCH', \`\${control}/endpoints/${plan.endpoint}\`, '{"workers":${step.count}}');`,
        ];
      case 'call': {
        const { isLater, received, nth } = step.call;
        if (!isLater) return [`  const ${nameOf(nth)} = await ${callText(step.call)};`];
        return [
          `  const later${nth + 1} = ${callText(step.call)};`,
          `  later${nth + 1}.catch(() => {});`,
          plan.isControlled ? `  await arrived(${received});` : '  await pause(100);',
        ];
      }
      case 'answer':
        return [`  const ${nameOf(step.nth)} = await later${step.nth + 1};`];
    }
  },
  check: ({ check: { subject, must } }) => checkOf(subject, must),
  foot: ['});'],
};

const AT_CONTROLLED = [
  'let now = 0;',
  'async function at(ms: number) {',
  '  await call(\'POST\', `${control}/clock/advance`, `{"byMs":${ms - now}}`);',
  '  now = ms;',
  '}',
];
const AT_REAL = [
  'const began = performance.now();',
  'const at = (ms: number) => pause(began + ms - performance.now());',
];
const arrived = (endpoint: string): readonly string[] => [
  'async function arrived(calls: number) {',
  `  while ((await call('GET', \`\${control}/endpoints/${endpoint}\`)).json.received < calls) await pause(5);`,
  '}',
];

const receiver = (hooks: ReadonlyMap<string, readonly (number | null)[]>): readonly string[] => [
  'const hooks: { at: string; method?: string; type: string; json: any }[] = [];',
  `const answers: Record<string, (number | null)[]> = ${JSON.stringify(Object.fromEntries([...hooks].map(([at, codes]) => [at, codes])))};`,
  'const receiver = createServer(async (request, response) => {',
  '  const at = request.url!.slice(1);',
  '  const text = Buffer.concat(await request.toArray()).toString();',
  "  const { method, headers: { 'content-type': type = '' } } = request;",
  '  let json: any = text;',
  '  try { json = JSON.parse(text); } catch {}',
  "  hooks.push({ at, method, type: type.split(';')[0].trim().toLowerCase(), json });",
  '  const code = (answers[at.split(/[/?]/)[0]] ?? []).slice(0, hooks.filter((one) => one.at === at).length).at(-1) ?? null;',
  '  if (code === null) request.socket.destroy();',
  '  else response.writeHead(code).end();',
  '});',
  "await new Promise((done) => receiver.listen(0, '127.0.0.1', () => done(null)));",
  'const hook = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`;',
];

function text(pieces: Text): string {
  if (pieces.every((piece) => typeof piece === 'string')) return quoted(pieces.join(''));
  if (pieces.length === 1) return expression(pieces[0]!);
  const parts = pieces.map((piece) =>
    typeof piece === 'string' ? escaped(piece, '`').replaceAll('${', '\\${') : `\${${expression(piece)}}`,
  );
  return `\`${parts.join('')}\``;
}

function expression(piece: Text[number]): string {
  if (typeof piece === 'string') return quoted(piece);
  if ('repeat' in piece) return `${quoted(piece.repeat)}.repeat(${piece.times})`;
  if ('inTurn' in piece) return `[${piece.inTurn.map(nameOf).join(', ')}][i % ${piece.inTurn.length}]!.id`;
  if ('idOf' in piece)
    return `${nameOf(piece.idOf)}${piece.among === undefined ? '' : `[${piece.among}]!`}.id`;
  return 'at' in piece ? piece.at : KEYS[piece.key];
}

const KEYS: { readonly [form in KeyForm]: string } = {
  own: 'key',
  'without-last': 'key.slice(0, -1)',
  'without-first': 'key.slice(1)',
  'other-case': "key.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()))",
  unpermitted: 'process.env.RUNPROOF_UNPERMITTED_API_KEY!',
  'other-user': 'process.env.RUNPROOF_OTHER_API_KEY!',
};

/** In quotes of this kind. */
const escaped = (plain: string, quote: string): string =>
  JSON.stringify(plain).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`);
const quoted = (plain: string): string => `'${escaped(plain, "'")}'`;

function callText(call: TestCall): string {
  const words = [quoted(call.method), text(call.address)];
  if (call.body !== null) words.push(text(call.body));
  if (call.headers !== null) {
    const headers = call.headers.map(([name, value]) => `${quoted(name)}: ${text(value)}`);
    words.push(...(call.body === null ? ['undefined'] : []), `{ ${headers.join(', ')} }`);
  }
  const one = `call(${words.join(', ')})`;
  return call.count === 1 ? one : `Promise.all(Array.from({ length: ${call.count} }, (_, i) => ${one}))`;
}

function checkOf(subject: Subject, must: Must): readonly string[] {
  if (subject.of === 'answered') {
    const isDue = must.is === 'among' && 'json' in must.values[0]! && must.values[0].json === true;
    const later = `later${subject.nth + 1}`;
    return [
      `  expect(await Promise.race([${later}.then(() => 'answered'), pause(500, 'waiting')])).toBe('${isDue ? 'answered' : 'waiting'}');`,
    ];
  }
  const of = subjectOf(subject);
  const values = 'values' in must ? must.values.map((value) => valueIn(value, VITEST)) : [];
  switch (must.is) {
    case 'among':
      return [
        values.length === 1
          ? `  expect(${of}).toEqual(${values[0]});`
          : `  expect([${values.join(', ')}]).toContainEqual(${of});`,
      ];
    case 'none-of':
      return [
        values.length === 1
          ? `  expect(${of}).not.toEqual(${values[0]});`
          : `  expect([${values.join(', ')}]).not.toContainEqual(${of});`,
      ];
    case 'between':
      if (must.least === must.most && must.least !== null) return [`  expect(${of}).toBe(${must.least});`];
      return [
        ...(must.least === null ? [] : [`  expect(${of}).toBeGreaterThanOrEqual(${must.least});`]),
        ...(must.most === null ? [] : [`  expect(${of}).toBeLessThanOrEqual(${must.most});`]),
      ];
    case 'absent':
      return [`  expect(${of}).toBeUndefined();`];
    case 'of-type':
      return must.type === 'integer'
        ? [`  expect(Number.isInteger(${of})).toBe(true);`]
        : [
            `  expect(Object.prototype.toString.call(${of})).toBe('[object ${must.type[0]!.toUpperCase()}${must.type.slice(1)}]');`,
          ];
  }
}

function subjectOf(subject: Subject): string {
  if (subject.of === 'count') return `hooks.filter((one) => one.at === ${quoted(subject.hook)}).length`;
  if (subject.of === 'tally')
    return `${nameOf(subject.nth)}.filter((one) => one.answer === ${quoted(subject.answer)}).length`;
  const from =
    subject.hook === undefined
      ? nameOf(subject.nth)
      : `hooks.filter((one) => one.at === ${quoted(subject.hook)})[${subject.nth}]`;
  if (typeof subject.of !== 'object') return `${from}.${subject.of}`;
  return `${from}.json${subject.of.member.map((name) => (typeof name === 'string' && /^[a-z_$]\w*$/iu.test(name) ? `?.${name}` : `?.[${typeof name === 'number' ? name : quoted(name)}]`)).join('')}`;
}
