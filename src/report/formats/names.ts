/** The names of the formats, apart from their renderers, which take longer to load. */
export const FORMATS = [
  'json',
  'html',
  'junit',
  'ctrf',
  'sarif',
  'tap',
  'markdown',
  'github',
  'har',
] as const;

/** A format that is written to a file; `terminal` is printed. @internal */
export type Format = (typeof FORMATS)[number];

/** Every form of a report: printed, or written to a file. @public */
export type FormatName = Format | 'terminal';

/** Of a run that names none. */
export const FORMATS_DEFAULT: readonly FormatName[] = ['terminal', 'json', 'html'];

export const FORMAT_NAMES: readonly FormatName[] = ['terminal', ...FORMATS];
