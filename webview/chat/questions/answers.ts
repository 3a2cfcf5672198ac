import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { button } from '../../shared/controls/buttons.js';
import { MenuElement, type MenuItem } from '../../shared/controls/menu.js';
import { LightElement, reactive } from '../../shared/lightElement.js';

export interface Answer {
  readonly label: string;
  /** The tooltip: what the answer means. */
  readonly help: string;
  /** Why the user cannot give the answer yet. Null if they can. */
  readonly whyOff: string | null;
  readonly onChoose: () => void;
}

/** The menu of the answers that have no button. */
export class MoreAnswersElement extends MenuElement {
  protected override trigger(): TemplateResult {
    return html`<button
      type="button"
      class="more-answers"
      title="More answers"
      aria-haspopup="menu"
      aria-expanded=${this.isOpen}
      @click=${this.toggle}
    >
      More…
    </button>`;
  }
}

/**
 * The answers to a question in one line. The first is the primary one. Buttons for which the line has no room move into
 * the menu *More…*, from the last on. *Refuse* stays at the end of the line.
 */
export class AnswersElement extends LightElement {
  static override properties = reactive(['answers', 'more', 'onRefuse'], ['shown']);
  declare answers: readonly Answer[];
  /** Further answers, always in the menu. */
  declare more: readonly MenuItem[];
  declare onRefuse: (event: Event) => void;
  /** The number of answers with a button. */
  declare private shown: number;
  #width = 0;
  readonly #resized = new ResizeObserver(() => {
    if (this.clientWidth !== this.#width) {
      this.#width = this.clientWidth;
      this.shown = this.answers.length;
    }
    void this.#fit();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('answers') && changed.get('answers')?.length !== this.answers.length) {
      this.shown = this.answers.length;
    }
  }

  protected override updated(): void {
    // A button gets another width when its styles or fonts arrive.
    for (const child of this.children) {
      this.#resized.observe(child);
    }
    void this.#fit();
  }

  /** Moves the last button into the menu if the line is too long. The first button stays. */
  async #fit(): Promise<void> {
    await this.updateComplete;
    // The button of the menu has its width only after its own rendering.
    await this.querySelector<MoreAnswersElement>('loupe-more-answers')?.updateComplete;
    if (this.scrollWidth > this.clientWidth && this.shown > 1) {
      this.shown -= 1;
    }
  }

  protected override render(): TemplateResult {
    const shown = this.answers.slice(0, this.shown);
    const inMenu = [...this.answers.slice(this.shown).map(menuItem), ...this.more];
    return html`${shown.map((answer, at) => answerButton(answer, at === 0 ? 'primary' : 'secondary'))}
      ${inMenu.length === 0 ? nothing : html`<loupe-more-answers .label=${'More answers'} .icon=${''} .isDisabled=${false} .items=${inMenu}></loupe-more-answers>`}
      <span class="tool-way-out" title="Loupe reports your refusal to the model">${button('Refuse', 'secondary', this.onRefuse)}</span>`;
  }
}

/** A disabled answer keeps the focus, so that its name can say why it is disabled. */
export function answerButton({ label, help, whyOff, onChoose }: Answer, appearance: 'primary' | 'secondary'): TemplateResult {
  return whyOff === null
    ? html`<span title=${help}>${button(label, appearance, onChoose)}</span>`
    : html`<span title=${whyOff}
        ><vscode-button appearance=${appearance} aria-disabled="true" aria-label="${label}. ${whyOff}">${label}</vscode-button></span
      >`;
}

function menuItem({ label, help, whyOff, onChoose }: Answer): MenuItem {
  return whyOff === null ? { label, detail: help, note: null, onChoose } : { label, detail: whyOff, note: null, onChoose: () => undefined };
}
