/** A test for `go test`, with the standard library alone. */
import type { Json } from '../../../history/events.js';
import { wholeText } from '../../../history/long-text.js';
import type { Must, Subject, Value } from './expectation.js';
import { withoutRuns, type KeyForm, type TestCall, type TestPlan, type Text } from './plan.js';
import { nameOf, namesIn, type Has, type Tongue } from './tongue.js';

export const GO: Tongue = {
  refuses: ({ hooks, steps }) => {
    if (hooks.size > 0) return 'it needs a receiver of webhooks';
    return steps.some((step) => step.do === 'call' && step.call.count > 1)
      ? 'it makes many calls at once'
      : null;
  },
  head: (plan, about, has) => [
    ...about.notes.map((note) => `// ${note}`),
    'package failure_test',
    '',
    `import ("${importsOf(plan, has).join('"; "')}")`,
    '',
    'func env(name, otherwise string) string { if set := os.Getenv(name); set != "" { return set }; return otherwise }',
    `var url, key = env("RUNPROOF_URL", ${quoted(about.url)}), env("RUNPROOF_API_KEY", ${quoted(about.key)})`,
    ...(plan.isControlled ? [`var control = env("RUNPROOF_CONTROL_URL", ${textOf(about.control)})`] : []),
    `var api = url + "/v2/${plan.endpoint}"`,
    ...(plan.hasSecond ? ['var second = api + "-second"'] : []),
    '',
    'type reply struct { json any; id, answer, kind string; code int }',
    'func call(method, address, body string, headers ...string) reply {',
    '\trequest, _ := http.NewRequest(method, address, strings.NewReader(body))',
    '\tif headers == nil { headers = []string{"authorization", key}; if body != "" { headers = append(headers, "content-type", "application/json") } }',
    '\tfor i := 0; i+1 < len(headers); i += 2 { request.Header.Set(headers[i], headers[i+1]) }',
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil { return reply{answer: err.Error()} }',
    '\tdefer response.Body.Close()',
    '\ttext, _ := io.ReadAll(response.Body)',
    '\tr := reply{json: parsed(string(text)), code: response.StatusCode, answer: "ok"}',
    '\tr.kind = strings.ToLower(strings.TrimSpace(strings.Split(response.Header.Get("content-type"), ";")[0]))',
    '\tif record, ok := r.json.(map[string]any); ok { r.id, _ = record["id"].(string); if status, ok := record["status"].(string); ok { r.answer = status } }',
    ...(has.answer
      ? [
          '\tif r.code >= 300 { r.answer = fmt.Sprintf("%dxx", r.code/100); for _, known := range []int{400, 401, 404, 429, 500} { if r.code == known { r.answer = fmt.Sprint(known) } } }',
        ]
      : []),
    '\treturn r',
    '}',
    'func parsed(text string) (value any) { if json.Unmarshal([]byte(text), &value) != nil { return text }; return value }',
    ...(has.member ? MEMBER : []),
    ...(has.time
      ? plan.isControlled
        ? [
            'var now int',
            'func at(ms int) { call("POST", control+"/clock/advance", fmt.Sprintf(`{"byMs":%d}`, ms-now)); now = ms }',
          ]
        : [
            'var began = time.Now()',
            'func at(ms int) { time.Sleep(time.Until(began.Add(time.Duration(ms) * time.Millisecond))) }',
          ]
      : []),
    ...(has.later && plan.isControlled
      ? [
          `func arrived(calls float64) { for call("GET", control+"/endpoints/${plan.endpoint}", "").json.(map[string]any)["received"].(float64) < calls { time.Sleep(5 * time.Millisecond) } }`,
        ]
      : []),
    '',
    `func TestDocument(t *testing.T) { t.Run(${quoted(about.sentence)}, func(t *testing.T) {`,
    ...(plan.isControlled
      ? namesIn(plan).flatMap((name) => [
          `\tcall("PUT", control+"/endpoints/${name}", \`{"workers":${plan.workers}}\`)`,
          `\tt.Cleanup(func() { call("DELETE", control+"/endpoints/${name}", "") })`,
        ])
      : []),
  ],
  step: (step, plan) => {
    switch (step.do) {
      case 'at':
        return [`\tat(${step.ms})`];
      case 'workers':
        return [`\tcall("PATCH", control+"/endpoints/${plan.endpoint}", \`{"workers":${step.count}}\`)`];
      case 'answer':
        return [`\t${nameOf(step.nth)} := <-later${step.nth + 1}`, `\t_ = ${nameOf(step.nth)}`];
      case 'call': {
        const { isLater, nth, received } = step.call;
        if (!isLater) {
          const isUsed = isNamed(nth, plan);
          return [`\t${isUsed ? `${nameOf(nth)} := ` : ''}call(${callText(step.call)})`];
        }
        const later = `later${nth + 1}`;
        return [
          `\t${later} := make(chan reply, 1)`,
          `\tgo func() { ${later} <- call(${callText(step.call)}) }()`,
          plan.isControlled ? `\tarrived(${received})` : '\ttime.Sleep(100 * time.Millisecond)',
        ];
      }
    }
  },
  check: ({ check: { subject, must } }) => checkOf(subject, must),
  foot: ['}) }'],
};

function importsOf(plan: TestPlan, has: Has): readonly string[] {
  const isReflected = has.member || plan.check.subject.of === 'code';
  return [
    ...['encoding/json', 'io', 'net/http', 'os', 'strings', 'testing'],
    ...(isReflected && 'values' in plan.check.must ? ['reflect'] : []),
    ...(has.answer || has.time ? ['fmt'] : []),
    ...(has.later || (has.time && !plan.isControlled) ? ['time'] : []),
  ].toSorted();
}

/** Go refuses names that are not used. */
function isNamed(nth: number, { steps, check }: TestPlan): boolean {
  const uses = (pieces: Text | null): boolean =>
    pieces?.some((piece) => typeof piece === 'object' && 'idOf' in piece && piece.idOf === nth) === true;
  const inCheck =
    'values' in check.must && check.must.values.some((value) => 'idOf' in value && value.idOf === nth);
  return (
    inCheck ||
    ('nth' in check.subject && check.subject.nth === nth) ||
    steps.some((step) => step.do === 'call' && (uses(step.call.address) || uses(step.call.body)))
  );
}

const MEMBER = [
  'func member(value any, way ...any) any {',
  '\tfor _, name := range way {',
  '\t\tswitch at := value.(type) { case map[string]any: value = at[name.(string)]; case []any: if i := name.(int); i < len(at) { value = at[i] } else { value = nil }; default: value = nil }',
  '\t}',
  '\treturn value',
  '}',
];

/** Text in backquotes where that is easier to read. Go allows no byte order mark in a source. */
const quoted = (plain: string): string =>
  plain.includes('"') && !/[`\ufeff\p{Cc}]/u.test(plain)
    ? `\`${plain}\``
    : `"${JSON.stringify(plain)
        .slice(1, -1)
        .replaceAll('\ufeff', String.raw`\ufeff`)}"`;

const textOf = (pieces: Text): string => (pieces.length === 0 ? '""' : pieces.map(expression).join('+'));

function expression(piece: Text[number]): string {
  if (typeof piece === 'string') return quoted(piece);
  if ('repeat' in piece) return `strings.Repeat(${quoted(piece.repeat)}, ${piece.times})`;
  if ('inTurn' in piece) throw new Error('many calls at once are refused');
  if ('idOf' in piece) return `${nameOf(piece.idOf)}.id`;
  return 'at' in piece ? piece.at : KEYS[piece.key];
}

const KEYS: { readonly [form in KeyForm]: string } = {
  own: 'key',
  'without-last': 'key[:len(key)-1]',
  'without-first': 'key[1:]',
  'other-case':
    'strings.Map(func(r rune) rune { if r >= 97 && r <= 122 { return r - 32 }; if r >= 65 && r <= 90 { return r + 32 }; return r }, key)',
  unpermitted: 'os.Getenv("RUNPROOF_UNPERMITTED_API_KEY")',
  'other-user': 'os.Getenv("RUNPROOF_OTHER_API_KEY")',
};

function callText({ method, address, body, headers }: TestCall): string {
  const words = [quoted(method), textOf(address), body === null ? '""' : textOf(body)];
  if (headers?.length === 0) words.push('"x-none", ""');
  for (const [name, value] of headers ?? []) words.push(quoted(name), textOf(value));
  return words.join(', ');
}

const TYPES = {
  string: 'string',
  number: 'float64',
  integer: 'float64',
  boolean: 'bool',
  array: '[]any',
  object: 'map[string]any',
  null: 'any',
} as const;

function checkOf(subject: Subject, must: Must): readonly string[] {
  const fails = (what: string, of: string): readonly string[] => [
    `\tif ${what} { t.Fatalf("seen: %v", ${of}) }`,
  ];
  if (subject.of === 'answered') {
    const isDue = must.is === 'among' && 'json' in must.values[0]! && must.values[0].json === true;
    const wrong = `t.Fatal("${isDue ? 'waiting' : 'answered'}")`;
    return [
      `\tselect { case <-later${subject.nth + 1}: ${isDue ? '' : wrong}`,
      `\tcase <-time.After(500 * time.Millisecond): ${isDue ? wrong : ''} }`,
    ];
  }
  if (subject.of === 'count' || subject.of === 'tally') return [];
  const from = nameOf(subject.nth);
  const of =
    typeof subject.of === 'object'
      ? `member(${[`${from}.json`, ...subject.of.member.map((name) => (typeof name === 'number' ? name : quoted(name)))].join(', ')})`
      : subject.of === 'type'
        ? `${from}.kind`
        : subject.of === 'code'
          ? `float64(${from}.code)`
          : `${from}.answer`;
  switch (must.is) {
    case 'among':
    case 'none-of': {
      const isText = subject.of === 'answer' || subject.of === 'type';
      const isOther = must.values.map((value) =>
        isText && 'json' in value
          ? `${of} != ${quoted(`${value.json as string}`)}`
          : `!reflect.DeepEqual(any(${of}), ${valueOf(value)})`,
      );
      const all = isOther.join(' && ');
      return fails(must.is === 'among' ? all : `!(${all})`, of);
    }
    case 'between': {
      const wrong = [
        ...(must.least === null ? [] : [`number < ${must.least}`]),
        ...(must.most === null ? [] : [`number > ${must.most}`]),
      ];
      return fails(`number, ok := ${of}.(float64); ${['!ok', ...wrong].join(' || ')}`, of);
    }
    case 'absent':
      return fails(`${of} != nil`, of);
    case 'of-type':
      return must.type === 'integer'
        ? fails(`number, ok := ${of}.(float64); !ok || number != float64(int64(number))`, of)
        : fails(`_, ok := ${of}.(${TYPES[must.type]}); !ok`, of);
  }
}

const valueOf = (value: Value): string =>
  'idOf' in value ? `any(${nameOf(value.idOf)}.id)` : `parsed(${jsonText(value.json)})`;

/** The JSON text as an expression, in which runs of a character are told by their number. */
const jsonText = (value: Json): string =>
  textOf(
    withoutRuns(
      JSON.stringify(value, (_, one: Json) => (typeof one === 'string' ? (wholeText(one) ?? one) : one)),
    ),
  );
