import { type InspectorMessage, parseInspectorToHost } from '../../src/protocol/inspector/inspector.js';
import { readChoice, replaceHost } from './choice.js';
import { inspectorStates } from './states/inspector.js';

/* Replaces VS Code and the host around the Request Inspector. Runs before the bundle of the Request Inspector. */

const states = inspectorStates();
const choice = readChoice(location.href, states);
const shown = states.find(({ name }) => name === choice.state);
if (shown === undefined) {
  throw new Error(`There is no state ${choice.state}.`);
}
replaceHost(choice.theme, {
  parse: parseInspectorToHost,
  receive: ({ type }) => {
    if (type === 'ready') {
      const snapshot: InspectorMessage = { type: 'snapshot', epoch: 1, state: shown.state };
      window.postMessage(snapshot, location.origin);
      requestAnimationFrame(() => {
        requestAnimationFrame(() => {
          document.body.dataset['ready'] = choice.state;
        });
      });
    }
  },
  kept: undefined,
});
