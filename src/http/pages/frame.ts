import { escapeHtml } from './markdown.js';

const icon = (path: string): string =>
  `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;

/** The way around for people without a session: pages of a shop are behind the first of them. */
const PLACES = [
  { path: '', label: 'Shops', icon: 'M2.5 13.5v-3M6.2 13.5v-7M9.8 13.5v-5M13.5 13.5v-11' },
  { path: 'developers', label: 'Developers', icon: 'm5 4.5-3 3.5 3 3.5M11 4.5l3 3.5-3 3.5' },
  {
    path: 'docs',
    label: 'Docs',
    icon: 'M3 2.5h8.5A1.5 1.5 0 0 1 13 4v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13',
  },
  { path: 'bi', label: 'BI', icon: 'M2.5 4h11v9.5h-11zM2.5 7h11M6.5 7v6.5' },
] as const;

const THEME =
  'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1';

/** An entry of the contents; `path` is the address of the page without its first slash. */
export interface Entry {
  path: string;
  title: string;
}

export interface FramedPage extends Entry {
  summary: string;
  /** The page without its heading. */
  html: string;
  /** From the page to the root of the service, such as `../`. */
  root: string;
  /** Groups of the contents, by their headings. */
  contents: readonly { heading: string; entries: readonly Entry[] }[];
  /** Whether the page has a twin in Markdown. */
  hasMarkdown: boolean;
}

/** A page of the documentation in the frame of the app: whole without a script, which adds the theme and copying. */
export function framedPage(page: FramedPage): string {
  const { path, title, summary, html, root, contents, hasMarkdown } = page;
  const here = (place: string): string => {
    const isHere = place === path || (place === 'docs' && path.startsWith('docs/'));
    return isHere ? ' aria-current="page"' : '';
  };
  const places = PLACES.map(
    (place) =>
      `<a class="nav-item" href="${root}${place.path || './'}"${here(place.path)}>${icon(place.icon)}<span>${place.label}</span></a>`,
  ).join('\n');
  const groups = contents.map(
    ({ heading, entries }) =>
      `<div><b>${escapeHtml(heading)}</b>${entries
        .map(
          (entry) =>
            `<a href="${root}${entry.path}"${entry.path === path ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a>`,
        )
        .join('\n')}</div>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(title)} · Profit metrics</title>
<link rel="icon" href="${root}favicon.ico">
${hasMarkdown ? `<link rel="alternate" type="text/markdown" href="${root}${path}.md">\n` : ''}<link rel="stylesheet" href="${root}assets/style.css">
<script src="${root}assets/docs.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<div class="app">
<header class="side">
<a class="shop" href="${root || './'}"><span class="mark" aria-hidden="true">P</span><span class="shop-name"><b>Profit metrics</b><span class="small soft">Documentation</span></span></a>
<nav class="nav" aria-label="Main">
${places}
</nav>
<div class="nav push"><button type="button" class="nav-item" data-theme-switch>${icon(THEME)}<span>Light or dark</span></button></div>
</header>
<main id="main" class="main" tabindex="-1"><div class="wrap">
<div class="head"><h1>${escapeHtml(title)}</h1>${hasMarkdown ? `<a class="button wide-only" href="${root}${path}.md">As Markdown</a>` : ''}</div>
<div class="docs">
<nav class="contents" aria-label="Docs">
${groups.join('\n')}
</nav>
<article class="prose">
${html}</article>
</div>
</div></main>
<nav class="tabs" aria-label="Pages">
${places}
</nav>
</div>
</body>
</html>
`;
}
