import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';

/** Event that opens the preview of a summary. `upTo`: last message to summarize; null for the default range. */
const OPEN_SUMMARY = 'loupe-open-summary';

interface OpenSummary {
  readonly upTo: string | null;
}

export function openSummary(from: EventTarget, upTo: string | null): void {
  from.dispatchEvent(new CustomEvent<OpenSummary>(OPEN_SUMMARY, { bubbles: true, composed: true, detail: { upTo } }));
}

/** Opens the preview of a summary when an element of the panel dispatches the event. */
export function onOpenSummary(
  panel: EventTarget,
  view: () => { readonly chat: Pick<ChatView, 'id'> | null },
  send: (message: ToHost) => void,
): void {
  panel.addEventListener(OPEN_SUMMARY, (event) => {
    const { chat } = view();
    const { upTo } = (event as CustomEvent<OpenSummary>).detail;
    if (chat !== null) {
      send({ type: 'planSummary', chatId: chat.id, upTo });
    }
  });
}

/** Event that opens the context pane. */
const OPEN_MANAGER = 'loupe-open-manager';

export function openManager(from: EventTarget): void {
  from.dispatchEvent(new CustomEvent(OPEN_MANAGER, { bubbles: true, composed: true }));
}

/** Calls `open` when an element of the panel dispatches the event. */
export function onOpenManager(panel: EventTarget, open: () => void): void {
  panel.addEventListener(OPEN_MANAGER, open);
}
