import '../shared/styleNonce.js';
import '@vscode/codicons/dist/codicon.css';
import './shell/chat.css';
import type { ImageToScale } from '../../src/protocol/images.js';
import type { ToHost } from '../../src/protocol/panel/toHost.js';
import type { ToWebview } from '../../src/protocol/panel/toWebview.js';
import { registerControls } from '../shared/controls/controls.js';
import { ELEMENTS } from './elements.js';
import { AnswerWatch } from './shell/answerWatch.js';
import { scaleImage } from './composer/scaleImage.js';
import { PathLinks } from '../shared/markdown/pathLinks.js';
import { reportFailures } from '../shared/reportFailures.js';
import { PanelElement } from './shell/panel.js';
import { keepingState } from '../shared/vscodeApi.js';

/* Entry point of the chat panel. The page from the host contains only an empty `<loupe-chat>`. */

registerControls();
for (const [tag, element] of Object.entries(ELEMENTS)) {
  customElements.define(tag, element);
}

/** Time in ms after which a panel without a reply of the host shows `NO_ANSWER`. A working host replies sooner. */
const PATIENCE_MS = 10_000;

const NO_ANSWER =
  'This tab has lost its connection to Loupe, because VS Code restarted its extensions. Copy your text, close this tab, and open the chat again.';

const MESSAGE_TYPES: Readonly<Record<ToWebview['type'], true>> = {
  snapshot: true,
  delta: true,
  focusComposer: true,
  focusQuestion: true,
  reveal: true,
  find: true,
  manage: true,
  settings: true,
  searchResults: true,
  mentions: true,
  image: true,
  imageToScale: true,
  imagesAdded: true,
  spentSums: true,
  pathsFound: true,
};

/** Whether the host sent a message. Checks the type, because the browser's developer tools also send messages. */
function isToWebview(data: unknown): data is ToWebview {
  return typeof data === 'object' && data !== null && 'type' in data && Object.hasOwn(MESSAGE_TYPES, String(data.type));
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
const pathLinks = new PathLinks(panel, (paths) => {
  api.postMessage({ type: 'findPaths', paths: [...paths] });
});
reportFailures(
  (message) => {
    api.postMessage(message);
  },
  (message) => {
    panel.showFailure(`The panel failed: ${message}`);
  },
);
const scale = async (image: ImageToScale): Promise<void> => {
  try {
    const message = await scaleImage(image, document.querySelector('loupe-composer')?.rows ?? []);
    if (message !== null) {
      api.postMessage(message);
    }
  } catch (thrown) {
    panel.showFailure(`The panel could not scale the image down: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
};
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
    panel.querySelector('loupe-composer')?.mentioned(event.data);
  } else if (event.data.type === 'image') {
    for (const image of panel.querySelectorAll('loupe-image')) {
      image.accept(event.data);
    }
  } else if (event.data.type === 'spentSums') {
    panel.querySelector('loupe-spent')?.summed(event.data);
  } else if (event.data.type === 'pathsFound') {
    pathLinks.answered(event.data.found);
  } else if (event.data.type === 'imageToScale') {
    void scale(event.data);
  } else {
    panel.accept(event.data);
  }
});
panel.start(api);
