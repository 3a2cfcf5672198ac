import type { Block, GroupBlock } from './stream.js';
import { CodeBlock } from './codeBlock.js';
import type { Highlighter } from './highlight.js';
import type { Formulas } from './formulas.js';
import { sanitize } from './sanitize.js';

interface BlockTools {
  readonly highlighter: Highlighter;
  readonly formulas: Formulas;
}

type CodeText = Pick<Extract<Block, { kind: 'code' }>, 'text' | 'complete'>;

/** Selector of the elements that contain the items of a list or table. */
const HOLDER = 'tbody, ul, ol';

/** A block with its DOM nodes. Appends new text to code. Keeps items of lists and tables up to the first change. */
export class BlockView {
  readonly nodes: readonly ChildNode[];
  readonly #tools: BlockTools;
  /** The view of a code block. Null for other blocks. */
  readonly #code: CodeBlock | null;
  #block: Block;

  constructor(block: Block, tools: BlockTools) {
    this.#block = block;
    this.#tools = tools;
    if (block.kind === 'code') {
      this.#code = new CodeBlock(block.info);
      this.nodes = [this.#code.element];
      if (block.complete) {
        this.#code.complete(block.text, tools.highlighter);
      } else {
        this.#code.grow(block.text);
      }
    } else {
      this.#code = null;
      const html = block.kind === 'html' ? block.html : block.open + block.items.join('') + block.close;
      this.nodes = [...this.#fragment(html).childNodes];
    }
  }

  /** Changes the DOM nodes to the new version of the block. Returns false when the block needs new DOM nodes. */
  update(block: Block): boolean {
    const before = this.#block;
    this.#block = block;
    if (before.start !== block.start) {
      return false;
    }
    if (before.kind === 'group' && block.kind === 'group') {
      return before.open === block.open && this.#growGroup(before, block);
    }
    if (before.kind === 'code' && block.kind === 'code') {
      return before.info === block.info && this.#growCode(before, block);
    }
    return before.kind === 'html' && block.kind === 'html' && before.html === block.html;
  }

  remove(): void {
    for (const node of this.nodes) {
      node.remove();
    }
  }

  #growCode(before: CodeText, { text, complete }: CodeText): boolean {
    if (before.complete) {
      return complete && before.text === text;
    }
    if (complete) {
      this.#code?.complete(text, this.#tools.highlighter);
      return true;
    }
    return this.#code?.grow(text) === true;
  }

  /** Keeps all items before the first changed item, and replaces the rest. */
  #growGroup(before: GroupBlock, { items, open }: GroupBlock): boolean {
    const holder = this.nodes
      .filter((node) => node instanceof Element)
      .map((node) => (node.matches(HOLDER) ? node : node.querySelector(HOLDER)))
      .find((node) => node !== null);
    if (holder === undefined) {
      return false;
    }
    const same = items.findIndex((item, index) => item !== before.items[index]);
    const kept = same === -1 ? items.length : same;
    for (const item of [...holder.children].slice(kept)) {
      item.remove();
    }
    const html = items.slice(kept).join('');
    // Adds a table around rows, because the HTML parser accepts rows only inside a table.
    const fragment = this.#fragment(open.includes('<tbody>') ? `<table><tbody>${html}</tbody></table>` : `<ul>${html}</ul>`);
    holder.append(...(fragment.querySelector(HOLDER)?.children ?? []));
    return true;
  }

  /** Returns sanitized HTML with rendered code blocks and formulas. */
  #fragment(html: string): DocumentFragment {
    const fragment = sanitize(html);
    for (const frame of fragment.querySelectorAll<HTMLElement>('pre[data-info]')) {
      const code = new CodeBlock(frame.dataset['info'] ?? '');
      code.complete(frame.textContent, this.#tools.highlighter);
      frame.replaceWith(code.element);
    }
    this.#tools.formulas.show(fragment);
    return fragment;
  }
}
