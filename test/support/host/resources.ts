import type { HeldResources } from '../../../src/host/tools/toolbox.js';
import { refused } from '../../../src/host/context/files/refusal.js';

/** No chat of the window holds a resource. */
export const NO_RESOURCES: HeldResources = {
  known: ({ name }) => refused(name, { code: 'notRead' }),
  readAll: () => Promise.resolve(),
};
