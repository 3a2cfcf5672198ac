import { parseUsageToHost } from '../../src/protocol/usage/usage.js';
import { readChoice } from './choice.js';
import { wearTheme } from './theme.js';

/*
 * Replaces VS Code around the usage view. It runs before the view's own bundle. It has no states: the tests connect the
 * view of the host.
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
