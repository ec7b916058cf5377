export const isPackage: RegExp;
export function bundle(modules: { readonly [file: string]: string }, dir: string): Promise<void>;
export function compileProofs(): Promise<void>;
export function compileTree(root: string): Promise<void>;
