import { parseUsageToHost } from '../../src/protocol/usage/usage.js';
import { readChoice, wearTheme } from './choice.js';

/*
 * Replaces VS Code around the usage view. Runs before the view's own bundle. It has no states: tests connect the view
 * to a host.
 */

const choice = readChoice(location.href, [{ name: 'Usage' }]);
wearTheme(document, choice.theme, document.querySelector('script')?.nonce ?? '');
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    const parsed = parseUsageToHost(message);
    if (!parsed.ok) {
      console.error(`The host would drop this message: ${parsed.reason}`);
      return;
    }
    window.parent.postMessage(parsed.message, location.origin);
    if (parsed.message.type === 'webviewError') {
      console.error(parsed.message.message);
    } else if (parsed.message.type === 'ready') {
      document.body.dataset['ready'] = choice.state;
    }
  },
  getState: () => undefined,
  setState: () => undefined,
});
