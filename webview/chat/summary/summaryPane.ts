import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryDraftView, SummaryPreviewView } from '../../../src/protocol/panel/compaction.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { textArea } from '../../shared/controls/controls.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { counted, tokens } from '../../shared/numbers.js';
import { keptFacts } from '../entries/keptFacts.js';
import { summaryActions } from './summaryActions.js';
import { summaryInWords, summaryPriceInWords } from './summaryInWords.js';
import { summaryOutline } from './summaryOutline.js';

/** Wait in ms after the last key before the host counts the tokens of the text, as in the message box. */
const COUNT_DELAY_MS = 300;

/** Name of the setting "ask before each summary". Missing when Loupe makes no automatic summaries. */
const ASKING = 'summaryAsk';

/** The pane in which the user reviews a new summary before requests contain it, or edits the current summary. */
export class SummaryPaneElement extends LightElement {
  static override properties = reactive(['preview', 'chat', 'disclosures'], ['text']);
  declare preview: SummaryPreviewView;
  declare chat: ChatView;
  declare disclosures: Disclosures;
  /** The user's version of the draft. Null until the user changes the draft. */
  declare private text: string | null;
  /** The model's draft from which the user started `text`. */
  #written: string | null = null;
  #timer = 0;

  constructor() {
    super();
    this.text = null;
  }

  protected override willUpdate(): void {
    const written = this.preview.draft?.written ?? null;
    if (written !== this.#written) {
      this.#written = written;
      this.text = null;
    }
  }

  /** Focuses the text of an edited summary, and otherwise this pane, so that Escape and Tab work at once. */
  protected override firstUpdated(): void {
    const text = this.preview.plan === null ? this.querySelector<HTMLElement>('vscode-text-area') : null;
    (text ?? this.querySelector<HTMLElement>('.pane'))?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    const { plan, draft, work } = this.preview;
    const title = plan === null ? 'Edit the summary' : 'Summarize the conversation';
    return html`<section class="pane summary-pane" role="region" aria-label=${title} tabindex="-1" @keydown=${this.#leaving}>
      <div class="pane-head">
        <h2>${title}</h2>
        ${iconButton({ label: 'Close', icon: 'close', onClick: this.#close })}
      </div>
      <div class="pane-body">
        ${plan === null ? nothing : summaryInWords(plan, draft)} ${work === null ? nothing : this.#work(work)}
        ${draft === null ? nothing : this.#draft(draft)}
        ${plan === null ? nothing : summaryOutline(plan, { chatId: this.chat.id, isFixed: draft !== null || work?.kind === 'running' })}
        ${plan === null ? nothing : summaryPriceInWords(plan)}
      </div>
      ${work?.kind === 'running' ? nothing : this.#actions()}
    </section>`;
  }

  #work(work: NonNullable<SummaryPreviewView['work']>): TemplateResult {
    return html`<loupe-compaction
      .compaction=${work}
      .chatId=${this.chat.id}
      .isLocked=${false}
      .isPreview=${true}
      .disclosures=${this.disclosures}
    ></loupe-compaction>`;
  }

  #draft(draft: SummaryDraftView): TemplateResult {
    const text = this.text ?? draft.text;
    const scope = {
      isOpen: (part: string) => this.disclosures.isOpen(`summary-pane:${part}`),
      toggle: (part: string) => {
        this.disclosures.toggle(`summary-pane:${part}`);
        this.requestUpdate();
      },
    };
    return html`<div class="summary-draft">
      <div class="summary-draft-head">
        <h3>Summary</h3>
        <span class="figures ${draft.tokens > draft.mostTokens ? 'over' : ''}">
          ${tokens(draft.tokens)} of ${counted(draft.mostTokens, 'token')}
        </span>
        ${
          this.preview.plan === null
            ? nothing
            : iconButton({ label: 'Rewrite summary', icon: 'refresh', onClick: posting({ type: 'writeSummary', chatId: this.chat.id }) })
        }
      </div>
      ${textArea({ label: 'Summary', value: text, placeholder: '', disabled: false, onInput: this.#typed, onCommit: this.#commit })}
      ${keptFacts(draft.kept, scope, (fact) => () => {
        const { keptHeading } = draft;
        this.#commit(`${text}${text.includes(keptHeading) ? '' : `\n\n${keptHeading}`}\n- ${fact}`);
      })}
    </div>`;
  }

  #actions(): TemplateResult {
    const { id: chatId, settings } = this.chat;
    return summaryActions(this.preview, {
      chatId,
      asking: settings.find(({ name }) => name === ASKING) ?? null,
      target: this,
      onApply: (draft) => {
        post(this, { type: 'applySummary', chatId, text: this.text ?? draft.text });
      },
      onClose: this.#close,
    });
  }

  readonly #typed = (text: string): void => {
    if (text === (this.text ?? this.preview.draft?.text)) {
      return;
    }
    this.text = text;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      post(this, { type: 'summaryTyped', chatId: this.chat.id, text });
    }, COUNT_DELAY_MS);
  };

  /** Sends the user's text to the host now, because the user's next action can close the pane. */
  readonly #commit = (text: string): void => {
    if (text !== this.preview.draft?.text) {
      this.text = text;
      window.clearTimeout(this.#timer);
      post(this, { type: 'summaryTyped', chatId: this.chat.id, text });
    }
  };

  /** Sends the user's text to the host on Escape, because Escape closes the pane. */
  readonly #leaving = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape' && this.text !== null) {
      this.#commit(this.text);
    }
  };

  readonly #close = (): void => {
    post(this, { type: 'dismissSummary', chatId: this.chat.id });
  };
}
