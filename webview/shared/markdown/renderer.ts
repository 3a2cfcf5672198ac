import MarkdownIt, { type MarkdownIt as Renderer, type RendererRule, type Token } from 'markdown-it';
import { mayOpen } from '../links.js';

/*
 * Markdown to HTML, pure. HTML in the source stays text. Links have no `href`: one that may open carries its target
 * in `data-href`, where a click handler finds it; any other is text followed by its target. Images are never
 * fetched. What comes out is sanitized once more before it reaches the document.
 */

/** A renderer of its own for each caller: markdown-it instances can be reconfigured. */
export function createRenderer(): Renderer {
  const md = new MarkdownIt({ html: false, linkify: true });
  // Only what is written as a whole URL: `readme.md` and `a@b.c` are no links.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  // The policy is in the rules below, which also show the targets that are refused.
  md.validateLink = () => true;
  const escape = md.utils.escapeHtml;
  const linkOpen: RendererRule = (tokens, index) => {
    const href = attribute(tokens[index], 'href');
    return mayOpen(href) ? `<a role="link" tabindex="0" data-href="${escape(href)}" title="${escape(href)}">` : '<span class="inert-link">';
  };
  const linkClose: RendererRule = (tokens, index) => {
    const href = openingHref(tokens, index);
    return mayOpen(href) ? '</a>' : `</span><span class="link-target"> (${escape(href)})</span>`;
  };
  const image: RendererRule = (tokens, index, options, env) => {
    const token = tokens[index];
    const alt = md.renderer.renderInlineAsText(token?.children ?? [], options, env);
    return `<span class="inert-image">[image: ${escape(alt)}] ${escape(attribute(token, 'src'))}</span>`;
  };
  const code: RendererRule = (tokens, index) => {
    const token = tokens[index];
    const language = escape(languageOf(token?.info ?? ''));
    return `<pre data-language="${language}"><code>${escape(token?.content ?? '')}</code></pre>\n`;
  };
  Object.assign(md.renderer.rules, {
    link_open: linkOpen,
    link_close: linkClose,
    image,
    fence: code,
    code_block: code,
    // A wide table scrolls within its frame instead of widening the panel.
    table_open: () => '<div class="table-frame" tabindex="0" role="group" aria-label="Table"><table>\n',
    table_close: () => '</table></div>\n',
  } satisfies Record<string, RendererRule>);
  return md;
}

/** The language of a fence: the first word of its info string. */
export function languageOf(info: string): string {
  return /^\S*/.exec(info.trim())?.[0] ?? '';
}

/** The target of the link that the closing token at `index` ends. Links do not nest. */
function openingHref(tokens: readonly Token[], index: number): string {
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.type === 'link_open') {
      return attribute(token, 'href');
    }
  }
  return '';
}

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '');
}
