import type { ToHost } from '../../src/protocol/toHost.js';

/*
 * What components say to the panel around them. Only the panel talks to the host and to screen readers; components
 * send these events up the tree, so that none of them needs to know the others.
 */

const POST = 'loupe-post';
const ANNOUNCE = 'loupe-announce';

/** Sends a message to the host. */
export function post(from: EventTarget, message: ToHost): void {
  dispatch(from, POST, message);
}

/** Handles a click on an element by sending a message to the host. */
export function posting(message: ToHost): (event: Event) => void {
  return ({ currentTarget }) => {
    if (currentTarget !== null) {
      post(currentTarget, message);
    }
  };
}

/** Says something to screen readers, politely and once. */
export function announce(from: EventTarget, text: string): void {
  dispatch(from, ANNOUNCE, text);
}

/** Receives what is posted and announced below `panel`. */
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
