/** Faults of section 2.1: what reaches the worker of an input. */
import { Refused } from '../call.js';
import { isObject, type JsonObject } from '../json.js';
import { failAbove, depthOf, scriptOf, nested } from './steps.js';
import {
  latinOnly,
  mapStrings,
  mapNumbers,
  withoutNulls,
  without,
  throughout,
  texts,
  names,
  numericTexts,
  reformattedDate,
  astralLost,
  of32Bits,
  snakeCase,
  emptyKeyLost,
  singletons,
  emptyObjectsAsArrays,
  of14Digits,
  longArraysCut,
  arrayNullsLost,
  numberedAsArray,
  constructorLost,
  emptyTextsAsNull,
  backslashesLost,
  htmlEscaped,
  mergedByCase,
  replaceMembers,
  inputAs,
  holdsName,
} from './values.js';
import type { Faults } from './fault.js';

export const INPUTS_FAULTS = {
  'input-loses-nulls': { input: (input) => withoutNulls(input) as JsonObject },
  'input-numbers-as-strings': { input: inputAs((value) => mapNumbers(value, String)) },
  'input-trimmed': { input: (input) => mapStrings(input, (text) => text.trim()) as JsonObject },
  'input-unicode-mangled': { input: (input) => mapStrings(input, latinOnly) as JsonObject },
  'input-empty-arrays-dropped': {
    input: (input) => without(input, (member) => Array.isArray(member) && member.length === 0) as JsonObject,
  },
  'input-nul-lost': {
    input: (input) => mapStrings(input, (text) => text.replaceAll('\0', '')) as JsonObject,
  },
  'input-line-breaks-unified': {
    input: (input) => mapStrings(input, (text) => text.replaceAll('\r\n', '\n')) as JsonObject,
  },
  'input-unicode-normalised': {
    input: (input) => mapStrings(input, (text) => text.normalize()) as JsonObject,
  },
  'input-dates-reformatted': { input: (input) => mapStrings(input, reformattedDate) as JsonObject },
  'input-html-escaped': { input: (input) => htmlEscaped(input) as JsonObject },
  'input-proto-lost': { input: (input) => replaceMembers(input, '__proto__', () => ({})) as JsonObject },
  'input-dotted-keys-nested': { input: (input) => replaceMembers(input, '.', nested) as JsonObject },
  'input-numeric-texts-as-numbers': { input: inputAs(numericTexts) },
  'input-boolean-texts-as-booleans': {
    input: inputAs(throughout((value) => (value === 'true' || value === 'false' ? value === 'true' : value))),
  },
  'input-floats-of-32-bits': { input: inputAs(of32Bits) },
  'input-astral-lost': { input: inputAs(astralLost) },
  'input-empty-key-lost': { input: inputAs(emptyKeyLost) },
  'input-dollar-keys-lost': { input: inputAs(names((name) => (name.startsWith('$') ? null : name))) },
  'input-dollar-keys-of-input-refused': {
    inputGiven(input) {
      if (isObject(input) && Object.keys(input).some((name) => name.startsWith('$')))
        throw new Refused('names must not begin with $');
      return null;
    },
  },
  'input-dotted-keys-of-input-refused': {
    inputGiven(input) {
      if (isObject(input) && Object.keys(input).some((name) => name.includes('.')))
        throw new Refused('names must not hold a dot');
      return null;
    },
  },
  'input-dots-replaced': { input: inputAs(names((name) => name.replaceAll('.', '_'))) },
  'input-dollars-replaced': { input: inputAs(names((name) => name.replace(/^\$/, '\uff04'))) },
  'input-dollar-keys-fail-job': {
    succeeds(run, output) {
      if (!holdsName(run.job.input, /^\$|\./)) return { output };
      run.job.endpoint.workers.failed(run, 'the input cannot be stored');
      return null;
    },
  },
  'input-keys-snake-case': { input: inputAs(snakeCase) },
  'input-singletons-unwrapped': { input: inputAs(singletons) },
  'input-long-text-cut': { input: inputAs(texts((text) => text.slice(0, 65_535))) },
  'input-empty-object-as-array': { input: inputAs(emptyObjectsAsArrays) },
  'input-large-numbers-as-texts': {
    input: inputAs(
      throughout((value) =>
        typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value,
      ),
    ),
  },
  'input-exponents-lost': {
    input: inputAs(throughout((value) => (typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value))),
  },
  'input-duplicates-removed': {
    input: inputAs(
      throughout((value) =>
        Array.isArray(value)
          ? [...new Map(value.map((member) => [JSON.stringify(member), member])).values()]
          : value,
      ),
    ),
  },
  'input-tabs-as-blanks': { input: inputAs(texts((text) => text.replace(/[\t\r\n]/g, ' '))) },
  'input-percent-decoded': { input: inputAs(texts((text) => text.replaceAll('%20', ' '))) },
  'input-plus-as-blank': { input: inputAs(texts((text) => text.replaceAll('+', ' '))) },
  'input-zero-width-lost': { input: inputAs(texts((text) => text.replace(/[\u200b-\u200f\ufeff]/g, ''))) },
  'input-backslashes-lost': { input: inputAs(backslashesLost) },
  'input-quotes-doubled': { input: inputAs(texts((text) => text.replaceAll("'", "''"))) },
  'input-tags-stripped': { input: inputAs(texts((text) => text.replace(/<[^>]*>/g, ''))) },
  'input-numbers-of-14-digits': { input: inputAs(of14Digits) },
  'input-long-arrays-cut': { input: inputAs(longArraysCut) },
  'input-array-nulls-lost': { input: inputAs(arrayNullsLost) },
  'input-keys-trimmed': { input: inputAs(names((name) => name.trim())) },
  'input-numbered-keys-as-array': { input: inputAs(numberedAsArray) },
  'input-underscore-keys-lost': {
    input: inputAs(names((name) => (/^_(?!_proto__$)/.test(name) ? null : name))),
  },
  'input-constructor-lost': { input: inputAs(constructorLost) },
  'input-keys-merged-by-case': { input: inputAs(mergedByCase) },
  'input-empty-texts-as-null': { input: inputAs(emptyTextsAsNull) },
  'input-placeholders-filled': { input: inputAs(texts((text) => text.replace(/\$\{[^}]*\}/g, ''))) },
  'input-nested-over-thirty-refused': {
    inputGiven(input) {
      if (isObject(input) && depthOf(input) > 30) throw new Refused('input is nested too deep');
      return null;
    },
  },
  'input-with-webhook-added': {
    input: (input, { webhook }) => (webhook === null ? input : { ...input, webhook }),
  },
  'input-member-webhook-called': {
    webhookGiven: (webhook, input) =>
      typeof input['webhook'] === 'string' ? (webhook ?? input['webhook']) : webhook,
  },
  'input-member-policy-used': {
    policyGiven: (policy, input) => (isObject(input['policy']) ? (policy ?? input['policy']) : policy),
  },
  'input-member-input-unwrapped': {
    inputGiven: (input) =>
      isObject(input) && isObject(input['input']) ? { ...scriptOf(input), ...input['input'] } : null,
  },
  'input-over-four-megabytes-fails': { started: (run) => failAbove(4_194_304, run) },
  'runsync-input-over-sixteen-megabytes-fails': { started: (run) => failAbove(16_777_216, run) },
} satisfies Faults;
