/** Event that opens the context pane. */
const OPEN_MANAGER = 'loupe-open-manager';

export function openManager(from: EventTarget): void {
  from.dispatchEvent(new CustomEvent(OPEN_MANAGER, { bubbles: true, composed: true }));
}

/** Calls `open` when an element of the panel dispatches the event. */
export function onOpenManager(panel: EventTarget, open: () => void): void {
  panel.addEventListener(OPEN_MANAGER, open);
}
