import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';

/** Event that opens the preview of a summary up to message `upTo`; null for the range that the meter shows. */
const OPEN_SUMMARY = 'loupe-open-summary';

interface OpenSummary {
  readonly upTo: string | null;
}

export function openSummary(from: EventTarget, upTo: string | null): void {
  from.dispatchEvent(new CustomEvent<OpenSummary>(OPEN_SUMMARY, { bubbles: true, composed: true, detail: { upTo } }));
}

/** Opens the preview of a summary when an element below the panel asks for it. */
export function onOpenSummary(
  panel: EventTarget,
  view: () => { readonly chat: Pick<ChatView, 'id'> | null } | null,
  send: (message: ToHost) => void,
): void {
  panel.addEventListener(OPEN_SUMMARY, (event) => {
    const { chat = null } = view() ?? {};
    const { upTo } = (event as CustomEvent<OpenSummary>).detail;
    if (chat !== null) {
      send({ type: 'planSummary', chatId: chat.id, upTo });
    }
  });
}
