/** Finds the address in a submission while its body comes, without holding the body or its values. */
import { Buffer } from 'node:buffer';

/** Where the string stands in the body, with its quotes. */
export interface Literal {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What is nested deeper is left alone. */
const DEPTH_MAX = 10_000;
/** Longer strings are neither the name nor an address that is replaced, longer numbers are left alone. */
const TEXT_MAX = 8_000;

const NAME = 'webhook';
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?)$/u;

type Expected = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'comma' | 'nothing';

const code = (sign: string): number => sign.charCodeAt(0);
const [QUOTE, ESCAPE, COMMA, COLON] = [code('"'), code('\\'), code(','), code(':')];
const [SPACE, UNICODE] = [code(' '), code('u')];
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [code('{'), code('}'), code('['), code(']')];
const BLANKS: ReadonlySet<number> = new Set([...' \t\r\n'].map(code));
const SCALAR_SIGNS: ReadonlySet<number> = new Set([...'truefalsn+-.E0123456789'].map(code));
const ESCAPED: ReadonlySet<number> = new Set([...'"\\/bfnrtu'].map(code));
const HEX: ReadonlySet<number> = new Set([...'0123456789abcdefABCDEF'].map(code));
const HEX_DIGITS = 4;

/** Reads a JSON text by its bytes: what is valid for `JSON.parse` is valid here, but for what is too deep or too long. */
export class WebhookMember {
  /** No more can come of it: it is no JSON object, or has another member of this name, or one that is no string. */
  isBroken = false;
  #literal: Literal | null = null;
  #expected: Expected = 'value';
  /** Of what is open, whether it is an object. */
  readonly #open: boolean[] = [];
  /** Of the object itself, the last name. */
  #name = '';
  /** Before this piece. */
  #bytes = 0;
  /** Of the string or scalar that is being read, what it begins with; null: none is. */
  #text: number[] | null = null;
  #from = 0;
  #isString = false;
  /** Digits that an escape still needs; -1: a sign. */
  #escape = 0;

  /** The string that is the one member of this name, as far as it has come. */
  get literal(): Literal | null {
    return this.isBroken ? null : this.#literal;
  }

  /** The whole has come, and is a JSON object. */
  get isOver(): boolean {
    return !this.isBroken && this.#expected === 'nothing' && this.#text === null;
  }

  take(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !this.isBroken; at += 1) {
      const sign = piece[at]!;
      if (this.#text === null) this.#structure(sign, at);
      else if (this.#isString) this.#string(sign, at);
      else if (SCALAR_SIGNS.has(sign)) this.#keep(sign);
      else {
        this.#endScalar();
        this.#structure(sign, at);
      }
    }
    this.#bytes += piece.length;
  }

  #structure(sign: number, at: number): void {
    if (BLANKS.has(sign)) return;
    const expected = this.#expected;
    const isFirst = expected === 'first-value' || expected === 'first-name';
    const isName = expected === 'name' || expected === 'first-name';
    const isValue = expected === 'value' || expected === 'first-value';
    if (this.#open.length === 0 && (expected === 'nothing' || sign !== OBJECT)) this.isBroken = true;
    else if (sign === OBJECT_END || sign === ARRAY_END) {
      this.isBroken ||= !(isFirst || expected === 'comma') || this.#open.pop() !== (sign === OBJECT_END);
      this.#expected = this.#open.length === 0 ? 'nothing' : 'comma';
    } else if (sign === COMMA && expected === 'comma')
      this.#expected = this.#open.at(-1) === true ? 'name' : 'value';
    else if (sign === COLON && expected === 'colon') this.#expected = 'value';
    else if (sign === QUOTE && (isName || isValue)) this.#begin(sign, at, true);
    else if (!isValue || (this.#isOwnValue && this.#name === NAME)) this.isBroken = true;
    else if (sign === OBJECT || sign === ARRAY) {
      this.#open.push(sign === OBJECT);
      this.isBroken ||= this.#open.length > DEPTH_MAX;
      this.#expected = sign === OBJECT ? 'first-name' : 'first-value';
    } else if (SCALAR_SIGNS.has(sign)) this.#begin(sign, at, false);
    else this.isBroken = true;
  }

  get #isOwnValue(): boolean {
    return this.#open.length === 1;
  }

  #begin(sign: number, at: number, isString: boolean): void {
    this.#text = [sign];
    this.#from = this.#bytes + at;
    this.#isString = isString;
  }

  #keep(sign: number): void {
    if (this.#text!.length <= TEXT_MAX) this.#text!.push(sign);
  }

  #string(sign: number, at: number): void {
    this.#keep(sign);
    if (this.#escape > 0) {
      this.isBroken ||= !HEX.has(sign);
      this.#escape -= 1;
    } else if (this.#escape < 0) {
      this.isBroken ||= !ESCAPED.has(sign);
      this.#escape = sign === UNICODE ? HEX_DIGITS : 0;
    } else if (sign === ESCAPE) this.#escape = -1;
    else if (sign === QUOTE) this.#endString(this.#bytes + at + 1);
    else if (sign < SPACE) this.isBroken = true;
  }

  #endString(to: number): void {
    const isName = this.#expected === 'name' || this.#expected === 'first-name';
    this.#expected = isName ? 'colon' : 'comma';
    const bytes = this.#text!;
    this.#text = null;
    if (!this.#isOwnValue) return;
    const isLong = bytes.length > TEXT_MAX;
    if (isName) {
      this.#name = isLong ? '' : textOf(bytes);
      if (this.#name === NAME && this.#literal !== null) this.isBroken = true;
    } else if (this.#name === NAME) {
      this.isBroken ||= isLong;
      if (!isLong) this.#literal = { from: this.#from, to, text: textOf(bytes) };
    }
  }

  #endScalar(): void {
    this.isBroken ||= !SCALAR.test(String.fromCharCode(...this.#text!));
    this.#text = null;
    this.#expected = 'comma';
  }
}

const textOf = (literal: readonly number[]): string => JSON.parse(Buffer.from(literal).toString()) as string;
