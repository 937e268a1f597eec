import { Marked, type Tokens } from 'marked';
import { prettyOutput } from './pretty-output.js';

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** An address within a page, as GitHub makes them of headings. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

/** A code that is a cell by itself: in a table of codes, each row can be linked to. */
const CODE = /^`([a-z][a-z0-9_]*)`$/;

interface Rendered {
  /** Of the first heading, which the body lacks. */
  title: string;
  /** The first paragraph as plain text. */
  summary: string;
  html: string;
}

/**
 * The HTML of our own Markdown. Headings, and rows that begin with a code, can be linked to; HTML in the text is shown and not
 * run; links to pages, which begin with `/`, are made relative by `root`, so that the pages work below a path of a proxy too.
 */
export function renderMarkdown(markdown: string, root: string): Rendered {
  const ids = new Map<string, number>();
  const uniqueId = (text: string): string => {
    const id = slug(text) || 'section';
    const count = (ids.get(id) ?? 0) + 1;
    ids.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };

  const marked = new Marked({
    // Addresses in examples are no links.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = uniqueId(text);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [language = '', name = ''] = lang.split(' ');
        const head =
          language === 'output'
            ? '<span>prints</span>'
            : `<span>${escapeHtml(name)}</span><button type="button" class="copy quiet">Copy</button>`;
        return `<div class="snippet"><div class="soft small">${head}</div><pre class="code" tabindex="0"><code>${escapeHtml(language === 'output' ? prettyOutput(text) : text)}</code></pre></div>\n`;
      },
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const isOfCodes = header[0]?.text === 'Code';
        const body = rows.map((row) => {
          const name = isOfCodes ? CODE.exec(row[0]?.text ?? '')?.[1] : undefined;
          const id = name === undefined ? '' : ` id="${uniqueId(name)}"`;
          return `<tr${id}>${cells(row, 'td')}</tr>`;
        });
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const target = href.startsWith('/') ? root + href.slice(1) : href;
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
      html: ({ text }) => escapeHtml(text),
    },
  });

  const tokens = marked.lexer(markdown);
  const first = tokens.find((token) => token.type === 'heading');
  const intro = tokens.find((token) => token.type === 'paragraph');
  const plain = (text = ''): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return {
    title: first?.type === 'heading' ? plain((first as Tokens.Heading).text) : '',
    summary: intro?.type === 'paragraph' ? plain((intro as Tokens.Paragraph).text).replace(/\s+/g, ' ') : '',
    html: marked.parser(tokens.filter((token) => token !== first)),
  };
}
