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
import { breaking } from './fault.js';

export const OUTPUTS_FAULTS = [
  breaking('2.4', '| `output` | any JSON (object or array) | `/runsync`, `/status` (optional) |', {
    'output-array-lost': {
      does: 'an output that is an array is lost',
      output: (output) => (Array.isArray(output) ? null : output),
    },
    'output-array-in-object': {
      does: 'an output that is an array is wrapped in an object',
      output: (output) => (Array.isArray(output) ? { items: output } : output),
    },
    'output-stringified': {
      does: 'output is a string holding JSON',
      output: (output) => JSON.stringify(output),
    },
    'output-nested-twice': { does: 'output is {"output": output}', output: (output) => ({ output }) },
    'output-unicode-mangled': {
      does: 'characters outside latin-1 turn into question marks',
      output: (output) => mapStrings(output, latinOnly),
    },
    'output-keys-lost-when-null': { does: 'members that are null are lost', output: withoutNulls },
    'output-floats-rounded': {
      does: 'fractions in the output are cut off',
      output: (output) => mapNumbers(output, Math.trunc),
    },
    'output-large-lost': {
      does: 'outputs over 64 kB are lost',
      output: (output) => (JSON.stringify(output).length > 65_536 ? null : output),
    },
    'output-large-cut': {
      does: 'strings of the output are cut at 65536 characters',
      output: (output) => mapStrings(output, (text) => text.slice(0, 65_536)),
    },
    'output-of-previous-job': {
      does: 'a job gets the output of the job that ended before it',
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
      does: 'the output is gone after it has been read',
      statusRead(record, job) {
        if (hasEnded(job)) job.output = undefined;
        return record;
      },
    },
    'output-missing-in-status': {
      does: 'only /runsync shows the output',
      statusRead: (record) => withoutMember(record, 'output'),
    },
  }),
  breaking('2.4', "Produced by the worker's handler; shape defined by the handler.", {
    'output-empty-array-as-object': { does: '[] turns into {}', output: emptyArraysAsObjects },
    'output-null-is-previous': {
      does: 'a job that returns null gets the last output that was not null',
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
    'output-json-text-parsed': {
      does: 'an output that is a text holding JSON is shown as what it holds',
      output: parsedText,
    },
    'output-numeric-texts-as-numbers': { does: '"42" within output is shown as 42', output: numericTexts },
    'output-trimmed': { does: 'texts within output are trimmed', output: texts((text) => text.trim()) },
    'output-html-escaped': {
      does: '& and < are shown as &amp; and &lt;',
      output: texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    },
    'output-nul-lost': {
      does: 'the character U+0000 is lost',
      output: texts((text) => text.replaceAll('\0', '')),
    },
    'output-astral-lost': { does: 'characters beyond U+FFFF turn into question marks', output: astralLost },
    'output-floats-of-32-bits': { does: 'fractions keep seven digits', output: of32Bits },
    'output-keys-snake-case': { does: 'camelCase names are shown as snake_case', output: snakeCase },
    'output-singletons-unwrapped': {
      does: 'an array of one member is shown as that member',
      output: singletons,
    },
    'output-list-of-one-unwrapped': {
      does: 'an output that is a list of one element is shown as that element',
      output: (output) => (Array.isArray(output) && output.length === 1 ? (output[0] as Json) : output),
    },
    'output-dots-replaced': {
      does: 'dots in names are shown as _',
      output: names((name) => name.replaceAll('.', '_')),
    },
    'output-dollars-replaced': {
      does: '$ at the beginning of names is shown as another sign',
      output: names((name) => name.replace(/^\$/, '\uff04')),
    },
    'output-dollar-keys-fail-job': {
      does: 'a job that returns a name that begins with $ or holds a dot is FAILED',
      succeeds(run, output) {
        if (!holdsName(output, /^\$|\./)) return { output };
        run.job.endpoint.workers.failed(run, 'the result cannot be stored');
        return null;
      },
    },
    'output-empty-object-as-array': { does: '{} is shown as []', output: emptyObjectsAsArrays },
    'output-empty-key-lost': { does: 'a member whose name is empty is lost', output: emptyKeyLost },
    'output-spread-into-record': {
      does: 'the members of an output that is an object stand beside id and status, too',
      legal: '2.4/other-fields=some',
      record: (record, { output }) => (isObject(output) ? { ...record, ...output, ...record } : record),
    },
    'output-error-member-fails-job': {
      does: 'an output with a member error makes the job FAILED',
      succeeds(run, output) {
        if (!isObject(output) || output['error'] === undefined) return { output };
        run.job.endpoint.workers.failed(run, String(output['error']));
        return null;
      },
    },
    'output-status-member-holds': {
      does: 'a member status of the output replaces that of the job',
      record: (record, { output }) =>
        isObject(output) ? { ...record, status: output['status'] ?? record['status'] ?? null } : record,
    },
    'output-id-member-holds': {
      does: 'a member id of the output replaces that of the job',
      record: (record, { output }) =>
        isObject(output) ? { ...record, id: output['id'] ?? record['id'] ?? null } : record,
    },
    'output-output-member-unwrapped': { does: 'an output {"output": X} is shown as X', output: outputMember },
    'output-falsy-never-completes': {
      does: 'a job that returns null, 0, false or "" stays IN_PROGRESS',
      succeeds(run, output) {
        if (output) return { output };
        run.job.endpoint.workers.leave(run);
        return null;
      },
    },
    'output-falsy-fails': {
      does: 'a job that returns null, 0, false or "" is FAILED',
      succeeds(run, output) {
        if (output) return { output };
        run.job.endpoint.workers.failed(run, 'no output');
        return null;
      },
    },
    'output-text-in-object': {
      does: 'an output that is a text is shown as {"result": text}',
      output: (value) => (typeof value === 'string' ? { result: value } : value),
    },
    'output-deep-lost': {
      does: 'what is nested more than five levels deep is shown as "[Object]"',
      output: (value) => withoutDepths(value, 5),
    },
    'output-dates-reformatted': {
      does: 'texts that look like dates are shown in another form',
      output: texts(reformattedDate),
    },
    'output-empty-texts-as-null': { does: 'empty texts are shown as null', output: emptyTextsAsNull },
    'output-array-nulls-lost': { does: 'null within arrays is lost', output: arrayNullsLost },
    'output-numbers-of-14-digits': { does: 'numbers keep 14 digits', output: of14Digits },
    'output-long-arrays-cut': { does: 'arrays keep their first hundred members', output: longArraysCut },
    'output-numbered-keys-as-array': { does: '{"0": X, "1": Y} is shown as [X, Y]', output: numberedAsArray },
    'output-underscore-keys-lost': {
      does: 'members whose name begins with _ are lost',
      output: names((name) => (/^_(?!_proto__$)/.test(name) ? null : name)),
    },
    'output-constructor-lost': { does: 'members named constructor are lost', output: constructorLost },
    'output-proto-lost': {
      does: 'members named __proto__ are lost',
      output: names((name) => (name === '__proto__' ? null : name)),
    },
    'output-dollar-keys-lost': {
      does: 'members whose name begins with $ are lost',
      output: startingWith('$'),
    },
    'output-dotted-keys-nested': { does: '{"a.b": 1} is shown as {"a": {"b": 1}}', output: dotsNested },
    'output-large-numbers-as-texts': {
      does: 'numbers above 2^53 are shown as texts',
      output: largeNumbersAsTexts,
    },
    'output-exponents-lost': { does: 'numbers below a millionth are shown as 0', output: exponentsLost },
    'output-backslashes-lost': { does: 'backslashes are lost', output: backslashesLost },
    'output-line-breaks-unified': {
      does: 'CR LF is shown as LF',
      output: texts((text) => text.replaceAll('\r\n', '\n')),
    },
    'output-unicode-normalised': {
      does: 'composed and decomposed characters are shown in one form',
      output: texts((text) => text.normalize()),
    },
    'output-boolean-texts-as-booleans': { does: '"true" is shown as true', output: booleanTexts },
  }),
  breaking('2.4', '| `output` | any JSON (object or array) |', {
    'output-over-one-megabyte-fails': {
      does: 'a job that returns more than 1 MB is FAILED',
      succeeds(run, output) {
        if (JSON.stringify(output).length <= 1_048_576) return { output };
        run.job.endpoint.workers.failed(run, 'payload too large');
        return null;
      },
    },
    'output-over-one-megabyte-lost': {
      does: 'an output of more than 1 MB is lost',
      succeeds: (_run, output) => ({ output: JSON.stringify(output).length > 1_048_576 ? null : output }),
    },
  }),
];
