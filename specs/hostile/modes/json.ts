/** JSON that is too deep, too large, or not what it seems. */
import { NO_SERVICE, type Mode } from '../mode.js';
import { body, deep, large, laterAnswers, MB, members, memberText, to } from './helpers.js';

const RECORDS = ['run', 'runsync', 'status'];
const string40 = large(() => 'x'.repeat(40 * MB));
const strings = large(() => `[${Array.from({ length: 3_000_000 }, (_, n) => `"s${n}"`).join(',')}]`);
const objects = large(() => `[${'{},'.repeat(5_000_000)}{}]`);
const manyKeys = large(() => `{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`);

export const JSONS: readonly Mode[] = [
  {
    name: 'deep-2200',
    what: 'nests the output 2,200 deep',
    answers: to(RECORDS, memberText(`"output":${deep(2_200)}`)),
  },
  {
    name: 'deep-objects',
    what: 'nests objects 4,000 deep',
    answers: to(RECORDS, memberText(`"output":${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}`)),
  },
  {
    name: 'deep-100000',
    what: 'nests the output 100,000 deep',
    answers: to(RECORDS, memberText(`"output":${deep(100_000)}`)),
    jobs: 'untold',
  },
  {
    name: 'deep-everywhere',
    what: 'answers everything with 5,000,000 brackets',
    answers: laterAnswers(body(large(() => '['.repeat(5_000_000)))),
    jobs: 'untold',
  },
  {
    name: 'deep-health',
    what: 'nests the health record 3,000 deep',
    answers: to(['health', 'purge-queue', 'cancel'], memberText(`"jobs":${deep(3_000)}`)),
  },
  {
    name: 'huge-numbers',
    what: 'writes numbers of 100,000 digits, 1e400, -0 and 5e-324',
    answers: to(
      RECORDS,
      memberText(
        `"delayTime":1e400,"executionTime":-1e400,"output":[${'9'.repeat(100_000)},-0,5e-324,1E+0308,0.1e-7]`,
      ),
    ),
  },
  {
    name: 'no-numbers',
    what: 'writes NaN, Infinity, 0x10 and 01',
    answers: to(RECORDS, memberText('"delayTime":NaN,"executionTime":Infinity,"x":0x10,"y":01')),
    jobs: 'untold',
  },
  {
    name: 'duplicate-members',
    what: 'names id and status twice',
    answers: to(RECORDS, memberText('"id":"another","status":"COMPLETED","id":"a third"')),
    jobs: 'untold',
  },
  {
    name: 'proto',
    what: 'names members __proto__, constructor, toString and toJSON',
    answers: memberText(
      '"__proto__":{"id":"of the prototype","status":"COMPLETED","polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"toJSON":1,"valueOf":null,"hasOwnProperty":false,"then":1',
    ),
  },
  {
    name: 'proto-output',
    what: 'gives jobs outputs that look like prototypes',
    answers: to(
      RECORDS,
      memberText('"output":{"__proto__":null,"__proto__":{"length":-1},"then":{},"length":4294967296}'),
    ),
  },
  {
    name: '40-mb-string',
    what: 'gives each record an output of one string of 40 MB',
    answers: to(['status', 'runsync'], memberText(large(() => `"output":"${string40()}"`))),
  },
  {
    name: '3-million-strings',
    what: 'gives each record an output of three million strings',
    answers: to(['status', 'runsync'], memberText(large(() => `"output":${strings()}`))),
  },
  {
    name: '5-million-objects',
    what: 'answers with five million empty objects',
    answers: laterAnswers(to(['status', 'stream'], body(objects))),
  },
  {
    name: '400000-members',
    what: 'gives each output 400,000 members',
    answers: to(['status', 'runsync'], memberText(large(() => `"output":${manyKeys()}`))),
  },
  {
    name: 'lone-surrogates',
    what: 'puts half characters into every string and every name',
    answers: memberText('"error":"\\ud800","out\\udc00put":"\\udfff\\ud800","\\ud83d":"\\ude00"'),
  },
  {
    name: 'lone-surrogate-status',
    what: 'tells a status of half a character',
    answers: to(RECORDS, memberText('"status":"\\ud800"')),
  },
  {
    name: 'numeric-names',
    what: 'names members 0, 1, 4294967295 and -1, which sort themselves',
    answers: to(RECORDS, memberText('"4294967295":1,"1":{"0":0},"0":[],"-1":"","":""')),
  },
  {
    name: 'comments',
    what: 'writes JSON with comments and a comma too many',
    answers: to(
      RECORDS,
      body((text) => `/* record */ ${text.slice(0, -1)},} // end`),
    ),
    jobs: 'untold',
  },
  {
    name: 'lines-of-json',
    what: 'answers with two records, one a line',
    answers: to(
      RECORDS,
      body((text) => `${text}\n${text}\n`),
    ),
    jobs: 'untold',
  },
  {
    name: 'guarded-json',
    what: "puts )]}', before its JSON, as some frameworks do",
    answers: body((text) => `)]}',\n${text}`),
    jobs: 'untold',
    exits: NO_SERVICE,
  },
  {
    name: 'json-in-json',
    what: 'answers with a string that holds the record',
    answers: body((text) => JSON.stringify(text)),
    jobs: 'untold',
  },
  {
    name: 'in-an-array',
    what: 'puts every record into an array',
    answers: body((text) => `[${text}]`),
    jobs: 'untold',
  },
  {
    name: 'null',
    what: 'answers null to everything',
    answers: body(() => 'null'),
    jobs: 'untold',
  },
  {
    name: 'scalars',
    what: 'answers true, 0, "" and []',
    answers: body((_text, call) => ['true', '0', '""', '[]'][call.number % 4]!),
    jobs: 'untold',
  },
  {
    name: 'padded',
    what: 'puts 5 MB of blanks before and behind its JSON',
    answers: laterAnswers(body((text) => Buffer.concat([blanks(), Buffer.from(text), blanks()]))),
  },
  {
    name: 'sparse-output',
    what: 'tells outputs whose members are named by the whole range of Unicode',
    answers: to(
      ['status', 'runsync'],
      members(() => ({
        output: Object.fromEntries(
          Array.from({ length: 2_000 }, (_, n) => [String.fromCodePoint(n * 500), n]),
        ),
      })),
    ),
  },
];

const blanks = large(() => Buffer.alloc(5 * MB, ' '));
