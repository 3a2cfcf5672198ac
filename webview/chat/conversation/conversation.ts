import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ContextRows } from '../../../src/protocol/panel/requestRows.js';
import type { ChatView, EntryView, IntroductionStep, OutputProgress } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { post, receive } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { Press } from '../../shared/controls/press.js';
import { RovingFocus } from '../../shared/controls/rovingFocus.js';
import { EndFollower } from './keepEndInSight.js';
import type { EntryElement } from './entryElement.js';
import { notedReplies, explainedReply } from '../entries/notedReplies.js';
import { latestButton, moreButton } from './moreMessages.js';
import { belowSight, middle, NEAR_END, scrollsOn, scrollUntilStill, OpenedPart } from './scrolling.js';
import { markFound } from '../find/textRanges.js';

/** The list of entries. Follows a growing reply until the user scrolls up. Visible messages stay while others load. */
export class ConversationElement extends LightElement {
  static override properties = reactive(
    [
      ...['chat', 'entries', 'outputs', 'contextRows', 'exclusionPrices', 'neededAgain', 'compaction'],
      ...['editing', 'isLocked', 'disclosures', 'introduction'],
    ],
    ['isAway'],
  );
  declare chat: ChatView;
  declare entries: readonly EntryView[];
  declare outputs: readonly OutputProgress[];
  declare exclusionPrices: PanelState['exclusionPrices'];
  declare neededAgain: PanelState['neededAgain'];
  declare contextRows: Readonly<Record<string, ContextRows>>;
  declare compaction: CompactionView | null;
  declare editing: string | null;
  declare isLocked: boolean;
  declare disclosures: Disclosures;
  /** The explanation for a new user below the last reply, or null. */
  declare introduction: IntroductionStep | null;
  /** Whether the user has scrolled away from the end of the conversation and does not see it. */
  declare private isAway: boolean;
  readonly #end = new EndFollower();
  readonly #resized: ResizeObserver;
  /** Height from the top edge to the end of the content in pixels, set while earlier messages load. Otherwise null. */
  #belowTop: number | null = null;
  /** Id of the last entry, set while later messages load. Otherwise null. */
  #focusAfter: string | null = null;
  #lastTop = 0;
  /** Id of the last entry at the time when the tab stop was set. */
  #lastStop: string | undefined;
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>('article')]);
  #lastHeight = 0;
  readonly #opened = new OpenedPart();
  /** Keeps an element that the user presses under the pointer while other content changes. */
  readonly #press = new Press();

  constructor() {
    super();
    this.isAway = false;
    this.#resized = new ResizeObserver(() => {
      this.#keepBottom();
      if (this.#opened.show()) {
        this.#lastTop = this.#scroller()?.scrollTop ?? 0;
      }
      this.#followEnd();
      this.#end.isOn ||= this.#isAtEnd();
    });
    receive(this, this.#posted, () => undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  /** Scrolls to an entry, or to `text` in it, and marks the text. Focuses the entry for screen readers. */
  async reveal(entryId: string, text: string | null): Promise<void> {
    await this.updateComplete;
    const article = await this.#articleOf(entryId);
    if (article === null) {
      throw new Error(`There is no entry ${entryId} to bring into sight`);
    }
    this.#end.leave();
    this.isAway = true;
    article.dataset['found'] = '';
    article.addEventListener('blur', () => delete article.dataset['found'], { once: true });
    article.focus({ preventScroll: true });
    const place = text === null ? null : markFound(article, text);
    if (place !== null) {
      return this.show(place);
    }
    await scrollUntilStill(() => {
      article.scrollIntoView({ block: article.offsetHeight > this.clientHeight ? 'start' : 'center' });
      return article.getBoundingClientRect().top;
    });
  }

  async show(range: Range): Promise<void> {
    this.#end.leave();
    await scrollUntilStill(() => {
      const scroller = this.#scroller();
      // Also scrolls sideways, because a line of code may be wider than the panel.
      range.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      scroller?.scrollBy(0, range.getBoundingClientRect().top - middle(scroller));
      return range.getBoundingClientRect().top;
    });
  }

  /** Resolves when all current entries are rendered. */
  async entriesRendered(): Promise<void> {
    await this.updateComplete;
    await Promise.all([...this.querySelectorAll<EntryElement>('loupe-entry')].map((entry) => entry.updateComplete));
  }

  /** Returns the focusable element of an entry, or null when the entry is not loaded. */
  async #articleOf(entryId: string): Promise<HTMLElement | null> {
    const entry = this.querySelector<EntryElement>(`loupe-entry[data-entry="${CSS.escape(entryId)}"]`);
    await entry?.updateComplete;
    return entry?.querySelector('article') ?? null;
  }

  protected override render(): TemplateResult {
    const { chat } = this;
    const hasLater = chat.laterMessages > 0;
    return html`<div class="scroller" tabindex="-1" @scroll=${this.#scrolled} @pointerdown=${this.#pressed} @click=${this.#clicked}>
        <div class="entries" role="log" aria-label="Conversation" aria-live="off" aria-busy=${chat.running}
          @keydown=${this.#keyed} @focusin=${this.#focused}>
          ${chat.earlierMessages > 0 ? moreButton('earlier', chat.earlierMessages, this.#showEarlier) : nothing} ${this.#entries()}
          ${hasLater ? moreButton('later', chat.laterMessages, this.#showLater) : this.#compaction()}
        </div>
      </div>
      ${hasLater || this.isAway ? latestButton(hasLater, this.entries, hasLater ? this.#showLatest : this.toEnd) : nothing}`;
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
    this.#end.changed(before, { chatId: this.chat.id, hasLater: this.chat.laterMessages > 0, entries: this.entries });
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
    if (changed.has('entries')) {
      void this.#refreshTabStop();
    }
  }

  /** Updates the tab stop. Waits until the entries have rendered, because their messages do not exist earlier. */
  async #refreshTabStop(): Promise<void> {
    const last = this.entries.at(-1)?.id;
    // A streaming reply renders often and is always the last message, so the tab stop is still correct.
    if (last !== this.#lastStop) {
      this.#lastStop = last;
      await this.entriesRendered();
      this.#roving.refresh('last');
    }
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    this.#roving.focused(target);
  };

  /** Handles arrow keys: they first scroll through a long message, then move to the next one. */
  readonly #keyed = (event: KeyboardEvent): void => {
    const [next, scroller] = [this.#roving.next(event), this.#scroller()];
    if (next !== null && scroller !== null && !scrollsOn(scroller, event)) {
      event.preventDefault();
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: 'nearest' });
    }
  };

  #entries(): unknown {
    let userMessageId: string | null = null;
    const noted = notedReplies(this.entries);
    const explained = this.introduction === null ? null : explainedReply(this.entries);
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
          .exclusion=${this.exclusionPrices[entry.id] ?? null}
          .neededAgain=${entry.kind === 'summary' && entry.status === 'active' ? this.neededAgain : null}
          .turnExclusion=${this.exclusionPrices[userMessageId ?? ''] ?? null}
          .chatId=${this.chat.id}
          .isLocked=${this.isLocked}
          .isEdited=${entry.id === this.editing}
          .isEndNoted=${noted.has(entry.id)}
          .userMessageId=${userMessageId}
          .disclosures=${this.disclosures}
          .introduction=${entry.id === explained ? this.introduction : null}
        ></loupe-entry>`;
      },
    );
  }

  #compaction(): TemplateResult | typeof nothing {
    const { compaction, chat, isLocked, disclosures } = this;
    return compaction === null
      ? nothing
      : html`<loupe-compaction .compaction=${compaction} .chatId=${chat.id} .isLocked=${isLocked} .isPreview=${false} .disclosures=${disclosures}></loupe-compaction>`;
  }

  readonly #showEarlier = (): void => {
    const scroller = this.#scroller();
    this.#belowTop = scroller === null ? null : scroller.scrollHeight - scroller.scrollTop;
    this.#end.leave();
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

  /** Focuses the first new entry when the focused button has disappeared after later messages were loaded. */
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

  /** Scrolls to the end when the user requests a summary, which appears there. */
  readonly #posted = ({ type }: ToHost): void => {
    if (type === 'summarize') {
      (this.chat.laterMessages > 0 ? this.#showLatest : this.toEnd)();
    }
  };

  /** Scrolls to the newest entry. If it is not loaded, scrolls after the host has sent it. */
  readonly toEnd = (): void => {
    this.#end.seek();
    this.#followEnd();
  };

  readonly #pressed = (event: PointerEvent): void => {
    this.#opened.forget();
    this.#press.begin(event);
  };

  /** Handles clicks. When the user opens a part, scrolls to the part and stops following a growing reply. */
  readonly #clicked = {
    capture: true,
    handleEvent: (event: Event): void => {
      if (this.#opened.clicked(event)) {
        this.#end.leave();
      }
    },
  };

  /** Keeps the last visible lines in place when the area below the conversation changes its height. */
  #keepBottom(): void {
    const scroller = this.#scroller();
    const height = this.clientHeight;
    if (scroller !== null && !this.#end.isOn && !this.#press.isHeld) {
      scroller.scrollTop += this.#lastHeight - height;
      this.#lastTop = scroller.scrollTop;
    }
    this.#lastHeight = height;
  }

  /** Stops following the end only when the user scrolls up: a growing reply also changes the distance to the end. */
  readonly #scrolled = (event: Event): void => {
    const scroller = event.currentTarget as HTMLElement;
    const top = scroller.scrollTop;
    if (top === this.#lastTop) {
      // This element caused the scroll event, not the user.
      return;
    }
    this.#press.afterwards(this.#setAway);
    if (this.#isAtEnd()) {
      this.#end.isOn = true;
    } else if (top < this.#lastTop) {
      this.#end.leave();
    }
    this.#opened.forget();
    this.#lastTop = top;
  };

  /** Shows or hides the button that jumps to the end. Its row changes the height of the conversation. */
  readonly #setAway = (): void => {
    const scroller = this.#scroller();
    this.isAway = scroller !== null && belowSight(scroller) > NEAR_END;
  };

  #followEnd(): void {
    this.#press.afterwards(this.#scrollToEnd);
  }

  readonly #scrollToEnd = (): void => {
    const scroller = this.#scroller();
    if (scroller === null) {
      return;
    }
    if (this.#end.isOn) {
      scroller.scrollTop = scroller.scrollHeight;
      this.#lastTop = scroller.scrollTop;
    }
    this.isAway &&= belowSight(scroller) > NEAR_END;
  };

  /** Whether the end is visible. Call this after the layout, because new entries have no height earlier. */
  #isAtEnd(): boolean {
    const scroller = this.#scroller();
    return this.chat.laterMessages === 0 && scroller !== null && belowSight(scroller) <= NEAR_END;
  }

  #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.scroller');
  }
}
