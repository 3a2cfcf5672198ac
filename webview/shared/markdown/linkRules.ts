import type { MarkdownIt as Renderer, RendererRule, Token } from 'markdown-it';
import { fileTarget, mayOpen } from '../controls/links.js';

/** Rules for links. Addresses of images and inline code that names a file with a line also become links. */
export function linkRules(md: Renderer): Record<string, RendererRule> {
  const escape = md.utils.escapeHtml;
  const openingOf = (href: string): string => `<a role="link" tabindex="0" data-href="${escape(href)}" title="${escape(href)}">`;
  const linkOpen: RendererRule = (tokens, index) => {
    const href = attribute(tokens[index], 'href');
    return isLink(href) ? openingOf(href) : '<span class="inert-link">';
  };
  const linkClose: RendererRule = (tokens, index) => {
    const href = openingHref(tokens, index);
    return isLink(href) ? '</a>' : `</span><span class="link-target"> (${escape(href)})</span>`;
  };
  const image: RendererRule = (tokens, index, options, env) => {
    const token = tokens[index];
    const alt = md.renderer.renderInlineAsText(token?.children ?? [], options, env);
    const src = attribute(token, 'src');
    const address = mayOpen(src) && !isInLink(tokens, index) ? `${openingOf(src)}${escape(src)}</a>` : escape(src);
    return `<span class="inert-image">[image: ${escape(alt)}] ${address}</span>`;
  };
  const codeInline: RendererRule = (tokens, index) => {
    const text = tokens[index]?.content ?? '';
    const html = `<code>${escape(text)}</code>`;
    return (fileTarget(text)?.line ?? null) !== null && !isInLink(tokens, index) ? `${openingOf(text)}${html}</a>` : html;
  };
  return { link_open: linkOpen, link_close: linkClose, image, code_inline: codeInline };
}

/** Returns the target of the link whose closing token is at `index`. Links do not nest. */
function openingHref(tokens: readonly Token[], index: number): string {
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.type === 'link_open') {
      return attribute(token, 'href');
    }
  }
  return '';
}

/** Whether the panel can open the target: an address, or a file of the workspace. */
function isLink(href: string): boolean {
  return mayOpen(href) || fileTarget(href) !== null;
}

function isInLink(tokens: readonly Token[], index: number): boolean {
  const last = tokens.slice(0, index).findLast(({ type }) => type === 'link_open' || type === 'link_close');
  return last?.type === 'link_open';
}

export function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '');
}
