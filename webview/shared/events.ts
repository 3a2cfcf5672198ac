import type { ToHost } from '../../src/protocol/panel/toHost.js';

/*
 * Passes messages from components to the panel. Components dispatch an event that bubbles up, and so need no references
 * to each other. Only the panel sends messages to the host and announces texts to screen readers.
 */

const POST = 'loupe-post';
const ANNOUNCE = 'loupe-announce';

export function post(from: EventTarget, message: ToHost): void {
  dispatch(from, POST, message);
}

export function posting(message: ToHost): (event: Event) => void {
  return ({ currentTarget }) => {
    if (currentTarget !== null) {
      post(currentTarget, message);
    }
  };
}

/** Lets screen readers read a text once, without interrupting other speech. */
export function announce(from: EventTarget, text: string): void {
  dispatch(from, ANNOUNCE, text);
}

/** Handles the messages and announcements of the elements inside `panel`. */
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
