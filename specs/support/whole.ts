/** `WHOLE=1 npm test -- kill`: all that a spec can try, where it tries a share of that otherwise. */
export const WHOLE = process.env['WHOLE'] === '1';
