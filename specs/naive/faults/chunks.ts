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
import type { Faults } from './fault.js';

export const CHUNKS_FAULTS = {
  'chunk-bare': { shownChunks: (_chunks, outputs) => [...outputs] },
  'stream-stringified': {
    shownOutputs: (outputs) =>
      outputs.map((output) => (typeof output === 'string' ? output : JSON.stringify(output))),
  },
  'stream-joined': {
    shownOutputs: (outputs) =>
      outputs.length > 0 && outputs.every((output) => typeof output === 'string')
        ? [outputs.join('')]
        : outputs,
  },
  'stream-trimmed': { chunk: (value) => [mapStrings(value, (text) => text.trim())] },
  'stream-blank-lost': {
    chunk: (value) => (typeof value === 'string' && value.trim() === '' ? [] : [value]),
  },
  'stream-lines-split': { chunk: (value) => (typeof value === 'string' ? value.split('\n') : [value]) },
  'stream-arrays-flattened': { chunk: (value) => (Array.isArray(value) ? value : [value]) },
  'stream-null-ends': { with: () => endingStreams((result) => result === null) },
  'stream-output-member-unwrapped': { chunk: (value) => [outputMember(value)] },
  'stream-json-text-parsed': { chunk: (value) => [parsedText(value)] },
  'stream-astral-lost': { chunk: (value) => [astralLost(value)] },
  'stream-nulls-dropped': { chunk: (value) => [withoutNulls(value)] },
  'stream-done-ends': { with: () => endingStreams((result) => result === '[DONE]') },
  'stream-line-ends-lost': { chunk: (value) => [mapStrings(value, (text) => text.replace(/\n$/, ''))] },
  'stream-html-escaped': { chunk: (value) => [htmlEscaped(value)] },
  'stream-empty-containers-lost': {
    chunk: (value) =>
      typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? [] : [value],
  },
  'stream-empty-text-ends': { with: () => endingStreams((result) => result === '') },
  'stream-false-ends': { with: () => endingStreams((result) => result === false) },
  'stream-numeric-texts-as-numbers': { chunk: (value) => [numericTexts(value)] },
  'stream-error-member-fails-job': {
    keepsChunk(run, result) {
      if (run.over || !isObject(result) || result['error'] === undefined) return true;
      run.job.endpoint.workers.failed(run, String(result['error']));
      return false;
    },
  },
  'stream-empty-texts-as-null': { chunk: (value) => [emptyTextsAsNull(value)] },
  'stream-numbers-of-14-digits': { chunk: (value) => [of14Digits(value)] },
  'stream-floats-of-32-bits': { chunk: (value) => [of32Bits(value)] },
  'stream-keys-snake-case': { chunk: (value) => [snakeCase(value)] },
  'stream-nul-lost': { chunk: (value) => [mapStrings(value, (text) => text.replaceAll('\0', ''))] },
  'stream-singletons-unwrapped': { chunk: (value) => [singletons(value)] },
  'stream-dates-reformatted': { chunk: (value) => [mapStrings(value, reformattedDate)] },
} satisfies Faults;
