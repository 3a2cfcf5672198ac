import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatView, ContextRows, EntryView, OutputSoFar } from '../../src/protocol/view.js';
import type { Disclosures } from '../shared/disclosures.js';
import { post } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import { tokens } from '../shared/numbers.js';
import { follows } from './following.js';
import type { EntryElement } from './entries/entryElement.js';

/** So near to the end counts as being there: a scroll position is seldom exact. */
const NEAR_END = 24;

/** Laying out what came into sight takes a frame or two. */
const STILL_FRAMES = 3;
/** Half a second: what has not come to rest by then is moved by something else. */
const MOST_FRAMES = 30;

/**
 * The scrolling list of entries. It follows the end while the user is there and stays put when the user has scrolled
 * up; earlier messages enter above, and later ones below, without moving what is on screen.
 */
export class ConversationElement extends LightElement {
  static override properties = reactive(['chat', 'entries', 'outputs', 'contextRows', 'editing', 'isLocked', 'disclosures'], ['isAway']);
  declare chat: ChatView;
  declare entries: readonly EntryView[];
  declare outputs: readonly OutputSoFar[];
  declare contextRows: Readonly<Record<string, ContextRows>>;
  declare editing: string | null;
  /** No message can be edited or answered anew now. */
  declare isLocked: boolean;
  declare disclosures: Disclosures;
  /** The end is out of sight. */
  declare private isAway: boolean;
  /** The user is at the end and wants to stay there. */
  #follows = true;
  readonly #resized: ResizeObserver;
  /** Height below the top edge before earlier messages come in above; null when none were asked for. */
  #belowTop: number | null = null;
  /** The last entry before later ones come in below; null when none were asked for. */
  #focusAfter: string | null = null;
  #lastTop = 0;

  constructor() {
    super();
    this.isAway = false;
    this.#resized = new ResizeObserver(() => {
      this.#followEnd();
      this.#follows ||= this.#isAtEnd();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  /** Brings an entry into sight and puts the focus on it, for the eye as for the screen reader. */
  async reveal(entryId: string): Promise<void> {
    await this.updateComplete;
    const article = await this.#articleOf(entryId);
    if (article === null) {
      throw new Error(`There is no entry ${entryId} to bring into sight`);
    }
    this.#follows = false;
    article.focus({ preventScroll: true });
    await this.#bringIntoSight(article);
  }

  /** What of an entry can have the focus; null when it is not on show. */
  async #articleOf(entryId: string): Promise<HTMLElement | null> {
    const entry = this.querySelector<EntryElement>(`loupe-entry[data-entry="${CSS.escape(entryId)}"]`);
    await entry?.updateComplete;
    const article = entry?.querySelector('article') ?? null;
    article?.setAttribute('tabindex', '-1');
    return article;
  }

  /** What comes into sight beside it is laid out only then, and moves it: again, until it stays. */
  async #bringIntoSight(article: HTMLElement): Promise<void> {
    let top = Number.NaN;
    let still = 0;
    for (let frames = 0; frames < MOST_FRAMES && still < STILL_FRAMES; frames += 1) {
      article.scrollIntoView({ block: article.offsetHeight > this.clientHeight ? 'start' : 'center' });
      const now = article.getBoundingClientRect().top;
      still = now === top ? still + 1 : 0;
      top = now;
      await new Promise(requestAnimationFrame);
    }
  }

  protected override render(): TemplateResult {
    const { chat } = this;
    const hasLater = chat.laterMessages > 0;
    return html`<div class="scroller ${hasLater ? 'has-later' : ''}" tabindex="-1" @scroll=${this.#scrolled} @click=${this.#clicked}>
        <div class="entries" role="log" aria-label="Conversation" aria-live="off" aria-busy=${chat.running}>
          ${chat.earlierMessages > 0 ? this.#more('earlier', chat.earlierMessages) : nothing} ${this.#entries()}
          ${hasLater ? this.#more('later', chat.laterMessages) : nothing}
        </div>
      </div>
      ${hasLater || this.isAway ? this.#toLatest(hasLater) : nothing}`;
  }

  protected override firstUpdated(): void {
    for (const element of this.querySelectorAll('.scroller, .entries')) {
      this.#resized.observe(element);
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const chat = changed.get('chat') ?? this.chat;
    const entries = changed.get('entries') ?? this.entries;
    if (!this.hasUpdated || chat.id !== this.chat.id) {
      this.#belowTop = null;
    }
    const before = this.hasUpdated ? { chatId: chat.id, hasLater: chat.laterMessages > 0, entries } : null;
    this.#follows = follows(this.#follows, before, { chatId: this.chat.id, hasLater: this.chat.laterMessages > 0, entries: this.entries });
  }

  protected override updated(changed: PropertyValues<this>): void {
    const scroller = this.#scroller();
    const isLonger = changed.has('entries') && changed.get('entries')?.[0]?.id !== this.entries[0]?.id;
    if (isLonger && this.#belowTop !== null && scroller !== null) {
      scroller.scrollTop = scroller.scrollHeight - this.#belowTop;
      this.#belowTop = null;
    }
    this.#followEnd();
    this.#keepFocus(changed.get('entries') ?? this.entries);
  }

  #entries(): unknown {
    let userMessageId: string | null = null;
    return repeat(
      this.entries,
      (entry) => entry.id,
      (entry) => {
        userMessageId = entry.kind === 'user' ? entry.id : userMessageId;
        return html`<loupe-entry
          data-entry=${entry.id}
          .entry=${entry}
          .output=${this.outputs.find(({ entryId }) => entryId === entry.id) ?? null}
          .contextRows=${this.contextRows[entry.id] ?? null}
          .chatId=${this.chat.id}
          .isLocked=${this.isLocked}
          .isEdited=${entry.id === this.editing}
          .userMessageId=${userMessageId}
          .disclosures=${this.disclosures}
        ></loupe-entry>`;
      },
    );
  }

  #more(which: 'earlier' | 'later', count: number): TemplateResult {
    const [name, show] = which === 'earlier' ? (['arrow-up', this.#showEarlier] as const) : (['arrow-down', this.#showLater] as const);
    return html`<button type="button" class="more" @click=${show}>${icon(name)}Show ${which} messages (${tokens(count)})</button>`;
  }

  /** Of the messages after what is on show nothing is here: the host has to bring them. */
  #toLatest(hasLater: boolean): TemplateResult {
    return hasLater
      ? html`<button type="button" class="jump" @click=${this.#showLatest}>${icon('arrow-down')}Go to the latest</button>`
      : html`<button type="button" class="jump" @click=${this.#jump}>${icon('arrow-down')}Jump to latest</button>`;
  }

  readonly #showEarlier = (): void => {
    const scroller = this.#scroller();
    this.#belowTop = scroller === null ? null : scroller.scrollHeight - scroller.scrollTop;
    this.#follows = false;
    post(this, { type: 'showEarlier', chatId: this.chat.id });
  };

  readonly #showLater = (): void => {
    this.#focusAfter = this.entries.at(-1)?.id ?? null;
    post(this, { type: 'showLater', chatId: this.chat.id });
  };

  readonly #showLatest = (): void => {
    this.#scroller()?.focus({ preventScroll: true });
    post(this, { type: 'showLatest', chatId: this.chat.id });
  };

  /** The button that brought later messages may be gone with them: the focus goes to the first of them. */
  #keepFocus(before: readonly EntryView[]): void {
    const last = this.#focusAfter;
    if (last === null || before === this.entries) {
      return;
    }
    this.#focusAfter = null;
    const first = this.entries[this.entries.findIndex(({ id }) => id === last) + 1];
    void this.#articleOf(first?.id ?? '').then((article) => {
      article?.focus({ preventScroll: true });
    });
  }

  readonly #jump = (): void => {
    this.#follows = true;
    this.#followEnd();
  };

  /** What the user opens grows downwards from where it is: the end is not followed. */
  readonly #clicked = (event: Event): void => {
    if (event.target instanceof Element && event.target.closest('[aria-expanded]') !== null) {
      this.#follows = false;
    }
  };

  /** Only a move upwards is the user's wish to leave the end: a reply that grows changes the distance to it, too. */
  readonly #scrolled = (event: Event): void => {
    const scroller = event.currentTarget as HTMLElement;
    const top = scroller.scrollTop;
    this.isAway = belowSight(scroller) > NEAR_END;
    if (this.#isAtEnd()) {
      this.#follows = true;
    } else if (top < this.#lastTop) {
      this.#follows = false;
    }
    this.#lastTop = top;
  };

  #followEnd(): void {
    const scroller = this.#scroller();
    if (scroller === null) {
      return;
    }
    if (this.#follows) {
      scroller.scrollTop = scroller.scrollHeight;
      this.#lastTop = scroller.scrollTop;
    }
    this.isAway = belowSight(scroller) > NEAR_END;
  }

  /** Only once all is laid out: entries that have just come have no height yet. */
  #isAtEnd(): boolean {
    return this.chat.laterMessages === 0 && !this.isAway;
  }

  #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.scroller');
  }
}

/** How much of the content is below what is on screen, in pixels. */
function belowSight(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}
