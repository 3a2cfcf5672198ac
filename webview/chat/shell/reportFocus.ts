import type { ToHost } from '../../../src/protocol/panel/toHost.js';

/** Reports to the host whether the page has the focus, now and after each change, because VS Code does not. */
export function reportFocus(send: (message: ToHost) => void): void {
  const tell = (): void => {
    send({ type: 'focusChanged', isFocused: document.hasFocus() });
  };
  window.addEventListener('focus', tell);
  window.addEventListener('blur', tell);
  tell();
}
