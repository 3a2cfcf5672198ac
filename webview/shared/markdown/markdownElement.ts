import { html, type PropertyValues, type TemplateResult } from 'lit';
import { post } from '../events.js';
import { LightElement } from '../lightElement.js';
import { CodeBlock } from './codeBlock.js';
import { Highlighter } from './highlight.js';
import { createRenderer } from './renderer.js';
import { sanitize } from './sanitize.js';
import { type Block, MarkdownStream, type Step } from './stream.js';

/** Rendering takes at most this share of the time while a text streams: the rest is for scrolling and typing. */
const MAX_LOAD = 0.25;

const renderer = createRenderer();
const highlighter = new Highlighter();

/** A block with what shows it. */
interface Shown {
  readonly block: Block;
  readonly nodes: readonly ChildNode[];
  /** The view of a top-level code block, which can grow. */
  readonly code: CodeBlock | null;
}

/** Shows a Markdown text that may still be growing. Nodes of closed blocks are never touched again. */
export class MarkdownElement extends LightElement {
  static override properties = { text: { attribute: false }, streaming: { attribute: false } };
  declare text: string;
  declare streaming: boolean;
  readonly #content: HTMLElement;
  #stream = new MarkdownStream(renderer);
  /** The part of the text that the stream has read. */
  #consumed = '';
  #finished = false;
  #open: readonly Shown[] = [];
  #notBefore = 0;
  #timer = 0;

  constructor() {
    super();
    this.text = '';
    this.streaming = false;
    this.#content = document.createElement('div');
    this.#content.className = 'markdown';
    this.#content.addEventListener('click', followLink);
    this.#content.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        followLink(event);
      }
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    return html`${this.#content}`;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    window.clearTimeout(this.#timer);
    const wait = this.#notBefore - performance.now();
    if (this.streaming && wait > 0) {
      this.#timer = window.setTimeout(this.#advance, wait);
    } else {
      this.#advance();
    }
  }

  readonly #advance = (): void => {
    if (this.#finished && this.text === this.#consumed) {
      return;
    }
    const started = performance.now();
    if (this.#finished || !this.text.startsWith(this.#consumed)) {
      this.#restart();
    }
    this.#show(this.#stream.append(this.text.slice(this.#consumed.length)));
    this.#consumed = this.text;
    if (!this.streaming) {
      this.#show(this.#stream.finish());
      this.#finished = true;
    }
    const took = performance.now() - started;
    this.#notBefore = started + took / MAX_LOAD;
  };

  #restart(): void {
    this.#stream = new MarkdownStream(renderer);
    this.#consumed = '';
    this.#finished = false;
    this.#open = [];
    this.#content.replaceChildren();
  }

  /** Keeps what is shown as far as it still fits; renders the rest. */
  #show(step: Step): void {
    if (step.restart) {
      this.#open = [];
      this.#content.replaceChildren();
    }
    const before = this.#open;
    const shown: Shown[] = [];
    let fits = true;
    for (const [index, block] of [...step.closed, ...step.open].entries()) {
      const old = before[index];
      const kept = fits && old !== undefined ? updated(old, block) : null;
      if (kept === null && fits) {
        fits = false;
        before.slice(index).forEach(remove);
      }
      const next = kept ?? rendered(block);
      if (kept === null) {
        this.#content.append(...next.nodes);
      }
      shown.push(next);
    }
    before.slice(shown.length).forEach(remove);
    this.#open = shown.slice(step.closed.length);
  }
}

/** The old view brought up to the block; null when it takes a new one. */
function updated(old: Shown, block: Block): Shown | null {
  if (isSameBlock(old.block, block)) {
    return old;
  }
  const isGrowingCode =
    old.block.kind === 'code' &&
    block.kind === 'code' &&
    !old.block.complete &&
    old.block.start === block.start &&
    old.block.language === block.language;
  if (!isGrowingCode || old.code === null) {
    return null;
  }
  if (block.complete) {
    old.code.complete(block.text, highlighter);
    return { ...old, block };
  }
  return old.code.grow(block.text) ? { ...old, block } : null;
}

function isSameBlock(a: Block, b: Block): boolean {
  if (a.start !== b.start) {
    return false;
  }
  return a.kind === 'html'
    ? b.kind === 'html' && a.html === b.html
    : b.kind === 'code' && a.complete === b.complete && a.language === b.language && a.text === b.text;
}

function rendered(block: Block): Shown {
  if (block.kind === 'code') {
    const code = new CodeBlock(block.language);
    if (block.complete) {
      code.complete(block.text, highlighter);
    } else {
      code.grow(block.text);
    }
    return { block, nodes: [code.element], code };
  }
  const fragment = sanitize(block.html);
  for (const frame of fragment.querySelectorAll<HTMLElement>('pre[data-language]')) {
    const code = new CodeBlock(frame.dataset['language'] ?? '');
    code.complete(frame.textContent, highlighter);
    frame.replaceWith(code.element);
  }
  return { block, nodes: [...fragment.childNodes], code: null };
}

function remove(shown: Shown): void {
  for (const node of shown.nodes) {
    node.remove();
  }
}

/** Hands a link's target to the host, which asks before it opens anything. */
function followLink(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-href]') : null;
  const href = link?.dataset['href'];
  if (link !== null && href !== undefined) {
    event.preventDefault();
    post(link, { type: 'openLink', href });
  }
}
