import { type InspectorMessage, parseInspectorToHost } from '../../src/protocol/inspector/inspector.js';
import { readChoice, wearTheme } from './choice.js';
import { inspectorStates } from './states/inspector.js';

/* Replaces VS Code and the host around the Request Inspector. Runs before the view's own bundle. */

const states = inspectorStates();
const choice = readChoice(location.href, states);
const shown = states.find(({ name }) => name === choice.state);
if (shown === undefined) {
  throw new Error(`There is no state ${choice.state}.`);
}
wearTheme(document, choice.theme, document.querySelector('script')?.nonce ?? '');
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    const parsed = parseInspectorToHost(message);
    if (!parsed.ok) {
      console.error(`The host would drop this message: ${parsed.reason}`);
      return;
    }
    window.parent.postMessage(parsed.message, location.origin);
    if (parsed.message.type === 'webviewError') {
      console.error(parsed.message.message);
    } else if (parsed.message.type === 'ready') {
      const snapshot: InspectorMessage = { type: 'snapshot', epoch: 1, state: shown.state };
      window.postMessage(snapshot, location.origin);
      requestAnimationFrame(() => {
        requestAnimationFrame(() => {
          document.body.dataset['ready'] = choice.state;
        });
      });
    }
  },
  getState: () => undefined,
  setState: () => undefined,
});
