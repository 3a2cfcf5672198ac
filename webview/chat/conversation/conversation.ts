import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView, IntroductionStep } from '../../../src/protocol/panel/view.js';
import type { EntryView, OutputProgress } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { post, receive } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { Press } from '../../shared/controls/press.js';
import { RovingFocus } from '../../shared/controls/rovingFocus.js';
import { EndFollower } from './keepEndInSight.js';
import type { EntryElement } from './entryElement.js';
import { entryList } from './entryList.js';
import { type ShownTurn, ShownTurns, turnPart } from './shownTurns.js';
import { stepKey } from './stepKeys.js';
import { latestButton, moreButton } from './moreMessages.js';
import { KeptEntries, belowSight, middle, NEAR_END, scrollsOn, scrollUntilStill, OpenedPart } from './scrolling.js';
import { markFound } from '../find/textRanges.js';

/** The list of entries. Scrolls with a growing reply until the user scrolls up. */
export class ConversationElement extends LightElement {
  static override properties = reactive(
    [
      ...['chat', 'entries', 'turns', 'outputs', 'contextRows', 'replyUses', 'exclusionPrices', 'repeats', 'neededAgain', 'compaction'],
      ...['editing', 'isLocked', 'disclosures', 'introduction', 'failedServers'],
    ],
    ['isAway'],
  );
  declare chat: ChatView;
  declare entries: readonly EntryView[];
  declare turns: PanelState['turns'];
  declare outputs: readonly OutputProgress[];
  declare exclusionPrices: PanelState['exclusionPrices'];
  declare repeats: PanelState['repeats'];
  declare neededAgain: PanelState['neededAgain'];
  declare failedServers: PanelState['failedServers'];
  declare contextRows: PanelState['contextRows'];
  declare replyUses: PanelState['replyUses'];
  declare compaction: CompactionView | null;
  declare editing: string | null;
  declare isLocked: boolean;
  declare disclosures: Disclosures;
  /** The next step of the introduction for a new user, shown below the last reply. Null without a next step. */
  declare introduction: IntroductionStep | null;
  /** Whether the user has scrolled up, so that the end of the conversation is not visible. */
  declare private isAway: boolean;
  readonly #end = new EndFollower();
  readonly #resized: ResizeObserver;
  readonly #kept = new KeptEntries();
  /** Id of the entry after which requested later messages will appear. Null unless later messages are loading. */
  #focusAfter: string | null = null;
  #lastTop = 0;
  /** Id of the entry that was last in the conversation when the tab stop was set. */
  #lastStop: string | undefined;
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>('article')]);
  #lastHeight = 0;
  readonly #opened = new OpenedPart();
  readonly shownTurns = new ShownTurns();
  /** Keeps an element in place while the user presses it, even if other content changes. */
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
      // Scrolls sideways too, because a line of code can be wider than the panel.
      range.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      scroller?.scrollBy(0, range.getBoundingClientRect().top - middle(scroller));
      return range.getBoundingClientRect().top;
    });
  }

  /** Resolves when all entries have been rendered. */
  async entriesRendered(): Promise<void> {
    await this.updateComplete;
    await Promise.all(this.#entryElements().map((entry) => entry.updateComplete));
  }

  /** Returns the focusable element of an entry. Opens the turn of a hidden step. Null when the entry is not loaded. */
  async #articleOf(entryId: string): Promise<HTMLElement | null> {
    const selector = `loupe-entry[data-entry="${CSS.escape(entryId)}"]`;
    const turn = this.shownTurns.turnOf(entryId);
    if (turn?.isOpen === false && this.querySelector(selector) === null) {
      this.toggleTurn(turn);
      await this.updateComplete;
    }
    const entry = this.querySelector<EntryElement>(selector);
    await entry?.updateComplete;
    return entry?.querySelector('article') ?? null;
  }

  protected override render(): TemplateResult {
    const { chat } = this;
    const hasLater = chat.laterMessages > 0;
    return html`<div class="scroller" tabindex="-1" @scroll=${this.#scrolled} @pointerdown=${this.#pressed} @click=${this.#clicked}>
        <div class="entries" role="log" aria-label="Conversation" aria-live="off" aria-busy=${chat.running}
          @keydown=${this.#keyed} @focusin=${this.#focused}>
          ${chat.earlierMessages > 0 ? moreButton('earlier', chat.earlierMessages, this.#showEarlier) : nothing}
          ${entryList(this, this.shownTurns.of(this))}
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
      this.#kept.forget();
    }
    if (changed.has('entries')) {
      this.#kept.measure();
    }
    const before = this.hasUpdated ? { chatId: chat.id, hasLater: chat.laterMessages > 0, entries } : null;
    this.#end.changed(before, { chatId: this.chat.id, hasLater: this.chat.laterMessages > 0, entries: this.entries });
  }

  protected override updated(changed: PropertyValues<this>): void {
    void this.#keepPlace();
    this.#followEnd();
    this.#keepFocus(changed.get('entries') ?? this.entries);
    if (changed.has('entries')) {
      void this.#refreshTabStop();
    }
  }

  /** Keeps the visible entries in place after earlier ones have been rendered above. */
  async #keepPlace(): Promise<void> {
    if (!this.#kept.isEmpty) {
      await this.entriesRendered();
      this.#kept.keep(this.#scroller(), this.#entryElements());
    }
  }

  /** Updates the tab stop after the entries have been rendered. Before rendering, new messages have no elements. */
  async #refreshTabStop(): Promise<void> {
    const last = this.entries.at(-1)?.id;
    // A streaming reply renders often, but stays the last entry, so its tab stop stays correct.
    if (last !== this.#lastStop) {
      this.#lastStop = last;
      await this.entriesRendered();
      this.#roving.refresh('last');
    }
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    this.#roving.focused(target);
  };

  /** Moves the focus to another message by an arrow key. Inside a long message, the arrow key scrolls first. */
  readonly #keyed = (event: KeyboardEvent): void => {
    stepKey(event, this);
    const [next, scroller] = [this.#roving.next(event), this.#scroller()];
    if (next !== null && scroller !== null && !scrollsOn(scroller, event)) {
      event.preventDefault();
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: 'nearest' });
    }
  };

  /** Opens or closes the steps of a turn, which are several entries. */
  readonly toggleTurn = (turn: ShownTurn): void => {
    this.disclosures.toggle(turnPart(turn));
    this.requestUpdate();
  };

  #compaction(): TemplateResult | typeof nothing {
    const { compaction, chat, isLocked, disclosures } = this;
    const note = html`<loupe-compaction .compaction=${compaction} .chatId=${chat.id} .isLocked=${isLocked} .isPreview=${false} .disclosures=${disclosures}></loupe-compaction>`;
    return compaction === null ? nothing : note;
  }

  readonly #showEarlier = (): void => {
    this.#kept.remember(this.#entryElements());
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

  /** Focuses the first new entry after later messages have loaded, because the clicked button has disappeared. */
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

  /** Scrolls to the end when the user requests a summary, because the summary appears there. */
  readonly #posted = ({ type }: ToHost): void => {
    if (type === 'summarize') {
      (this.chat.laterMessages > 0 ? this.#showLatest : this.toEnd)();
    }
  };

  /** Scrolls to the newest entry. If the newest entry is not loaded, scrolls when the host has sent it. */
  readonly toEnd = (): void => {
    this.#end.seek();
    this.#followEnd();
  };

  readonly #pressed = (event: PointerEvent): void => {
    this.#opened.forget();
    this.#press.begin(event);
  };

  /** Stops scrolling with a growing reply when the user opens or closes a part of an entry. */
  readonly #clicked = {
    capture: true,
    handleEvent: (event: Event): void => {
      if (this.#opened.clicked(event)) {
        this.#end.leave();
      }
    },
  };

  /**
   * Keeps the last visible lines in place when the height of the conversation changes. Keeps the first ones while the
   * entry that a search found has the focus.
   */
  #keepBottom(): void {
    const scroller = this.#scroller();
    const height = this.clientHeight;
    const isFound = this.querySelector('[data-found]') !== null;
    if (scroller !== null && !this.#end.isOn && !this.#press.isHeld && !isFound) {
      scroller.scrollTop += this.#lastHeight - height;
      this.#lastTop = scroller.scrollTop;
    }
    this.#lastHeight = height;
  }

  /** Stops scrolling with the reply only when the user scrolls up. A growing reply also moves the end away. */
  readonly #scrolled = (event: Event): void => {
    const scroller = event.currentTarget as HTMLElement;
    const top = scroller.scrollTop;
    if (top === this.#lastTop) {
      // Loupe caused this scroll event, not the user.
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

  /** Shows or hides the button that jumps to the end. */
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

  /** Whether the end is visible. Call this after the layout: before the layout, new entries have no height. */
  #isAtEnd(): boolean {
    const scroller = this.#scroller();
    return this.chat.laterMessages === 0 && scroller !== null && belowSight(scroller) <= NEAR_END;
  }

  #entryElements(): readonly EntryElement[] {
    return [...this.querySelectorAll<EntryElement>('loupe-entry')];
  }

  #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.scroller');
  }
}
