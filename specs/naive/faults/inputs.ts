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
import { breaking } from './fault.js';

export const INPUTS_FAULTS = [
  breaking(
    '2.1',
    "Parameters for the worker's handler. Its content is defined by the worker, not by the service.",
    {
      'input-nulls-dropped': {
        does: 'members that are null do not reach the worker',
        input: (input) => withoutNulls(input) as JsonObject,
      },
      'input-numbers-as-strings': {
        does: 'numbers inside objects reach the worker as strings',
        input: inputAs((value) => mapNumbers(value, String)),
      },
      'input-trimmed': {
        does: 'strings reach the worker without their leading and trailing blanks',
        input: (input) => mapStrings(input, (text) => text.trim()) as JsonObject,
      },
      'input-unicode-mangled': {
        does: 'characters outside latin-1 reach the worker as question marks',
        input: (input) => mapStrings(input, latinOnly) as JsonObject,
      },
      'input-empty-arrays-dropped': {
        does: 'empty arrays do not reach the worker',
        input: (input) =>
          without(input, (member) => Array.isArray(member) && member.length === 0) as JsonObject,
      },
    },
  ),
  breaking('2.1', "Parameters for the worker's handler.", {
    'input-nul-lost': {
      does: 'the character U+0000 does not reach the worker',
      input: (input) => mapStrings(input, (text) => text.replaceAll('\0', '')) as JsonObject,
    },
    'input-line-breaks-unified': {
      does: 'CR LF reaches the worker as LF',
      input: (input) => mapStrings(input, (text) => text.replaceAll('\r\n', '\n')) as JsonObject,
    },
    'input-unicode-normalised': {
      does: 'composed and decomposed characters reach the worker in one form',
      input: (input) => mapStrings(input, (text) => text.normalize()) as JsonObject,
    },
    'input-dates-reformatted': {
      does: 'strings that look like dates reach the worker in another form',
      input: (input) => mapStrings(input, reformattedDate) as JsonObject,
    },
    'input-html-escaped': {
      does: '& and < reach the worker as &amp; and &lt;',
      input: (input) => htmlEscaped(input) as JsonObject,
    },
    'input-proto-lost': {
      does: 'members named __proto__ do not reach the worker',
      input: (input) => replaceMembers(input, '__proto__', () => ({})) as JsonObject,
    },
    'input-dotted-keys-nested': {
      does: '{"a.b": 1} reaches the worker as {"a": {"b": 1}}',
      input: (input) => replaceMembers(input, '.', nested) as JsonObject,
    },
  }),
  breaking('2.1', "Parameters for the worker's handler. Its content is defined by the worker", {
    'input-numeric-texts-as-numbers': { does: '"42" reaches the worker as 42', input: inputAs(numericTexts) },
    'input-boolean-texts-as-booleans': {
      does: '"true" reaches the worker as true',
      input: inputAs(
        throughout((value) => (value === 'true' || value === 'false' ? value === 'true' : value)),
      ),
    },
    'input-floats-of-32-bits': {
      does: 'fractions reach the worker with seven digits',
      input: inputAs(of32Bits),
    },
    'input-astral-lost': {
      does: 'characters beyond U+FFFF reach the worker as question marks',
      input: inputAs(astralLost),
    },
    'input-empty-key-lost': {
      does: 'a member whose name is empty does not reach the worker',
      input: inputAs(emptyKeyLost),
    },
    'input-dollar-keys-lost': {
      does: 'members whose name begins with $ do not reach the worker',
      input: inputAs(names((name) => (name.startsWith('$') ? null : name))),
    },
    'input-dollar-keys-of-input-refused': {
      does: 'an input is refused of which a member itself has a name that begins with $',
      inputGiven(input) {
        if (isObject(input) && Object.keys(input).some((name) => name.startsWith('$')))
          throw new Refused('names must not begin with $');
        return null;
      },
    },
    'input-dotted-keys-of-input-refused': {
      does: 'an input is refused of which a member itself has a name that holds a dot',
      inputGiven(input) {
        if (isObject(input) && Object.keys(input).some((name) => name.includes('.')))
          throw new Refused('names must not hold a dot');
        return null;
      },
    },
    'input-dots-replaced': {
      does: 'dots in names reach the worker as _',
      input: inputAs(names((name) => name.replaceAll('.', '_'))),
    },
    'input-dollars-replaced': {
      does: '$ at the beginning of names reaches the worker as another sign',
      input: inputAs(names((name) => name.replace(/^\$/, '\uff04'))),
    },
    'input-dollar-keys-fail-job': {
      does: 'a job whose input has a name that begins with $ or holds a dot is FAILED',
      succeeds(run, output) {
        if (!holdsName(run.job.input, /^\$|\./)) return { output };
        run.job.endpoint.workers.failed(run, 'the input cannot be stored');
        return null;
      },
    },
    'input-keys-snake-case': {
      does: 'camelCase names reach the worker as snake_case',
      input: inputAs(snakeCase),
    },
    'input-singletons-unwrapped': {
      does: 'an array of one member reaches the worker as that member',
      input: inputAs(singletons),
    },
    'input-long-text-cut': {
      does: 'a text of more than 65535 characters is cut there',
      input: inputAs(texts((text) => text.slice(0, 65_535))),
    },
    'input-empty-object-as-array': {
      does: '{} within input reaches the worker as []',
      input: inputAs(emptyObjectsAsArrays),
    },
    'input-large-numbers-as-texts': {
      does: 'numbers above 2^53 reach the worker as texts',
      input: inputAs(
        throughout((value) =>
          typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value,
        ),
      ),
    },
    'input-exponents-lost': {
      does: 'numbers below a millionth reach the worker as 0',
      input: inputAs(
        throughout((value) => (typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value)),
      ),
    },
    'input-duplicates-removed': {
      does: 'equal members of an array reach the worker once',
      input: inputAs(
        throughout((value) =>
          Array.isArray(value)
            ? [...new Map(value.map((member) => [JSON.stringify(member), member])).values()]
            : value,
        ),
      ),
    },
    'input-tabs-as-blanks': {
      does: 'tabs and line ends reach the worker as blanks',
      input: inputAs(texts((text) => text.replace(/[\t\r\n]/g, ' '))),
    },
    'input-percent-decoded': {
      does: '%20 reaches the worker as a blank',
      input: inputAs(texts((text) => text.replaceAll('%20', ' '))),
    },
    'input-plus-as-blank': {
      does: '+ reaches the worker as a blank',
      input: inputAs(texts((text) => text.replaceAll('+', ' '))),
    },
    'input-zero-width-lost': {
      does: 'characters without width do not reach the worker',
      input: inputAs(texts((text) => text.replace(/[\u200b-\u200f\ufeff]/g, ''))),
    },
    'input-backslashes-lost': {
      does: 'backslashes do not reach the worker',
      input: inputAs(backslashesLost),
    },
    'input-quotes-doubled': {
      does: 'single quotes reach the worker twice',
      input: inputAs(texts((text) => text.replaceAll("'", "''"))),
    },
    'input-tags-stripped': {
      does: 'what stands between < and > does not reach the worker',
      input: inputAs(texts((text) => text.replace(/<[^>]*>/g, ''))),
    },
    'input-numbers-of-14-digits': {
      does: 'numbers reach the worker with 14 digits',
      input: inputAs(of14Digits),
    },
    'input-long-arrays-cut': {
      does: 'of an array the first hundred members reach the worker',
      input: inputAs(longArraysCut),
    },
    'input-array-nulls-lost': {
      does: 'null within arrays does not reach the worker',
      input: inputAs(arrayNullsLost),
    },
    'input-keys-trimmed': {
      does: 'names reach the worker without blanks around them',
      input: inputAs(names((name) => name.trim())),
    },
    'input-numbered-keys-as-array': {
      does: '{"0": X, "1": Y} reaches the worker as [X, Y]',
      input: inputAs(numberedAsArray),
    },
    'input-underscore-keys-lost': {
      does: 'members whose name begins with _ do not reach the worker',
      input: inputAs(names((name) => (/^_(?!_proto__$)/.test(name) ? null : name))),
    },
    'input-constructor-lost': {
      does: 'members named constructor do not reach the worker',
      input: inputAs(constructorLost),
    },
    'input-keys-merged-by-case': {
      does: 'of members whose names differ in case alone one reaches the worker',
      input: inputAs(mergedByCase),
    },
    'input-empty-texts-as-null': {
      does: 'empty texts reach the worker as null',
      input: inputAs(emptyTextsAsNull),
    },
    'input-placeholders-filled': {
      does: '${name} within a text is filled in: with nothing',
      input: inputAs(texts((text) => text.replace(/\$\{[^}]*\}/g, ''))),
    },
    'input-nested-over-thirty-refused': {
      does: 'an input nested more than thirty levels deep is refused',
      inputGiven(input) {
        if (isObject(input) && depthOf(input) > 30) throw new Refused('input is nested too deep');
        return null;
      },
    },
    'input-with-webhook-added': {
      does: 'the worker gets the webhook as a member of input',
      input: (input, { webhook }) => (webhook === null ? input : { ...input, webhook }),
    },
    'input-member-webhook-called': {
      does: 'a member webhook of input is called where the submission has none',
      webhookGiven: (webhook, input) =>
        typeof input['webhook'] === 'string' ? (webhook ?? input['webhook']) : webhook,
    },
    'input-member-policy-used': {
      does: 'a member policy of input counts where the submission has none',
      policyGiven: (policy, input) => (isObject(input['policy']) ? (policy ?? input['policy']) : policy),
    },
    'input-member-input-unwrapped': {
      does: 'an input with a member input reaches the worker as that member',
      inputGiven: (input) =>
        isObject(input) && isObject(input['input']) ? { ...scriptOf(input), ...input['input'] } : null,
    },
    'input-over-four-megabytes-fails': {
      does: 'a job with an input over 4 MB is accepted and FAILED',
      started: (run) => failAbove(4_194_304, run),
    },
    'runsync-input-over-sixteen-megabytes-fails': {
      does: 'a job with an input over 16 MB is accepted and FAILED',
      started: (run) => failAbove(16_777_216, run),
    },
  }),
];
