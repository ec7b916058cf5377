/** Faults of section 2.5: what a chunk holds. */
import { isObject } from '../json.js';
import { endingStreams } from './steps.js';
import {
  mapStrings,
  withoutNulls,
  numericTexts,
  reformattedDate,
  parsedText,
  astralLost,
  of32Bits,
  snakeCase,
  singletons,
  outputMember,
  of14Digits,
  emptyTextsAsNull,
  htmlEscaped,
} from './values.js';
import { breaking } from './fault.js';

export const CHUNKS_FAULTS = [
  breaking('2.5', 'the incremental result produced by the handler (shape defined by the handler)', {
    'stream-bare-values': {
      does: 'elements are the values themselves, without `output`',
      shownChunks: (_chunks, outputs) => [...outputs],
    },
    'stream-stringified': {
      does: 'outputs that are no strings are turned into strings',
      shownOutputs: (outputs) =>
        outputs.map((output) => (typeof output === 'string' ? output : JSON.stringify(output))),
    },
    'stream-joined': {
      does: 'the strings of one read are joined into one chunk',
      shownOutputs: (outputs) =>
        outputs.length > 0 && outputs.every((output) => typeof output === 'string')
          ? [outputs.join('')]
          : outputs,
    },
    'stream-trimmed': {
      does: 'texts are delivered without blanks around them',
      chunk: (value) => [mapStrings(value, (text) => text.trim())],
    },
    'stream-blank-lost': {
      does: 'texts of blanks alone are not delivered',
      chunk: (value) => (typeof value === 'string' && value.trim() === '' ? [] : [value]),
    },
    'stream-lines-split': {
      does: 'a text of several lines is delivered as several chunks',
      chunk: (value) => (typeof value === 'string' ? value.split('\n') : [value]),
    },
    'stream-arrays-flattened': {
      does: 'a result that is an array is delivered as one chunk per member',
      chunk: (value) => (Array.isArray(value) ? value : [value]),
    },
    'stream-null-ends': {
      does: 'a result that is null ends the stream',
      with: () => endingStreams((result) => result === null),
    },
    'stream-output-member-unwrapped': {
      does: 'a result {"output": X} is delivered as X',
      chunk: (value) => [outputMember(value)],
    },
    'stream-json-text-parsed': {
      does: 'a text that holds JSON is delivered as what it holds',
      chunk: (value) => [parsedText(value)],
    },
    'stream-astral-lost': {
      does: 'characters beyond U+FFFF turn into question marks',
      chunk: (value) => [astralLost(value)],
    },
    'stream-nulls-dropped': {
      does: 'members that are null are lost',
      chunk: (value) => [withoutNulls(value)],
    },
    'stream-done-ends': {
      does: 'a text [DONE] ends the stream',
      with: () => endingStreams((result) => result === '[DONE]'),
    },
    'stream-line-ends-lost': {
      does: 'a line end at the end of a text is lost',
      chunk: (value) => [mapStrings(value, (text) => text.replace(/\n$/, ''))],
    },
    'stream-html-escaped': {
      does: '& and < are delivered as &amp; and &lt;',
      chunk: (value) => [htmlEscaped(value)],
    },
    'stream-empty-containers-lost': {
      does: 'results that are {} or [] are not delivered',
      chunk: (value) =>
        typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? [] : [value],
    },
    'stream-empty-text-ends': {
      does: 'a result that is an empty text ends the stream',
      with: () => endingStreams((result) => result === ''),
    },
    'stream-false-ends': {
      does: 'a result that is false ends the stream',
      with: () => endingStreams((result) => result === false),
    },
    'stream-numeric-texts-as-numbers': {
      does: '"42" is delivered as 42',
      chunk: (value) => [numericTexts(value)],
    },
    'stream-error-member-fails-job': {
      does: 'a result with a member error makes the job FAILED',
      keepsChunk(run, result) {
        if (run.over || !isObject(result) || result['error'] === undefined) return true;
        run.job.endpoint.workers.failed(run, String(result['error']));
        return false;
      },
    },
    'stream-empty-texts-as-null': {
      does: 'empty texts within results are delivered as null',
      chunk: (value) => [emptyTextsAsNull(value)],
    },
    'stream-numbers-of-14-digits': { does: 'numbers keep 14 digits', chunk: (value) => [of14Digits(value)] },
    'stream-floats-of-32-bits': { does: 'fractions keep seven digits', chunk: (value) => [of32Bits(value)] },
    'stream-keys-snake-case': {
      does: 'camelCase names are delivered as snake_case',
      chunk: (value) => [snakeCase(value)],
    },
    'stream-nul-lost': {
      does: 'the character U+0000 is lost',
      chunk: (value) => [mapStrings(value, (text) => text.replaceAll('\0', ''))],
    },
    'stream-singletons-unwrapped': {
      does: 'an array of one member is delivered as that member',
      chunk: (value) => [singletons(value)],
    },
    'stream-dates-reformatted': {
      does: 'texts that look like dates are delivered in another form',
      chunk: (value) => [mapStrings(value, reformattedDate)],
    },
  }),
];
