import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ContextRows } from '../../../src/protocol/panel/requestRows.js';
import type { ChatView, EntryView, IntroductionStep, OutputSoFar, PanelState } from '../../../src/protocol/panel/view.js';
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

/**
 * The scrolling list of entries. It follows the end while the user is there, and stays put when the user has scrolled
 * up. Loading earlier messages above, or later ones below, does not move the visible ones.
 */
export class ConversationElement extends LightElement {
  static override properties = reactive(
    ['chat', 'entries', 'outputs', 'contextRows', 'leavingOut', 'compaction', 'editing', 'isLocked', 'disclosures', 'introduction'],
    ['isAway'],
  );
  declare chat: ChatView;
  declare entries: readonly EntryView[];
  declare outputs: readonly OutputSoFar[];
  declare leavingOut: PanelState['leavingOut'];
  declare contextRows: Readonly<Record<string, ContextRows>>;
  declare compaction: CompactionView | null;
  declare editing: string | null;
  /** Whether editing and retrying are disabled. */
  declare isLocked: boolean;
  declare disclosures: Disclosures;
  /** What is explained to a new user, at the last reply. */
  declare introduction: IntroductionStep | null;
  /** Whether the user has left the end, and it is still out of sight. */
  declare private isAway: boolean;
  readonly #end = new EndFollower();
  readonly #resized: ResizeObserver;
  /** Distance from the top edge to the end of the content before earlier messages load; null when none are loading. */
  #belowTop: number | null = null;
  /** Id of the last entry before later messages load; null when none are loading. */
  #focusAfter: string | null = null;
  #lastTop = 0;
  /** Id of the last entry when the tab stop was set. */
  #lastStop: string | undefined;
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>('article')]);
  /** Height of this element at the last look. */
  #lastHeight = 0;
  readonly #opened = new OpenedPart();
  /** What is pressed stays under the pointer, whatever comes meanwhile. */
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

  /** Scrolls to an entry, or to `text` in it, which is marked, and focuses it, so that screen readers move there, too. */
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

  /** Scrolls to a place in the text. */
  async show(range: Range): Promise<void> {
    this.#end.leave();
    await scrollUntilStill(() => {
      const scroller = this.#scroller();
      // A line of code may be longer than the panel is wide.
      range.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      scroller?.scrollBy(0, range.getBoundingClientRect().top - middle(scroller));
      return range.getBoundingClientRect().top;
    });
  }

  /** Resolves when all entries that are there now are rendered. */
  async entriesRendered(): Promise<void> {
    await this.updateComplete;
    await Promise.all([...this.querySelectorAll<EntryElement>('loupe-entry')].map((entry) => entry.updateComplete));
  }

  /** The focusable element of an entry; null when the entry is not shown. */
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

  /** The messages are there when the entries have rendered. */
  async #refreshTabStop(): Promise<void> {
    const last = this.entries.at(-1)?.id;
    // A streaming reply renders often, and its message stays the last one.
    if (last !== this.#lastStop) {
      this.#lastStop = last;
      await this.entriesRendered();
      this.#roving.refresh('last');
    }
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    this.#roving.focused(target);
  };

  /** Arrows go from message to message, once what is out of sight of a long one was scrolled into sight. */
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
          .leavingOut=${this.leavingOut[entry.id] ?? null}
          .leavingTurnOut=${this.leavingOut[userMessageId ?? ''] ?? null}
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

  /** Moves the focus to the first new entry when the button that loaded later messages is gone. */
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

  /** A summary that the user asks for at a message above shows at the end what becomes of it. */
  readonly #posted = ({ type }: ToHost): void => {
    if (type === 'summarize') {
      (this.chat.laterMessages > 0 ? this.#showLatest : this.toEnd)();
    }
  };

  /** Brings the newest entry into sight, as soon as it is loaded. */
  readonly toEnd = (): void => {
    this.#end.seek();
    this.#followEnd();
  };

  readonly #pressed = (event: PointerEvent): void => {
    this.#opened.forget();
    this.#press.begin(event);
  };

  /** What the user opens comes into sight, and so not the end. */
  readonly #clicked = {
    capture: true,
    handleEvent: (event: Event): void => {
      if (this.#opened.clicked(event)) {
        this.#end.leave();
      }
    },
  };

  /** Keeps the last visible lines where they are when what is below the conversation grows or shrinks. */
  #keepBottom(): void {
    const scroller = this.#scroller();
    const height = this.clientHeight;
    if (scroller !== null && !this.#end.isOn && !this.#press.isHeld) {
      scroller.scrollTop += this.#lastHeight - height;
      this.#lastTop = scroller.scrollTop;
    }
    this.#lastHeight = height;
  }

  /** Only a scroll upwards ends the following: a growing reply changes the distance to the end, too. */
  readonly #scrolled = (event: Event): void => {
    const scroller = event.currentTarget as HTMLElement;
    const top = scroller.scrollTop;
    if (top === this.#lastTop) {
      // Not the user's scroll, but one of this element.
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

  /** The button to the end is a row of its own, so that it moves the conversation when it comes or goes. */
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

  /** Call this after the layout: new entries have no height before it. */
  #isAtEnd(): boolean {
    const scroller = this.#scroller();
    return this.chat.laterMessages === 0 && scroller !== null && belowSight(scroller) <= NEAR_END;
  }

  #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.scroller');
  }
}
