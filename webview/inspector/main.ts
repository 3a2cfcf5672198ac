import '@vscode/codicons/dist/codicon.css';
import './inspector.css';
import type { InspectorMessage, InspectorToHost } from '../../src/protocol/inspector/inspector.js';
import { reportFailures } from '../shared/reportFailures.js';
import { InspectorElement } from './inspectorElement.js';

/* Entry point of the Request Inspector. The host's page holds one empty `<loupe-inspector>`. */

customElements.define('loupe-inspector', InspectorElement);

/** Recognizes the host's messages by type, because developer tools of the browser also send messages. */
function isInspectorMessage(data: unknown): data is InspectorMessage {
  return typeof data === 'object' && data !== null && 'type' in data && (data.type === 'snapshot' || data.type === 'delta');
}

const view = document.querySelector('loupe-inspector');
if (!(view instanceof InspectorElement)) {
  throw new Error('The page has no <loupe-inspector>');
}
const api = acquireVsCodeApi<InspectorToHost>();
reportFailures(
  (message) => {
    api.postMessage(message);
  },
  (message) => {
    view.showFailure(message);
  },
);
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isInspectorMessage(event.data)) {
    view.accept(event.data);
    // Lets the tab restore the request after a reload of the window.
    api.setState(view.onShow);
  }
});
view.start(api);
