import '../shared/styleNonce.js';
import '@vscode/codicons/dist/codicon.css';
import './shell/chat.css';
import type { ToHost } from '../../src/protocol/panel/toHost.js';
import type { ToWebview } from '../../src/protocol/panel/toWebview.js';
import { MessageImageElement } from './composer/messageImage.js';
import { registerControls } from '../shared/controls/controls.js';
import { CopyButton } from '../shared/controls/copyButton.js';
import { CountdownElement } from '../shared/countdown.js';
import { MenuElement } from '../shared/controls/menu.js';
import { MarkdownElement } from '../shared/markdown/markdownElement.js';
import { AnswerWatch } from './shell/answerWatch.js';
import { ChatListElement } from './chatList/chatList.js';
import { ChipsElement } from './composer/chips.js';
import { CompactionElement } from './conversation/compaction.js';
import { ComposerElement } from './composer/composer.js';
import { ConversationElement } from './conversation/conversation.js';
import { EntryElement } from './conversation/entryElement.js';
import { reportFailures } from '../shared/reportFailures.js';
import { FindBarElement } from './find/findBar.js';
import { PanelElement } from './shell/panel.js';
import { HistoryCardElement } from './nextRequest/historyCard.js';
import { SummaryCardElement } from './summary/summaryCard.js';
import { SummaryPaneElement } from './summary/summaryPane.js';
import { ManagerElement } from './manager/manager.js';
import { SettingsElement } from './settings/settings.js';
import { ExpiryElement } from './rows/forecast.js';
import { keepingState } from '../shared/vscodeApi.js';

/* Entry point of the chat panel. The page from the host contains only an empty `<loupe-chat>`. */

registerControls();
customElements.define('loupe-copy-button', CopyButton);
customElements.define('loupe-menu', MenuElement);
customElements.define('loupe-markdown', MarkdownElement);
customElements.define('loupe-entry', EntryElement);
customElements.define('loupe-compaction', CompactionElement);
customElements.define('loupe-conversation', ConversationElement);
customElements.define('loupe-image', MessageImageElement);
customElements.define('loupe-chips', ChipsElement);
customElements.define('loupe-composer', ComposerElement);
customElements.define('loupe-chat-list', ChatListElement);
customElements.define('loupe-find', FindBarElement);
customElements.define('loupe-manager', ManagerElement);
customElements.define('loupe-settings', SettingsElement);
customElements.define('loupe-summary-card', SummaryCardElement);
customElements.define('loupe-history-card', HistoryCardElement);
customElements.define('loupe-summary-pane', SummaryPaneElement);
customElements.define('loupe-countdown', CountdownElement);
customElements.define('loupe-expiry', ExpiryElement);
customElements.define('loupe-chat', PanelElement);

/** Time in ms after which a panel without a reply of the host shows `NO_ANSWER`. A working host replies sooner. */
const PATIENCE_MS = 10_000;

const NO_ANSWER =
  'This tab has lost its connection to Loupe, because VS Code restarted its extensions. Copy your text, close this tab, and open the chat again.';

const MESSAGE_TYPES: ReadonlySet<unknown> = new Set<ToWebview['type']>([
  'snapshot',
  'delta',
  'focusComposer',
  'reveal',
  'find',
  'manage',
  'searchResults',
  'mentions',
  'image',
]);

/** Whether the host sent a message. Checks the type, because the browser's developer tools also send messages. */
function isToWebview(data: unknown): data is ToWebview {
  return typeof data === 'object' && data !== null && 'type' in data && MESSAGE_TYPES.has(data.type);
}

const panel = document.querySelector('loupe-chat');
if (!(panel instanceof PanelElement)) {
  throw new Error('The page has no <loupe-chat>');
}
const answers = new AnswerWatch(PATIENCE_MS, () => {
  panel.showFailure(NO_ANSWER);
});
const vscodeApi = keepingState(acquireVsCodeApi<ToHost>());
const api = {
  ...vscodeApi,
  postMessage: (message: ToHost): void => {
    vscodeApi.postMessage(message);
    answers.posted(message);
  },
};
reportFailures(
  (message) => {
    api.postMessage(message);
  },
  (message) => {
    panel.showFailure(`The panel failed: ${message}`);
  },
);
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (!isToWebview(event.data)) {
    return;
  }
  answers.received();
  if (event.data.type === 'snapshot' && event.data.state.chat !== null) {
    // Stores the chat, so that a reload of the window can restore the tab. Each change of chat sends a snapshot.
    api.setState({ chatId: event.data.state.chat.id });
  }
  if (event.data.type === 'mentions') {
    panel.querySelector<ComposerElement>('loupe-composer')?.mentioned(event.data);
  } else if (event.data.type === 'image') {
    for (const image of panel.querySelectorAll<MessageImageElement>('loupe-image')) {
      image.accept(event.data);
    }
  } else {
    panel.accept(event.data);
  }
});
panel.start(api);
