import type { MarkdownIt as Renderer, StateBlock } from 'markdown-it';

/*
 * Keeps TeX formulas as written, without Markdown escapes and emphasis. Inline formulas are `\(…\)`, `\[…\]`, `$…$` and
 * `$$…$$` inside a paragraph. A block formula starts with a line that begins with `\[` or `$$`, and ends with the line
 * of the closing mark, or at a blank line. `formulas.ts` renders them.
 */

const BACKSLASH = 0x5c;
const DOLLAR = 0x24;
const CLOSING = { '\\(': '\\)', '\\[': '\\]', $$: '$$' } as const;

/** Pandoc's rule for `$…$`: no space at the ends of the formula, no digit after the last dollar. `$5 or $6` is text. */
const DOLLARS = /^\$(?=[^\s$])[^$\n]*[^\s$]\$(?!\d)|^\$[^\s$]\$(?!\d)/;

export function keepMath(md: Renderer): void {
  /** Closing marks that the rest of a text does not contain. Repeated searches would take quadratic time. */
  const missing = new WeakMap<object, Set<string>>();
  md.inline.ruler.before('escape', 'math', (state, silent) => {
    if (!mayBegin(state.src, state.pos)) {
      return false;
    }
    const gone = missing.get(state) ?? new Set();
    missing.set(state, gone);
    const length = mathLength(state.src.slice(state.pos, state.posMax), gone);
    if (length === 0) {
      return false;
    }
    if (!silent) {
      state.push('math', '', 0).content = state.src.slice(state.pos, state.pos + length);
    }
    state.pos += length;
    return true;
  });
  md.block.ruler.before(
    'fence',
    'math_block',
    (state, from, end, silent) => {
      const opening = mayBegin(state.src, contentStart(state, from)) ? lineOf(state, from) : '';
      const closing = closingOf(opening);
      if (closing === null || (state.sCount[from] ?? 0) - state.blkIndent >= 4 || opening.slice(2).includes(closing)) {
        return false;
      }
      if (silent) {
        return true;
      }
      const until = blockEnd(state, from, end, closing);
      const token = state.push('math_block', 'div', 0);
      token.content = state.getLines(from, until, state.blkIndent, false).trim();
      token.map = [from, until];
      state.line = until;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  md.renderer.rules['math'] = (tokens, index) => `<span class="math">${md.utils.escapeHtml(tokens[index]?.content ?? '')}</span>`;
  md.renderer.rules['math_block'] = (tokens, index) => `<div class="math">${md.utils.escapeHtml(tokens[index]?.content ?? '')}</div>\n`;
}

/** Returns the length of the formula at the start of the text, or 0. Adds a missing closing mark to `gone`. */
function mathLength(text: string, gone: Set<string>): number {
  const closing = closingOf(text);
  if (closing === null) {
    return DOLLARS.exec(text)?.[0].length ?? 0;
  }
  const end = gone.has(closing) ? -1 : text.indexOf(closing, 2);
  if (end === -1) {
    gone.add(closing);
  }
  return end <= 2 ? 0 : end + 2;
}

/** Returns the line after a block formula. The formula ends with its closing mark, or before a blank line. */
function blockEnd(state: StateBlock, from: number, end: number, closing: string): number {
  let until = from + 1;
  let last = lineOf(state, from).slice(2);
  while (until < end && !state.isEmpty(until) && (state.sCount[until] ?? 0) >= state.blkIndent && !last.includes(closing)) {
    last = lineOf(state, until);
    until += 1;
  }
  return until;
}

function contentStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(contentStart(state, line), state.eMarks[line]);
}

/** Whether a formula may start here. Checks a single character, because this runs at nearly every position. */
function mayBegin(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  return code === BACKSLASH || code === DOLLAR;
}

function closingOf(text: string): string | null {
  const opening = text.slice(0, 2);
  return opening in CLOSING ? CLOSING[opening as keyof typeof CLOSING] : null;
}
