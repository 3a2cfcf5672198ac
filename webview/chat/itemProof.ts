import { html, type TemplateResult } from 'lit';
import { proofSentences, type ItemProofView } from '../../src/protocol/itemProof.js';
import { iconButton, linkButton } from '../shared/buttons.js';
import { posting } from '../shared/events.js';
import { visibleText } from '../shared/visibleText.js';

/** Which row of the pane shows its proof: in which requests it was, and at what price. */
export interface OpenProof {
  /** The key of its item; null for none. */
  readonly key: string | null;
  /** Null while it is being read, and for none. */
  readonly view: ItemProofView | null;
  readonly toggle: (key: string) => void;
}

/** Opens and closes the proof. On the box of the row, Right and Left do the same. */
export function proofButton(key: string, open: OpenProof): TemplateResult {
  const isOpen = open.key === key;
  return html`<span class="manager-proof-button">${iconButton({
    label: isOpen ? 'Hide where it was' : 'Show in which requests it was',
    icon: isOpen ? 'chevron-down' : 'chevron-right',
    expanded: isOpen,
    shortcut: isOpen ? 'Left' : 'Right',
    onClick: () => {
      open.toggle(key);
    },
  })}</span>`;
}

export function proofDetails(chatId: string, { key, view }: OpenProof): TemplateResult {
  if (view === null || view.key !== key) {
    return html`<p class="manager-note" role="status">Counting the requests that held it…</p>`;
  }
  const duplicates = view.duplicates.map(
    ({ text, source }) =>
      html` ${visibleText(text)} ${linkButton('Compare', posting({ type: 'compareItem', chatId, key: view.key, source }))}`,
  );
  return html`<p class="manager-note" role="status">${visibleText(proofSentences(view, Date.now()).join(' '))}${duplicates}</p>`;
}
