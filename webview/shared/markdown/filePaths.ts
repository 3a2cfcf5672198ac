import MarkdownIt, { type MarkdownIt as Renderer, type Token } from 'markdown-it';
import { fileTarget } from '../controls/links.js';

/*
 * Marks texts that can be paths of workspace files: words of prose such as `src/a.ts:12`, and inline code that is
 * nothing but a path. The HTML has them in `data-path`. `PathLinks` makes a link of each path whose file exists.
 */

/** Matches the words of a text. Lists may have no spaces, and Chinese, Japanese and Korean write none around a path. */
const WORD = /[^\s,;|\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uFF00-\uFF60]+/gu;
/** Matches quotation marks and brackets before a path, and these and the end of a sentence after a path. */
const BEFORE = /^["'([{<«„“‘‚]+/;
const AFTER = /["')\]}>»“”’.,;:!?…]+$/;

/** Matches characters that code has more often than paths, and calls without arguments. */
const CODE = /[<>"'|*;,={}$`&]|\(\)/;
const EXTENSION = /\.[A-Za-z]\w*$/;

/** Whether a whole text can be the path of a file: with an extension or a folder, and perhaps a line number. */
function isPathLike(text: string): boolean {
  const path = CODE.test(text) ? undefined : fileTarget(text)?.path;
  return path !== undefined && /\p{L}/u.test(path) && !path.endsWith('/') && (EXTENSION.test(path) || path.includes('/'));
}

export function markFilePaths(md: Renderer): void {
  const escape = md.utils.escapeHtml;
  md.core.ruler.push('file_paths', ({ tokens }) => {
    for (const token of tokens) {
      // The parser has marked a reused text before. Its content is empty.
      if (token.type === 'inline' && token.content !== '') {
        token.children = marked(token.children ?? []);
      }
    }
  });
  md.renderer.rules['file_path'] = (tokens, index) => {
    const { content = '', markup = '' } = tokens[index] ?? {};
    const shown = markup === '' ? escape(content) : `<code>${escape(content)}</code>`;
    return `<span data-path="${escape(content)}">${shown}</span>`;
  };
}

/** Returns the tokens of a text with marked paths. Links stay as they are. */
function marked(children: readonly Token[]): Token[] {
  let isInLink = false;
  return children.flatMap((child) => {
    if (child.type === 'link_open' || child.type === 'link_close') {
      isInLink = child.type === 'link_open';
    } else if (!isInLink && child.type === 'text') {
      return wordsOf(child);
    } else if (!isInLink && child.type === 'code_inline' && isPathLike(child.content)) {
      return pathToken(child.content, child.markup);
    }
    return child;
  });
}

/** Splits a text at its paths. */
function wordsOf(text: Token): readonly Token[] {
  const { content } = text;
  const pieces: Token[] = [];
  let end = 0;
  for (const { 0: word, index } of content.matchAll(WORD)) {
    const from = index + (BEFORE.exec(word)?.[0].length ?? 0);
    const path = content.slice(from, index + word.length).replace(AFTER, '');
    if (/[./]/.test(path) && !path.includes(' ') && isPathLike(path)) {
      pieces.push(textToken(content.slice(end, from)), pathToken(path, ''));
      end = from + path.length;
    }
  }
  return end === 0 ? [text] : [...pieces, textToken(content.slice(end))];
}

function textToken(content: string): Token {
  const token = new MarkdownIt.Token('text', '', 0);
  token.content = content;
  return token;
}

/** `markup`: the backticks of inline code, or ''. */
function pathToken(path: string, markup: string): Token {
  const token = new MarkdownIt.Token('file_path', '', 0);
  token.content = path;
  token.markup = markup;
  return token;
}
