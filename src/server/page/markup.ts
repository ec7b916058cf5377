import { htmlDocument } from '../../util/html-document.js';

/**
 * The page before its script fills it. Client data is never inserted as markup: the script sets text.
 * @param token proves that a request comes from the page; of letters, digits, `-` and `_`
 */
export const markupWith = (token: string): string =>
  htmlDocument(`
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="runproof-token" content="${token}">
<title>Runproof endpoint</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_page/style.css">
<script src="/_page/script.js" defer></script>
</head>
<body>
<noscript><p class="wide">This page shows live numbers and needs its script.</p></noscript>
</body>
`);
