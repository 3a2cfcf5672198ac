import { type PreviewChoice, THEMES, WIDTHS, readChoice, writeChoice } from './choice.js';
import { inspectorStates } from './states/inspector.js';
import { previewStates } from './states/states.js';

/*
 * The page around the panel or the Request Inspector. The user chooses the state to show, and the page prints the last
 * message to the host. Alt (on a Mac Ctrl+Option) with an underlined letter focuses a control.
 */

const inspectors = inspectorStates();
const states = [...previewStates(Date.now()), ...inspectors];
const names = states.map(({ name }) => name);
const frame = part('#panel', HTMLIFrameElement);
const selects = {
  state: part('#state', HTMLSelectElement),
  theme: part('#theme', HTMLSelectElement),
  width: part('#width', HTMLSelectElement),
};

function part<T extends Element>(selector: string, kind: new () => T): T {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) {
    throw new Error(`The page has no ${selector}`);
  }
  return element;
}

function fill(select: HTMLSelectElement, values: readonly string[]): void {
  select.replaceChildren(...values.map((value) => new Option(value, value)));
  select.addEventListener('change', () => {
    show({ state: selects.state.value, theme: selects.theme.value, width: selects.width.value });
  });
}

function show(choice: PreviewChoice): void {
  for (const [name, select] of Object.entries(selects)) {
    select.value = choice[name as keyof PreviewChoice];
  }
  history.replaceState(null, '', writeChoice(choice));
  frame.width = choice.width;
  const page = inspectors.some(({ name }) => name === choice.state) ? 'inspector' : 'frame';
  frame.src = `${page}.html${writeChoice(choice)}`;
}

function step(by: number): void {
  const at = names.indexOf(selects.state.value) + by + names.length;
  selects.state.value = names[at % names.length] ?? '';
  selects.state.dispatchEvent(new Event('change'));
}

fill(selects.state, names);
fill(selects.theme, THEMES);
fill(selects.width, WIDTHS);
part('#previous', HTMLButtonElement).addEventListener('click', () => {
  step(-1);
});
part('#next', HTMLButtonElement).addEventListener('click', () => {
  step(1);
});
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source === frame.contentWindow) {
    part('#said', HTMLOutputElement).textContent = JSON.stringify(event.data);
  }
});
new EventSource('/esbuild').addEventListener('change', () => {
  location.reload();
});
show(readChoice(location.href, states));
