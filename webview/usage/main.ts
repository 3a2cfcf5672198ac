import '@vscode/codicons/dist/codicon.css';
import './usage.css';
import type { UsageMessage, UsageToHost } from '../../src/protocol/usage/usage.js';
import { reportFailures } from '../shared/reportFailures.js';
import { UsageChart } from './usageChart.js';
import { UsageElement } from './usageElement.js';

/* Entry point of the usage view. The host's page holds one empty `<loupe-usage>`. */

customElements.define('loupe-usage-chart', UsageChart);
customElements.define('loupe-usage', UsageElement);

/** Recognizes the host's messages by type, because developer tools of the browser also send messages. */
function isUsageMessage(data: unknown): data is UsageMessage {
  return typeof data === 'object' && data !== null && 'type' in data && (data.type === 'snapshot' || data.type === 'delta');
}

const view = document.querySelector('loupe-usage');
if (!(view instanceof UsageElement)) {
  throw new Error('The page has no <loupe-usage>');
}
const api = acquireVsCodeApi<UsageToHost>();
reportFailures(
  (message) => {
    api.postMessage(message);
  },
  (message) => {
    view.showFailure(message);
  },
);
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isUsageMessage(event.data)) {
    view.accept(event.data);
  }
});
view.start(api);
