/** Texts that do something where they are shown: in a terminal, a browser, a spreadsheet, a build log. */
import type { Answer, Call, Mode } from '../mode.js';
import { headers, laterAnswers, members, type Answers } from './helpers.js';

/** Whatever of a record a report might show. */
const everywhere =
  (text: string): Answers =>
  (call: Call, plain: Answer) =>
    headers(() => ({ 'content-type': 'application/json', 'x-text': oneLine(text) }))(
      call,
      members(({ status, output }) => ({
        status: call.operation === 'status' && call.number % 2 === 0 ? text : status,
        output: { [text]: text, was: output },
        error: text,
        [text]: { [text]: [text] },
      }))(call, plain),
    );

/** A refusal that is not JSON shows its text unchanged. */
const asText =
  (text: string): Answers =>
  (call, plain) =>
    plain.status !== 200 || call.operation === 'status' || call.operation === 'stream'
      ? {
          status: plain.status,
          headers: { 'content-type': oneLine(text), 'x-text': oneLine(text) },
          body: text,
        }
      : plain;

/** Characters that headers may not contain have their own mode. */
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 4_000);

const TEXTS: readonly (readonly [string, string, string])[] = [
  [
    'terminal',
    'text that clears the screen, sets the title and types',
    '\u001b[2J\u001b]0;hostile\u0007\u001b[31m\u001b]52;c;aG9zdGlsZQ==\u0007\u001bP+q\u001b\\',
  ],
  [
    'c1',
    'controls of one byte, as old terminals know them',
    'a\u009b31mb\u009d0;hostile\u009cc\u0090d\u0085e\u008e',
  ],
  [
    'bidi',
    'text that turns around and hides',
    'a\u202eb\u2066c\u2069d\u200ee\u200bf\u061cg\ufeffh\u2028i\u2029j',
  ],
  [
    'carriage-returns',
    'text that writes over its own line',
    'FAILED\rPASSED\r\n\u0008\u0008\u0008ok\u000b\u000c\u007f',
  ],
  ['script', 'a script', '<script>hostile()</script><svg onload=hostile()><img src=x onerror="hostile()">'],
  [
    'attributes',
    'text that leaves an attribute',
    `" onmouseover="hostile()" x='' onfocus='hostile()' autofocus style="background:url(javascript:hostile())" \``,
  ],
  [
    'closing-tags',
    'tags that end scripts, styles, titles and comments',
    '</script></style></title></textarea>--></template><script>hostile()</script>]]><!--',
  ],
  [
    'links',
    'addresses that run',
    '[x](javascript:hostile()) ![x](http://hostile.example/x.png) <javascript:hostile()> http://hostile.example/',
  ],
  [
    'markdown',
    'text that leaves a cell, a fence and a heading',
    '| `x` |\n```\n# hostile\n<details open ontoggle=hostile()>\n````\n\n---\n<!--',
  ],
  [
    'xml',
    'text that ends CDATA, names entities and cannot stand in XML',
    ']]> &xxe; <!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]> \u0000\u0001\ufffe\uffff\u000b',
  ],
  [
    'workflow-commands',
    'commands to build servers',
    'x\n::error::hostile\n::set-output name=a::b\n##vso[task.setvariable]x\n::stop-commands::x\n',
  ],
  ['tap', 'lines of TAP', 'x\nok 999 - hostile\nBail out! hostile\n1..0\n  ---\n  ...\n'],
  ['spreadsheet', 'formulas', '=HYPERLINK("http://hostile.example";"x")\n+cmd|\' /C calc\'!A0\n@SUM(1)\t,"'],
  [
    'shell',
    'commands',
    "$(touch /tmp/hostile) `touch /tmp/hostile` '; touch /tmp/hostile; ' \"\n&& touch /tmp/hostile",
  ],
  [
    'formats',
    'words of format strings and templates',
    '%s%n%p%d {{constructor.constructor("hostile()")()}} ${hostile()} <%= hostile() %> $& $1 $`',
  ],
  ['combining', 'ten thousand marks on one letter', `a${'\u0301'.repeat(10_000)}`],
  ['long-word', 'a word of 100,000 letters', 'w'.repeat(100_000)],
  [
    'private-use',
    'characters beyond the first plane, private ones and none at all',
    '\u{e0001}\u{e0041}\u{f0000}\u{10ffff}\ufdd0\ue000\u2062\ufff9',
  ],
];

export const TEXT_MODES: readonly Mode[] = TEXTS.flatMap(([name, what, text]) => [
  { name: `text-${name}`, what: `puts ${what} into every record and header`, answers: everywhere(text) },
  {
    name: `page-${name}`,
    what: `answers refusals and statuses with ${what}`,
    answers: laterAnswers(asText(text)),
  },
]);
