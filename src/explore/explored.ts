/** The `scenario` of scripts of random calls. */
export const EXPLORED = 'explore';
