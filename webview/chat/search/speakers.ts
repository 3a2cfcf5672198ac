import type { FoundMessage } from '../../../src/protocol/panel/search.js';

export const SPEAKERS: Readonly<Record<FoundMessage['role'], string>> = {
  user: 'You',
  assistant: 'Assistant',
  'tool-results': 'Tool',
  summary: 'Summary',
};
