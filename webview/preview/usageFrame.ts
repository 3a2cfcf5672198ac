import { parseUsageToHost } from '../../src/protocol/usage/usage.js';
import { readChoice, replaceHost } from './choice.js';

/*
 * Replaces VS Code around the usage view. Runs before the bundle of the usage view. There are no states: tests connect
 * the view to a host.
 */

const choice = readChoice(location.href, [{ name: 'Usage' }]);
replaceHost(choice.theme, {
  parse: parseUsageToHost,
  receive: ({ type }) => {
    if (type === 'ready') {
      document.body.dataset['ready'] = choice.state;
    }
  },
  kept: undefined,
});
