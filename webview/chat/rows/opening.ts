import type { LitElement } from 'lit';
import type { ManagedType } from '../../../src/protocol/panel/manager.js';
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

/** Event that opens the context pane at a section, or at its beginning. */
const OPEN_MANAGER = 'loupe-open-manager';

export function openManager(from: EventTarget, section: ManagedType | null): void {
  from.dispatchEvent(new CustomEvent(OPEN_MANAGER, { bubbles: true, composed: true, detail: section }));
}

interface OpensAtSection {
  showSection(type: ManagedType): void;
}

/** Calls `open` when an element of the panel dispatches the event. Then shows the section of the event. */
export function onOpenManager(panel: LitElement, open: () => void): void {
  panel.addEventListener(OPEN_MANAGER, (event) => {
    open();
    const { detail: section } = event as CustomEvent<ManagedType | null>;
    if (section !== null) {
      void panel.updateComplete.then(() => {
        panel.querySelector<HTMLElement & OpensAtSection>('loupe-manager')?.showSection(section);
      });
    }
  });
}
