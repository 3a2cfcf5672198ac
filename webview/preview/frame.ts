import { type ToHost, parseToHost } from '../../src/protocol/panel/toHost.js';
import type { ToWebview, FoundMessage, PanelSearchRole, SearchResults } from '../../src/protocol/panel/toWebview.js';
import { readChoice, replaceHost } from './choice.js';
import type { PreviewState, PreviewStep } from './state.js';
import { foundMentions } from './states/mentions.js';
import { previewStates } from './states/states.js';
import { CHAT_ID, MINUTE } from './states/parts.js';
import type { ImageResponse } from '../../src/protocol/images.js';

/** A picture for sample messages: the tide at a gauge over a day. */
const CHART = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" preserveAspectRatio="none"><rect width="640" height="480" fill="#f7fafc"/>
<g stroke="#c8d4dc">${[120, 240, 360].map((y) => `<path d="M40 ${y}H620"/>`).join('')}</g><path d="M40 20V440H620" fill="none" stroke="#52606d" stroke-width="3"/>
<path d="M40 240C110 60 180 60 250 240S390 420 460 240 560 80 620 110" fill="none" stroke="#0b6bcb" stroke-width="7"/></svg>`;

/** Returns the host's reply to a request for an image: a chart. For the blob `gone`, the reply is an error. */
function shownImage({ chatId, blob }: Extract<ToHost, { readonly type: 'showImage' }>): ImageResponse {
  const image = { type: 'image', chatId, blob } as const;
  return blob === 'gone'
    ? { ...image, url: null, problem: 'Saved content of this chat could not be read.' }
    : { ...image, url: `data:image/svg+xml,${encodeURIComponent(CHART)}`, problem: null };
}

const HOUR = 60 * MINUTE;

/** Returns the host's reply to any search: all messages of the searched role. */
function searchResults({ text, role }: { readonly text: string; readonly role: PanelSearchRole }, now: number): SearchResults {
  const messages = MESSAGES.map((message) => ({ ...message, match: text, at: now - message.at }));
  return {
    type: 'searchResults',
    text,
    role,
    messages: text === '' ? [] : messages.filter((message) => role === 'all' || message.role === role),
    isCut: false,
    unread: 0,
    failure: null,
  };
}

/** The found messages. `at` is the age in milliseconds. */
const MESSAGES: readonly Omit<FoundMessage, 'match'>[] = [
  {
    chatId: CHAT_ID,
    chatTitle: 'Make the token counter linear',
    messageId: 'a1',
    role: 'assistant',
    at: 2 * HOUR,
    before: 'A lone ',
    after: ' is three bytes in UTF-8, so the counter has to look at pairs before it cuts.…',
  },
  {
    chatId: CHAT_ID,
    chatTitle: 'Make the token counter linear',
    messageId: 'u1',
    role: 'user',
    at: 2 * HOUR + MINUTE,
    before: 'What happens to a ',
    after: ' that is cut in two?',
  },
  {
    chatId: 'other1',
    chatTitle: 'Why does CI hang on Windows?',
    messageId: 't1',
    role: 'tool-results',
    at: 48 * HOUR,
    before: '…warning: lone ',
    after: ' in log line 4,182',
  },
];

/*
 * Replaces VS Code and the host around the panel: sets a theme, provides VS Code's API, and sends one state. Runs
 * before the bundle of the panel.
 */

/** Maximum number of frames to wait for an element of the panel. */
const MOST_FRAMES = 120;

const states = previewStates(Date.now());
const choice = readChoice(location.href, states);
const shown = states.find(({ name }) => name === choice.state);
if (shown === undefined) {
  throw new Error(`There is no state ${choice.state}.`);
}
replaceHost(choice.theme, {
  parse: parseToHost,
  receive: (message) => {
    receive(message, shown);
  },
  kept: { open: shown.open },
});

/** Handles messages of the panel. Replies only to `ready`, `resync`, searches, paths, and requests for images. */
function receive(message: ToHost, { state, steps }: PreviewState): void {
  if (message.type === 'ready' || message.type === 'resync') {
    const snapshot: ToWebview = { type: 'snapshot', epoch: 1, state };
    window.postMessage(snapshot, location.origin);
    void take(steps);
  } else if (message.type === 'searchChats') {
    window.postMessage(searchResults(message, Date.now()), location.origin);
  } else if (message.type === 'findMentions') {
    window.postMessage(foundMentions(message), location.origin);
  } else if (message.type === 'findPaths') {
    window.postMessage({ type: 'pathsFound', found: message.paths.filter((path) => path.startsWith('src/')) }, location.origin);
  } else if (message.type === 'showImage') {
    window.postMessage(shownImage(message), location.origin);
  }
}

/** Performs the steps in order. Then marks the page as ready for screenshots. */
async function take(steps: readonly PreviewStep[]): Promise<void> {
  const box = await found('message box', () => document.querySelector('loupe-composer vscode-text-area'));
  for (const step of steps) {
    if ('press' in step) {
      (await found(step.press, () => buttonOf(step.press))).click();
    } else if ('write' in step) {
      // Without an import of the controls, whose styles need the nonce of the page.
      const area = box as HTMLElement & { value: string; readonly control: HTMLTextAreaElement };
      area.value = step.write;
      area.control.value = step.write;
      box.dispatchEvent(new Event('input', { bubbles: true }));
      await found('list', () => document.querySelector('.mentions'));
    } else {
      const field = await found(step.into, () => document.querySelector<HTMLInputElement>(`vscode-text-field[placeholder="${step.into}"]`));
      field.value = step.type;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  await nextFrame();
  await nextFrame();
  for (let frames = 0; frames < MOST_FRAMES && document.querySelector('loupe-image .waiting') !== null; frames += 1) {
    await nextFrame();
  }
  document.body.dataset['ready'] = choice.state;
}

async function found<T extends Element>(name: string, find: () => T | null): Promise<T> {
  for (let frames = 0; frames < MOST_FRAMES; frames += 1) {
    const element = find();
    if (element !== null) {
      return element;
    }
    await nextFrame();
  }
  throw new Error(`The panel shows no ${name}.`);
}

/** Finds a button by its label, otherwise by its text. */
function buttonOf(name: string): HTMLElement | null {
  const buttons = [...document.querySelectorAll('button')];
  return buttons.find((button) => (button.ariaLabel ?? button.innerText.trim()) === name) ?? null;
}

function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}
