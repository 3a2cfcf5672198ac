import type { FoundMessage } from '../../../src/protocol/panel/search.js';

/** Who says a message, by its role. */
export const SPEAKERS: Readonly<Record<FoundMessage['role'], string>> = {
  user: 'You',
  assistant: 'Assistant',
  'tool-results': 'Tool',
  summary: 'Summary',
};
