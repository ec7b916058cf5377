/** A test for pytest, with the standard library alone. */
import type { Must, Subject } from './expectation.js';
import type { KeyForm, TestCall, TestPlan, Text } from './plan.js';
import { nameOf, namesIn, valueIn, type Has, type Literals, type Tongue } from './tongue.js';

export const PYTEST: Tongue & Literals = {
  words: { true: 'True', false: 'False', null: 'None' },
  text,
  member: (name) => quoted(name),
  head: (plan, about, has) => [
    ...about.notes.map((note) => `# ${note}`),
    `import ${modulesOf(plan, has).join(', ')}`,
    '',
    `url, key = os.environ.get('RUNPROOF_URL', ${text([about.url])}), os.environ.get('RUNPROOF_API_KEY', ${text([about.key])})`,
    ...(plan.isControlled
      ? [`control = os.environ.get('RUNPROOF_CONTROL_URL', ${text(about.control)})`]
      : []),
    `api = url + '/v2/${plan.endpoint}'`,
    ...(plan.hasSecond ? ["second = api + '-second'"] : []),
    '',
    'def call(method, address, body=None, headers=None):',
    '    at = urllib.parse.urlsplit(address)',
    "    connect = http.client.HTTPSConnection if at.scheme == 'https' else http.client.HTTPConnection",
    '    connection = connect(at.netloc, timeout=600)',
    "    if headers is None: headers = {'authorization': key, **({} if body is None else {'content-type': 'application/json'})}",
    "    connection.request(method, address.removeprefix(f'{at.scheme}://{at.netloc}'), body and body.encode(), headers)",
    '    reply = connection.getresponse()',
    '    answer = parsed(reply)',
    '    record = answer if isinstance(answer, dict) else {}',
    ...(has.answer
      ? [
          "    word = record.get('status') if isinstance(record.get('status'), str) else 'ok'",
          "    refusal = str(reply.status) if reply.status in (400, 401, 404, 429, 500) else f'{reply.status // 100}xx'",
        ]
      : []),
    `    return types.SimpleNamespace(json=answer, id=record.get('id')${has.answer ? ', answer=word if reply.status < 300 else refusal' : ''}${has.code ? ', code=reply.status' : ''}${has.type ? ", type=reply.headers.get_content_type() if 'content-type' in reply.headers else ''" : ''})`,
    'def parsed(message):',
    '    text = message.read().decode()',
    '    try: return json.loads(text)',
    '    except ValueError: return text',
    ...(has.time ? (plan.isControlled ? AT_CONTROLLED : AT_REAL) : []),
    ...(has.later ? LATER : []),
    ...(has.later && plan.isControlled
      ? [
          'def arrived(calls):',
          `    while call('GET', control + '/endpoints/${plan.endpoint}').json['received'] < calls: time.sleep(0.005)`,
        ]
      : []),
    ...(has.member ? MEMBER : []),
    ...(has.hooks ? receiver(plan.hooks) : []),
    '',
    `def test_${slug(about.sentence)}():`,
    ...(has.time && !plan.isControlled ? ['    began.append(time.monotonic())'] : []),
    ...(plan.isControlled
      ? namesIn(plan).flatMap((name) => [
          `    call('PUT', control + '/endpoints/${name}', '{"workers":${plan.workers}}')`,
          `    atexit.register(call, 'DELETE', control + '/endpoints/${name}')`,
        ])
      : []),
  ],
  step: (step, plan) => {
    switch (step.do) {
      case 'at':
        return [`    at(${step.ms})`];
      case 'workers':
        return [`    call('PATCH', control + '/endpoints/${plan.endpoint}', '{"workers":${step.count}}')`];
      case 'call': {
        const { isLater, received, nth, count } = step.call;
        const words = callText(step.call);
        if (!isLater) return [`    ${nameOf(nth)} = ${many(`call(${words})`, count)}`];
        return [
          `    later${nth + 1} = later(${words})`,
          plan.isControlled ? `    arrived(${received})` : '    time.sleep(0.1)',
        ];
      }
      case 'answer':
        return [`    ${nameOf(step.nth)} = later${step.nth + 1}.result()`];
    }
  },
  check: ({ check: { subject, must } }) => checkOf(subject, must),
  foot: [],
};

function modulesOf(plan: TestPlan, has: Has): readonly string[] {
  return [
    ...(plan.isControlled ? ['atexit'] : []),
    ...(has.later ? ['concurrent.futures'] : []),
    'http.client',
    ...(has.hooks ? ['http.server'] : []),
    ...['json', 'os'],
    ...(has.later || has.hooks ? ['threading'] : []),
    ...(has.later || (has.time && !plan.isControlled) ? ['time'] : []),
    ...['types', 'urllib.parse'],
  ];
}

const AT_CONTROLLED = [
  'def at(ms, now=[0]):',
  "    call('POST', control + '/clock/advance', json.dumps({'byMs': ms - now[0]}))",
  '    now[0] = ms',
];
const AT_REAL = [
  'began = []',
  'def at(ms):',
  '    time.sleep(max(0, began[0] + ms / 1000 - time.monotonic()))',
];
const LATER = [
  'def later(*words):',
  '    future = concurrent.futures.Future()',
  '    threading.Thread(target=lambda: future.set_result(call(*words)), daemon=True).start()',
  '    return future',
];
const MEMBER = [
  'def member(value, *way):',
  '    for name in way:',
  '        try: value = value[name]',
  '        except (KeyError, IndexError, TypeError): return ...',
  '    return value',
];

function receiver(hooks: ReadonlyMap<string, readonly (number | null)[]>): readonly string[] {
  const answers = [...hooks].map(
    ([at, codes]) => `${quoted(at)}: [${codes.map((code) => code ?? 'None').join(', ')}]`,
  );
  return [
    `hooks, answers = [], {${answers.join(', ')}}`,
    'class Receiver(http.server.BaseHTTPRequestHandler):',
    '    def do_POST(self):',
    '        at = self.path[1:]',
    "        self.read = lambda: self.rfile.read(int(self.headers.get('content-length', 0)))",
    '        hooks.append(types.SimpleNamespace(at=at, path=self.path, method=self.command, type=self.headers.get_content_type(), json=parsed(self)))',
    '        nth = sum(1 for one in hooks if one.at == at)',
    '        code = (answers.get(at.split("?")[0].split("/")[0]) or [None])[:nth][-1]',
    '        if code is not None:',
    '            self.send_response(code)',
    "            self.send_header('content-length', '0')",
    '            self.end_headers()',
    '    do_GET = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_POST',
    '    log_message = lambda *_: None',
    "receiver = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Receiver)",
    'threading.Thread(target=receiver.serve_forever, daemon=True).start()',
    "hook = f'http://127.0.0.1:{receiver.server_port}'",
  ];
}

/** A name of a function, as much of the sentence as fits. */
const slug = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .slice(0, 90)
    .replaceAll(/^_|_$/gu, '');

const many = (one: string, count: number): string =>
  count === 1 ? one : `[${one} for i in range(${count})]`;

function text(pieces: Text): string {
  return pieces.length === 0 ? "''" : pieces.map(expression).join(' + ');
}

function expression(piece: Text[number]): string {
  if (typeof piece === 'string') return quoted(piece);
  if ('repeat' in piece) return `${quoted(piece.repeat)} * ${piece.times}`;
  if ('inTurn' in piece) return `[${piece.inTurn.map(nameOf).join(', ')}][i % ${piece.inTurn.length}].id`;
  if ('idOf' in piece)
    return `str(${nameOf(piece.idOf)}${piece.among === undefined ? '' : `[${piece.among}]`}.id)`;
  return 'at' in piece ? piece.at : KEYS[piece.key];
}

const KEYS: { readonly [form in KeyForm]: string } = {
  own: 'key',
  'without-last': 'key[:-1]',
  'without-first': 'key[1:]',
  'other-case': 'key.swapcase()',
  unpermitted: "os.environ['RUNPROOF_UNPERMITTED_API_KEY']",
  'other-user': "os.environ['RUNPROOF_OTHER_API_KEY']",
};

/** JSON escapes are Python's, but for characters beyond the basic plane, which stand there as they are. */
const quoted = (plain: string): string =>
  `'${JSON.stringify(plain).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function callText(call: TestCall): string {
  const words = [quoted(call.method), text(call.address)];
  if (call.body !== null) words.push(text(call.body));
  if (call.headers !== null) {
    const headers = call.headers.map(([name, value]) => `${quoted(name)}: ${text(value)}`);
    words.push(...(call.body === null ? ['None'] : []), `{${headers.join(', ')}}`);
  }
  return words.join(', ');
}

const TYPES = {
  string: 'str',
  number: '(int, float)',
  integer: 'int',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
  null: 'type(None)',
} as const;

function checkOf(subject: Subject, must: Must): readonly string[] {
  if (subject.of === 'answered') {
    const isDue = must.is === 'among' && 'json' in must.values[0]! && must.values[0].json === true;
    return ['    time.sleep(0.5)', `    assert ${isDue ? '' : 'not '}later${subject.nth + 1}.done()`];
  }
  const of = subjectOf(subject);
  const values = 'values' in must ? must.values.map((value) => valueIn(value, PYTEST)) : [];
  switch (must.is) {
    case 'among':
      // Of long texts pytest would look for the difference for minutes.
      if (values.length === 1 && values[0]!.includes(' * '))
        return [`    assert (${of} == ${values[0]}) is True`];
      return [`    assert ${of} ${values.length === 1 ? `== ${values[0]}` : `in [${values.join(', ')}]`}`];
    case 'none-of':
      return [
        `    assert ${of} ${values.length === 1 ? `!= ${values[0]}` : `not in [${values.join(', ')}]`}`,
      ];
    case 'between':
      if (must.least === must.most && must.least !== null) return [`    assert ${of} == ${must.least}`];
      return [
        `    assert ${must.least === null ? '' : `${must.least} <= `}${of}${must.most === null ? '' : ` <= ${must.most}`}`,
      ];
    case 'absent':
      return [`    assert ${of} is ...`];
    case 'of-type':
      return [`    assert isinstance(${of}, ${TYPES[must.type]})`];
  }
}

function subjectOf(subject: Subject): string {
  if (subject.of === 'count') return `len([one for one in hooks if one.at == ${quoted(subject.hook)}])`;
  if (subject.of === 'tally')
    return `len([one for one in ${nameOf(subject.nth)} if one.answer == ${quoted(subject.answer)}])`;
  const from =
    subject.hook === undefined
      ? nameOf(subject.nth)
      : `[one for one in hooks if one.at == ${quoted(subject.hook)}][${subject.nth}]`;
  if (typeof subject.of !== 'object') return `${from}.${subject.of}`;
  const way = subject.of.member.map((name) => (typeof name === 'number' ? name : quoted(name)));
  return `member(${[`${from}.json`, ...way].join(', ')})`;
}
