import type { ChatResources } from '../../../src/host/tools/toolbox.js';
import { refused } from '../../../src/host/context/files/refusal.js';

export const NO_RESOURCES: ChatResources = { known: ({ name }) => refused(name, { code: 'notRead' }), readAll: () => Promise.resolve() };
