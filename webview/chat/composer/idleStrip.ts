import { html, nothing, type TemplateResult } from 'lit';
import { type IdleView, offeredActions, offerText } from '../../../src/protocol/panel/idle.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { post } from '../../shared/events.js';
import { clock, roughPrice } from '../../shared/numbers.js';
import { TickingElement } from '../../shared/tickingElement.js';
import { visibleText } from '../../shared/visibleText.js';

/** Returns the text of the strip, for example as an announcement. `now`: epoch milliseconds. */
export function idleText(view: IdleView, now: number): string {
  switch (view.kind) {
    case 'offered':
      return offerText(view, 'this chat', now);
    case 'expired': {
      const { more, summary } = view;
      const saves =
        summary === null ? '' : ` A summary for ${roughPrice(summary.cost)} saves ${roughPrice(summary.saving)} on each later request.`;
      return `The cache expired, so this message costs ${roughPrice(more)} more.${saves}`;
    }
    case 'warm': {
      // Short, so that it fits on a line of a narrow panel. The conversation lists the requests.
      const spent = view.requests === 0 ? '' : ` · ${roughPrice(view.spent)}`;
      return `Cache warm until ${clock(view.until, now)}${spent}`;
    }
    case 'note':
      return view.text;
  }
}

/** The line above the message box before the cache of an idle chat expires, with what the user can do. */
export class IdleStripElement extends TickingElement {
  static override properties = { view: { attribute: false }, chatId: { attribute: false }, onAnswer: { attribute: false } };
  declare view: IdleView;
  declare chatId: string;
  /** Moves the focus to the message box, because the line disappears. */
  declare onAnswer: () => void;

  protected override render(): TemplateResult {
    const { view } = this;
    return html`<div class="strip idle" role="group" aria-label="Cache of this chat">
      ${icon('clock')}
      <div class="idle-text"><span>${visibleText(idleText(view, Date.now()))}</span>${this.#actions()}</div>
      ${this.#leave()}
    </div>`;
  }

  #actions(): TemplateResult | typeof nothing {
    const { view, chatId } = this;
    const offered = view.kind === 'offered' ? offeredActions(view) : [];
    const buttons = offered.map(({ action, label }) => linkButton(label, this.#answer({ type: 'chooseIdle', chatId, action })));
    const stop = view.kind === 'warm' ? [linkButton('Stop', this.#answer({ type: 'leaveIdle', chatId }))] : [];
    const actions = [...buttons, ...stop];
    return actions.length === 0 ? nothing : html`<div class="idle-actions">${actions}</div>`;
  }

  #leave(): TemplateResult | typeof nothing {
    const { view, chatId } = this;
    const label = { offered: 'Leave it', expired: null, warm: null, note: 'Close' }[view.kind];
    return label === null ? nothing : iconButton({ label, icon: 'close', onClick: this.#answer({ type: 'leaveIdle', chatId }) });
  }

  #answer(message: ToHost): () => void {
    return () => {
      post(this, message);
      this.onAnswer();
    };
  }
}
