import { parseToHost, type ToHost } from '../../src/protocol/panel/toHost.js';
import type { ToWebview } from '../../src/protocol/panel/toWebview.js';
import { readChoice, replaceHost } from './choice.js';
import type { PreviewState, PreviewStep } from './state.js';
import { searchResults, shownImage } from './states/hostAnswers.js';
import { previewStates } from './states/states.js';

/*
 * Replaces VS Code and the host around the panel: sets a theme, and gives the panel VS Code's API and one state. Runs
 * before the panel's own bundle.
 */

/** Most frames to wait for an element of the panel. */
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

/** Handles messages of the panel. Replies only to `ready`, a search and images. */
function receive(message: ToHost, { state, steps }: PreviewState): void {
  if (message.type === 'ready' || message.type === 'resync') {
    const snapshot: ToWebview = { type: 'snapshot', epoch: 1, state };
    window.postMessage(snapshot, location.origin);
    void take(steps);
  } else if (message.type === 'searchChats') {
    window.postMessage(searchResults(message, Date.now()), location.origin);
  } else if (message.type === 'showImage') {
    window.postMessage(shownImage(message), location.origin);
  }
}

/** Performs the steps in order. Then marks the page as ready for screenshots. */
async function take(steps: readonly PreviewStep[]): Promise<void> {
  await found('message box', () => document.querySelector('loupe-composer vscode-text-area'));
  for (const step of steps) {
    if ('press' in step) {
      (await found(step.press, () => buttonOf(step.press))).click();
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

/** Finds a button by its label, else by its text. */
function buttonOf(name: string): HTMLElement | null {
  const buttons = [...document.querySelectorAll('button')];
  return buttons.find((button) => (button.ariaLabel ?? button.innerText.trim()) === name) ?? null;
}

function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}
