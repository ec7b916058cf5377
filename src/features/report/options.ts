/** The options of `report`. */
import { FORMAT, json, MIN_DECIDED, OPEN, out } from '../../cli/option-table.js';

export const ACTIONS = ['merge', 'diff', 'render', 'matrix', 'badge'] as const;

/** The folder of `report merge`. */
export const MERGED = 'reports/merged';

/** The option, of the action `merge`. */
const ofMerge = <O extends { readonly describe?: string | undefined }>({ describe = '', ...more }: O) => ({
  ...more,
  describe: `merge: ${describe.charAt(0).toLowerCase()}${describe.slice(1)}`,
});

export const REPORT_OPTIONS = {
  format: { ...FORMAT.format, defaultDescription: 'terminal,json,html for merge, terminal for render' },
  ...out(`${MERGED} for merge, the folder of the report for render`),
  'min-decided': ofMerge(MIN_DECIDED['min-decided']),
  'require-conforms': ofMerge(MIN_DECIDED['require-conforms']),
  ...json('diff, matrix: print JSON'),
  ...OPEN,
};
