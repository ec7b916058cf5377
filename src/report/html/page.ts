/** The frame of every page: it runs no script but its own, and sends no request, or, if it is live, only to its own server. */
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
  /** Its script asks its server what is new. It has an icon, lest a browser ask for one. */
  readonly isLive?: boolean;
}

/** What a live page loads besides, from its own server. */
const LIVE = " connect-src 'self'; img-src data:;";

/** The page as HTML. */
export const page = ({ title, body, style = '', script = '', isLive = false }: Page): string =>
  htmlDocument(
    h`<head><meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script, isLive ? LIVE : '')}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title} – Runproof</title>${isLive ? h`<link rel="icon" href="data:," />` : null}
<style>${trusted(STYLE + style)}</style></head><body>
${body}${script === '' ? h`` : h`<script>${trusted(script)}</script>`}</body>`.markup,
  );
