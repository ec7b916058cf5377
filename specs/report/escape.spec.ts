import { describe, expect, it } from 'vitest';
import {
  truncated,
  jsonText,
  escapeMarkdown,
  escapeMarkup,
  escapeControls,
  quoteForShell,
  escapeWorkflowMessage,
  escapeWorkflowProperty,
} from '../../src/report/escape.js';

describe('escapeControls', () => {
  it('does not change printable text of any language', () => {
    expect(escapeControls('a “b” ß 日本 🎉 {"x":1}')).toBe('a “b” ß 日本 🎉 {"x":1}');
  });

  it.each([
    ['\u001b[31m', '\\u001b[31m'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['\u009b0m', '\\u009b0m'],
    ['\u202eabc', '\\u202eabc'],
    ['\u2066x\u200b', '\\u2066x\\u200b'],
    ['\ud800x', '\\ud800x'],
    ['\u0000\u007f', '\\u0000\\u007f'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\u3164\u180e', '\\u3164\\u180e'],
  ])('writes %j as its escape', (text, escaped) => expect(escapeControls(text)).toBe(escaped));
});

describe('JSON', () => {
  const RAW =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\uffff]|\p{Surrogate}/u;
  const hostile = String.fromCharCode(...Array.from({ length: 0x10000 }, (_, unit) => unit)) + '\u{e0041}';

  it.each([undefined, 2])(
    'holds nothing raw that a terminal or an editor acts upon, and reads back the same (%j)',
    (indent) => {
      const text = jsonText({ [hostile]: [hostile, 'ß 日本 🎉'] }, indent);
      expect(RAW.test(text)).toBe(false);
      expect(JSON.parse(text)).toEqual({ [hostile]: [hostile, 'ß 日本 🎉'] });
      expect(text).toContain('ß 日本 🎉');
    },
  );
});

describe('truncated', () => {
  it('says how much is missing', () => {
    expect(truncated('x'.repeat(100), 60)).toBe(`${'x'.repeat(60)}… (40 more characters)`);
    expect(truncated('x'.repeat(60), 60)).toBe('x'.repeat(60));
  });
});

it('escapeMarkup escapes what ends text or an attribute', () => {
  expect(escapeMarkup(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
});

it('escapeMarkdown prevents foreign text from becoming markup, a link or a table cell', () => {
  expect(escapeMarkdown('a | [b](c) <d> `e` *f*')).toBe('a \\| \\[b\\]\\(c\\) \\<d\\> \\`e\\` \\*f\\*');
});

describe('quoteForShell', () => {
  it.each([
    ['/v2/x?y=1', "'/v2/x?y=1'"],
    ['plain-word_1.txt', 'plain-word_1.txt'],
    ["it's", "'it'\\''s'"],
    ['$HOME `id`', "'$HOME `id`'"],
    ['a\nb', "$'a\\nb'"],
    ["\u001b'\\", "$'\\u001b\\'\\\\'"],
    ['\u{e0041}', "$'\\U000e0041'"],
  ])('%j', (text, word) => expect(quoteForShell(text)).toBe(word));
});

it('foreign text cannot end a workflow command', () => {
  expect(escapeWorkflowMessage('50%\n::error::x')).toBe('50%25%0A::error::x');
  expect(escapeWorkflowProperty('a:b,c\n')).toBe('a%3Ab%2Cc\\n');
});
