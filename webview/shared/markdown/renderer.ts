import MarkdownIt, { type MarkdownIt as Renderer, type RendererRule, type StateCore, type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { markFilePaths } from './filePaths.js';
import { readFences } from './fences.js';
import { keepMath } from './math.js';
import { fileTarget, mayOpen } from '../controls/links.js';

/*
 * Converts Markdown to HTML, without side effects. HTML in the source becomes visible text. Links have no `href`: an
 * allowed target is in `data-href` for the click handler, and other links become text followed by the target. Images
 * are never fetched. `sanitize` checks the HTML again before it is added to the page.
 */

/** Returns a new renderer. Each caller has its own, because a caller may change the rules of a renderer. */
export function createRenderer(): Renderer {
  const md = new MarkdownIt({ html: false, linkify: true });
  // Makes links of whole URLs only. `readme.md` and `a@b.c` stay text.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  endBeforeNextUrl(md);
  // Accepts all targets here. The rules below refuse targets and show them as text.
  md.validateLink = () => true;
  const escape = md.utils.escapeHtml;
  const code: RendererRule = (tokens, index) => {
    const token = tokens[index];
    return `<pre data-info="${escape(infoOf(token))}"><code>${escape(token?.content ?? '')}</code></pre>\n`;
  };
  md.core.ruler.at('inline', parseText);
  // CommonMark leaves `**` as text between CJK punctuation and a CJK letter, which write no spaces.
  md.use(cjkFriendly);
  readFences(md);
  keepMath(md);
  showTasks(md);
  markFilePaths(md);
  const directed = directedBlock(md);
  Object.assign(md.renderer.rules, linkRules(md), {
    // Sets the direction of a block by its first character with a strong direction. Nested blocks inherit it.
    paragraph_open: directed,
    heading_open: directed,
    bullet_list_open: directed,
    ordered_list_open: directed,
    blockquote_open: directed,
    th_open: directed,
    td_open: directed,
    fence: code,
    code_block: code,
    // Scrolls a wide table inside a frame, so that the panel does not get wider.
    table_open: () => '<div class="table-frame" tabindex="0" role="group" aria-label="Table"><table>\n',
    table_close: () => '</table></div>\n',
  } satisfies Record<string, RendererRule>);
  return md;
}

/** Matches the start of a URL after another URL without a space, but not inside its path or query. */
const NEXT_URL = /[,;|]https?:\/\/|(?<=[\p{L}\p{N}])https?:\/\//iu;

/** Ends the link of a URL before the next URL: `https://e.org/a,https://e.org/b` has two links. */
function endBeforeNextUrl(md: Renderer): void {
  const { linkify } = new MarkdownIt();
  for (const scheme of ['http:', 'https:']) {
    md.linkify.add(scheme, {
      validate(text, from) {
        const [url = ''] = text.slice(from).split(NEXT_URL, 1);
        const match = linkify.matchAtStart(scheme + url);
        return match === null ? 0 : match.lastIndex - scheme.length;
      },
    });
  }
}

/** Parsed texts for reuse by the next parse. The key contains the text and the types of the two tokens before it. */
export type ParsedTexts = ReadonlyMap<string, Token>;

/** Parses the text of each block. Takes tokens from `env.texts` if the text has no link definitions. */
function parseText({ tokens, md, env }: StateCore): void {
  const before = env.references === undefined ? (env['texts'] as ParsedTexts | undefined) : undefined;
  const texts = new Map<string, Token>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'inline') {
      const key = `${tokens[index - 2]?.type ?? ''} ${tokens[index - 1]?.type ?? ''} ${token.content}`;
      const known = before?.get(key);
      if (known === undefined) {
        md.inline.parse(token.content, md, env, token.children ?? []);
      } else {
        // Keeps later rules, such as the rule that looks for addresses, from parsing the text again.
        token.content = '';
        token.children = known.children;
      }
      texts.set(key, token);
    }
  }
  // Does not reuse texts with link definitions: while streaming, such a definition can turn into normal text.
  env['texts'] = env.references === undefined ? texts : new Map();
}

/** Returns the info string of a fence. '' for indented code. */
export function infoOf(token: Token | undefined): string {
  return token?.type === 'fence' ? token.info.trim() : '';
}

/** Adds the text direction to a block, and the column alignment to a cell. The sanitizer would remove styles. */
function directedBlock(md: Renderer): RendererRule {
  return (tokens, index, options) => {
    const token = tokens[index];
    const align = /^text-align:(left|center|right)$/.exec(attribute(token, 'style'))?.[1];
    if (token !== undefined && (token.level === 0 || token.type === 'th_open' || token.type === 'td_open')) {
      token.attrs = [...(token.attrs ?? []).filter(([name]) => name !== 'style'), ['dir', 'auto']];
    }
    if (align !== undefined) {
      token?.attrSet('class', `align-${align}`);
    }
    return md.renderer.renderToken(tokens, index, options);
  };
}

const BOX = /^\[([ xX])\] /;

/** Shows `[ ]` and `[x]` at the start of a list item as read-only boxes. */
function showTasks(md: Renderer): void {
  md.core.ruler.push('task_lists', ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const [first] = children ?? [];
      if (tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open' && first?.type === 'text') {
        const mark = BOX.exec(first.content)?.[1];
        if (mark !== undefined) {
          first.content = first.content.replace(BOX, '');
          children?.unshift(boxOf(mark !== ' '));
        }
      }
    }
  });
  md.renderer.rules['task'] = (tokens, index) => {
    const isDone = (tokens[index]?.meta as { done: boolean } | undefined)?.done === true;
    return `<span class="task${isDone ? ' done' : ''}" role="img" aria-label="${isDone ? 'Done' : 'To do'}"></span> `;
  };
}

function boxOf(done: boolean): Token {
  const box = new MarkdownIt.Token('task', 'span', 0);
  box.meta = { done };
  return box;
}

/** Rules for links. Images become links. */
function linkRules(md: Renderer): Record<string, RendererRule> {
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
  return { link_open: linkOpen, link_close: linkClose, image };
}

/** Returns the target of the link that ends at token `index`. Links do not nest. */
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

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '');
}
