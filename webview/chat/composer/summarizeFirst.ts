import { html, type TemplateResult } from 'lit';
import { post } from '../../shared/events.js';
import { roughPrice } from '../../shared/numbers.js';

/** The button before *Send* after the cache has expired. `cost`: US dollars. `text`: null if it cannot be sent. */
export function summarizeFirst(cost: number, chatId: string, text: string | null): TemplateResult {
  const summarize = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof Element && text !== null) {
      post(currentTarget, { type: 'summarizeFirst', chatId, text });
      // Moves the focus, because the button disappears.
      currentTarget.closest<HTMLElement>('loupe-composer')?.focus();
    }
  };
  return html`<vscode-button
    class="summarize-first"
    appearance="secondary"
    title=${`Writes a summary for about ${roughPrice(cost)}, then sends your message. You can undo the summary.`}
    ?disabled=${text === null}
    @click=${summarize}
    >Summarize first</vscode-button
  >`;
}
