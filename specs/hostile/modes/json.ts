/** JSON that is too deep, too large, or not what it seems. */
import type { Mode } from '../mode.js';
import {
  body,
  bodyTo,
  deep,
  large,
  laterAnswers,
  MB,
  membersTo,
  memberText,
  mode,
  noService,
  to,
  untold,
} from './helpers.js';

const RECORDS = ['run', 'runsync', 'status'];
const string40 = large(() => 'x'.repeat(40 * MB));
const strings = large(() => `[${Array.from({ length: 3_000_000 }, (_, n) => `"s${n}"`).join(',')}]`);
const objects = large(() => `[${'{},'.repeat(5_000_000)}{}]`);
const manyKeys = large(() => `{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`);

export const JSONS: readonly Mode[] = [
  mode('deep-2200', 'nests the output 2,200 deep', {
    answers: to(RECORDS, memberText(`"output":${deep(2_200)}`)),
  }),
  mode('deep-objects', 'nests objects 4,000 deep', {
    answers: to(RECORDS, memberText(`"output":${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}`)),
  }),
  untold('deep-100000', 'nests the output 100,000 deep', {
    answers: to(RECORDS, memberText(`"output":${deep(100_000)}`)),
  }),
  untold('deep-everywhere', 'answers everything with 5,000,000 brackets', {
    answers: laterAnswers(body(large(() => '['.repeat(5_000_000)))),
  }),
  mode('deep-health', 'nests the health record 3,000 deep', {
    answers: to(['health', 'purge-queue', 'cancel'], memberText(`"jobs":${deep(3_000)}`)),
  }),
  mode('huge-numbers', 'writes numbers of 100,000 digits, 1e400, -0 and 5e-324', {
    answers: to(
      RECORDS,
      memberText(
        `"delayTime":1e400,"executionTime":-1e400,"output":[${'9'.repeat(100_000)},-0,5e-324,1E+0308,0.1e-7]`,
      ),
    ),
  }),
  untold('no-numbers', 'writes NaN, Infinity, 0x10 and 01', {
    answers: to(RECORDS, memberText('"delayTime":NaN,"executionTime":Infinity,"x":0x10,"y":01')),
  }),
  untold('duplicate-members', 'names id and status twice', {
    answers: to(RECORDS, memberText('"id":"another","status":"COMPLETED","id":"a third"')),
  }),
  mode('proto', 'names members __proto__, constructor, toString and toJSON', {
    answers: memberText(
      '"__proto__":{"id":"of the prototype","status":"COMPLETED","polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"toJSON":1,"valueOf":null,"hasOwnProperty":false,"then":1',
    ),
  }),
  mode('proto-output', 'gives jobs outputs that look like prototypes', {
    answers: to(
      RECORDS,
      memberText('"output":{"__proto__":null,"__proto__":{"length":-1},"then":{},"length":4294967296}'),
    ),
  }),
  mode('40-mb-string', 'gives each record an output of one string of 40 MB', {
    answers: to(['status', 'runsync'], memberText(large(() => `"output":"${string40()}"`))),
  }),
  mode('3-million-strings', 'gives each record an output of three million strings', {
    answers: to(['status', 'runsync'], memberText(large(() => `"output":${strings()}`))),
  }),
  mode('5-million-objects', 'answers with five million empty objects', {
    answers: laterAnswers(to(['status', 'stream'], body(objects))),
  }),
  mode('400000-members', 'gives each output 400,000 members', {
    answers: to(['status', 'runsync'], memberText(large(() => `"output":${manyKeys()}`))),
  }),
  mode('lone-surrogates', 'puts half characters into every string and every name', {
    answers: memberText('"error":"\\ud800","out\\udc00put":"\\udfff\\ud800","\\ud83d":"\\ude00"'),
  }),
  mode('lone-surrogate-status', 'tells a status of half a character', {
    answers: to(RECORDS, memberText('"status":"\\ud800"')),
  }),
  mode('numeric-names', 'names members 0, 1, 4294967295 and -1, which sort themselves', {
    answers: to(RECORDS, memberText('"4294967295":1,"1":{"0":0},"0":[],"-1":"","":""')),
  }),
  untold('comments', 'writes JSON with comments and a comma too many', {
    answers: bodyTo(RECORDS, (text) => `/* record */ ${text.slice(0, -1)},} // end`),
  }),
  untold('lines-of-json', 'answers with two records, one a line', {
    answers: bodyTo(RECORDS, (text) => `${text}\n${text}\n`),
  }),
  noService('guarded-json', "puts )]}', before its JSON, as some frameworks do", {
    answers: body((text) => `)]}',\n${text}`),
  }),
  untold('json-in-json', 'answers with a string that holds the record', {
    answers: body((text) => JSON.stringify(text)),
  }),
  untold('in-an-array', 'puts every record into an array', { answers: body((text) => `[${text}]`) }),
  untold('null', 'answers null to everything', { answers: body(() => 'null') }),
  untold('scalars', 'answers true, 0, "" and []', {
    answers: body((_text, call) => ['true', '0', '""', '[]'][call.number % 4]!),
  }),
  mode('padded', 'puts 5 MB of blanks before and behind its JSON', {
    answers: laterAnswers(body((text) => Buffer.concat([blanks(), Buffer.from(text), blanks()]))),
  }),
  mode('sparse-output', 'tells outputs whose members are named by the whole range of Unicode', {
    answers: membersTo(['status', 'runsync'], () => ({
      output: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [String.fromCodePoint(n * 500), n])),
    })),
  }),
];

const blanks = large(() => Buffer.alloc(5 * MB, ' '));
