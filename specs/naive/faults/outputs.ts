/** Faults of section 2.4: `output`. */
import { hasEnded } from '../job.js';
import { isObject, type Json } from '../json.js';
import { perEndpoint } from './memory.js';
import { withoutMember } from './steps.js';
import {
  latinOnly,
  mapStrings,
  mapNumbers,
  withoutNulls,
  texts,
  names,
  numericTexts,
  reformattedDate,
  parsedText,
  withoutDepths,
  astralLost,
  of32Bits,
  snakeCase,
  emptyKeyLost,
  singletons,
  emptyObjectsAsArrays,
  outputMember,
  of14Digits,
  longArraysCut,
  arrayNullsLost,
  numberedAsArray,
  constructorLost,
  emptyTextsAsNull,
  booleanTexts,
  largeNumbersAsTexts,
  exponentsLost,
  backslashesLost,
  startingWith,
  dotsNested,
  emptyArraysAsObjects,
  holdsName,
} from './values.js';
import type { Faults } from './fault.js';

export const OUTPUTS_FAULTS = {
  'output-array-lost': { output: (output) => (Array.isArray(output) ? null : output) },
  'output-array-in-object': { output: (output) => (Array.isArray(output) ? { items: output } : output) },
  'output-stringified': { output: (output) => JSON.stringify(output) },
  'output-nested-twice': { output: (output) => ({ output }) },
  'output-unicode-mangled': { output: (output) => mapStrings(output, latinOnly) },
  'output-nulls-lost': { output: withoutNulls },
  'output-floats-rounded': { output: (output) => mapNumbers(output, Math.trunc) },
  'output-above-64k-lost': { output: (output) => (JSON.stringify(output).length > 65_536 ? null : output) },
  'output-large-cut': { output: (output) => mapStrings(output, (text) => text.slice(0, 65_536)) },
  'output-of-another-job': {
    with: () => {
      const lastOf = perEndpoint(() => ({ output: undefined as Json | undefined }));
      return {
        succeeds({ job }, output) {
          const last = lastOf(job.endpoint);
          const shown = last.output ?? output;
          last.output = output;
          return { output: shown };
        },
      };
    },
  },
  'output-read-once': {
    statusRead(record, job) {
      if (hasEnded(job)) job.output = undefined;
      return record;
    },
  },
  'output-not-in-status': { statusRead: (record) => withoutMember(record, 'output') },
  'output-empty-array-as-object': { output: emptyArraysAsObjects },
  'output-null-is-previous': {
    with: () => {
      const lastOf = perEndpoint(() => ({ output: null as Json }));
      return {
        succeeds({ job }, output) {
          const last = lastOf(job.endpoint);
          if (output !== null) last.output = output;
          return { output: last.output };
        },
      };
    },
  },
  'output-json-text-parsed': { output: parsedText },
  'output-numeric-texts-as-numbers': { output: numericTexts },
  'output-trimmed': { output: texts((text) => text.trim()) },
  'output-html-escaped': { output: texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')) },
  'output-nul-lost': { output: texts((text) => text.replaceAll('\0', '')) },
  'output-astral-lost': { output: astralLost },
  'output-floats-of-32-bits': { output: of32Bits },
  'output-keys-snake-case': { output: snakeCase },
  'output-singletons-unwrapped': { output: singletons },
  'output-list-of-one-unwrapped': {
    output: (output) => (Array.isArray(output) && output.length === 1 ? (output[0] as Json) : output),
  },
  'output-dots-replaced': { output: names((name) => name.replaceAll('.', '_')) },
  'output-dollars-replaced': { output: names((name) => name.replace(/^\$/, '\uff04')) },
  'output-dollar-keys-fail-job': {
    succeeds(run, output) {
      if (!holdsName(output, /^\$|\./)) return { output };
      run.job.endpoint.workers.failed(run, 'the result cannot be stored');
      return null;
    },
  },
  'output-empty-object-as-array': { output: emptyObjectsAsArrays },
  'output-empty-key-lost': { output: emptyKeyLost },
  'output-spread-into-record': {
    record: (record, { output }) => (isObject(output) ? { ...record, ...output, ...record } : record),
  },
  'output-error-member-fails-job': {
    succeeds(run, output) {
      if (!isObject(output) || output['error'] === undefined) return { output };
      run.job.endpoint.workers.failed(run, String(output['error']));
      return null;
    },
  },
  'output-status-member-holds': {
    record: (record, { output }) =>
      isObject(output) ? { ...record, status: output['status'] ?? record['status'] ?? null } : record,
  },
  'output-id-member-holds': {
    record: (record, { output }) =>
      isObject(output) ? { ...record, id: output['id'] ?? record['id'] ?? null } : record,
  },
  'output-output-member-unwrapped': { output: outputMember },
  'output-falsy-never-completes': {
    succeeds(run, output) {
      if (output) return { output };
      run.job.endpoint.workers.leave(run);
      return null;
    },
  },
  'output-falsy-fails': {
    succeeds(run, output) {
      if (output) return { output };
      run.job.endpoint.workers.failed(run, 'no output');
      return null;
    },
  },
  'output-text-in-object': { output: (value) => (typeof value === 'string' ? { result: value } : value) },
  'output-deep-lost': { output: (value) => withoutDepths(value, 5) },
  'output-dates-reformatted': { output: texts(reformattedDate) },
  'output-empty-texts-as-null': { output: emptyTextsAsNull },
  'output-array-nulls-lost': { output: arrayNullsLost },
  'output-numbers-of-14-digits': { output: of14Digits },
  'output-long-arrays-cut': { output: longArraysCut },
  'output-numbered-keys-as-array': { output: numberedAsArray },
  'output-underscore-keys-lost': { output: names((name) => (/^_(?!_proto__$)/.test(name) ? null : name)) },
  'output-constructor-lost': { output: constructorLost },
  'output-proto-lost': { output: names((name) => (name === '__proto__' ? null : name)) },
  'output-dollar-keys-lost': { output: startingWith('$') },
  'output-dotted-keys-nested': { output: dotsNested },
  'output-large-numbers-as-texts': { output: largeNumbersAsTexts },
  'output-exponents-lost': { output: exponentsLost },
  'output-backslashes-lost': { output: backslashesLost },
  'output-line-breaks-unified': { output: texts((text) => text.replaceAll('\r\n', '\n')) },
  'output-unicode-normalised': { output: texts((text) => text.normalize()) },
  'output-boolean-texts-as-booleans': { output: booleanTexts },
  'output-over-one-megabyte-fails': {
    succeeds(run, output) {
      if (JSON.stringify(output).length <= 1_048_576) return { output };
      run.job.endpoint.workers.failed(run, 'payload too large');
      return null;
    },
  },
  'output-over-one-megabyte-lost': {
    succeeds: (_run, output) => ({ output: JSON.stringify(output).length > 1_048_576 ? null : output }),
  },
} satisfies Faults;
