/** The frame of every page: it sends no request, and runs no script but its own. */
import { createHash } from 'node:crypto';
import { h, trusted, type Markup } from './markup.js';
import { htmlDocument } from '../../util/html-document.js';
import { STYLE } from './style.js';

/** The browser runs this script only: a second barrier after the escaping. @param loads what else it may load */
export function contentPolicy(script: string, loads = ''): string {
  const hash = createHash('sha256').update(script).digest('base64');
  const scripts = script === '' ? '' : ` script-src 'sha256-${hash}';`;
  return `default-src 'none'; style-src 'unsafe-inline';${loads}${scripts} base-uri 'none'; form-action 'none'`;
}

interface Page {
  readonly title: string;
  readonly body: Markup;
  /** Besides that of every page. */
  readonly style?: string;
  readonly script?: string;
}

/** The page as HTML. */
export const page = ({ title, body, style = '', script = '' }: Page): string =>
  htmlDocument(
    h`<head><meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script)}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title} – Runproof</title>
<style>${trusted(STYLE + style)}</style></head><body>
${body}${script === '' ? h`` : h`<script>${trusted(script)}</script>`}</body>`.markup,
  );
