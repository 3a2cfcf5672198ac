import type { ToHost } from '../../src/protocol/panel/toHost.js';

/*
 * Messages from components to the panel. A component dispatches an event that bubbles up, so components need no
 * references to each other. Only the panel sends messages to the host and texts to screen readers.
 */

const POST = 'loupe-post';
const ANNOUNCE = 'loupe-announce';

export function post(from: EventTarget, message: ToHost): void {
  dispatch(from, POST, message);
}

/** Returns a click handler that sends a message to the host. */
export function posting(message: ToHost): (event: Event) => void {
  return ({ currentTarget }) => {
    if (currentTarget !== null) {
      post(currentTarget, message);
    }
  };
}

/** Announces a text to screen readers, once and without interrupting other speech. */
export function announce(from: EventTarget, text: string): void {
  dispatch(from, ANNOUNCE, text);
}

/** Receives the messages and announcements of the elements below `panel`. */
export function receive(panel: EventTarget, onPost: (message: ToHost) => void, onAnnounce: (text: string) => void): void {
  panel.addEventListener(POST, (event) => {
    onPost((event as CustomEvent<ToHost>).detail);
  });
  panel.addEventListener(ANNOUNCE, (event) => {
    onAnnounce((event as CustomEvent<string>).detail);
  });
}

function dispatch(from: EventTarget, type: string, detail: unknown): void {
  from.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
}
