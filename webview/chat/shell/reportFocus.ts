import type { ToHost } from '../../../src/protocol/panel/toHost.js';

/** Reports to the host, now and after each change, whether the page has the focus. VS Code does not report this. */
export function reportFocus(send: (message: ToHost) => void): void {
  const tell = (): void => {
    send({ type: 'focusChanged', isFocused: document.hasFocus() });
  };
  window.addEventListener('focus', tell);
  window.addEventListener('blur', tell);
  tell();
}
