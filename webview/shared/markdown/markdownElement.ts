import { html, type PropertyValues, type TemplateResult } from 'lit';
import { post } from '../events.js';
import { LightElement, reactive } from '../lightElement.js';
import { fileTarget, mayOpen } from '../controls/links.js';
import { BlockView } from './blockView.js';
import { Formulas } from './formulas.js';
import { Highlighter } from './highlight.js';
import { showPaths } from './pathLinks.js';
import { createRenderer } from './renderer.js';
import { type Block, MarkdownStream, type StreamUpdate } from './stream.js';

/** Maximum share of the time that rendering a streaming text may take. The rest is for scrolling and typing. */
const MAX_LOAD = 0.25;

const renderer = createRenderer();
const tools = { highlighter: new Highlighter(), formulas: new Formulas() };

/** Shows a Markdown text that may still grow. The DOM nodes of finished blocks stay unchanged. */
export class MarkdownElement extends LightElement {
  static override properties = reactive(['text', 'streaming'], []);
  declare text: string;
  declare streaming: boolean;
  readonly #content: HTMLElement;
  #stream = new MarkdownStream(renderer);
  /** The part of the text that `#stream` has received. */
  #consumed = '';
  #finished = false;
  #open: readonly BlockView[] = [];
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

  /** Keeps the unchanged block views and renders the rest. */
  #show(step: StreamUpdate): void {
    if (step.restart) {
      this.#open = [];
      this.#content.replaceChildren();
    }
    const blocks: readonly Block[] = [...step.closed, ...step.open];
    const kept = blocks.findIndex((block, index) => this.#open[index]?.update(block) !== true);
    const views = this.#open.slice(0, kept === -1 ? blocks.length : kept);
    for (const view of this.#open.slice(views.length)) {
      view.remove();
    }
    for (const block of blocks.slice(views.length)) {
      const view = new BlockView(block, tools);
      this.#content.append(...view.nodes);
      views.push(view);
    }
    this.#open = views.slice(step.closed.length);
    showPaths(
      this,
      views.slice(0, step.closed.length).flatMap(({ nodes }) => nodes),
    );
  }
}

/** Sends the target of a chosen link to the host. The host opens workspace files, and asks before web addresses. */
function followLink(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-href]') : null;
  const href = link?.dataset['href'];
  if (link === null || href === undefined) {
    return;
  }
  event.preventDefault();
  const file = mayOpen(href) ? null : fileTarget(href);
  post(link, file === null ? { type: 'openLink', href } : { type: 'openFile', path: file.path, line: file.line ?? 1 });
}
