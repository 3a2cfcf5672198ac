import type { BlockView, ForgottenCalls } from '../../../src/protocol/panel/requestRows.js';
import type { PreviewState } from '../state.js';
import { CONTEXT_ROWS, NEXT, NO_TURNS, NOTHING_LEFT_OUT, shown } from './parts.js';
import { NOTHING_AVAILABLE } from '../views.js';

const FORGOTTEN: ForgottenCalls = {
  calls: 48,
  tokens: 38_240,
  replies: 43,
  first: [
    { label: 'read_file', calls: 3, tokens: 12_480, reason: 'after 1 turn', bringsBack: null },
    { label: 'search_text, list_directory_with_sizes, read_file', calls: 3, tokens: 4_031, reason: 'after 1 turn', bringsBack: null },
    { label: 'run_command', calls: 1, tokens: 912, reason: 'after 1 turn', bringsBack: null },
  ],
};

/**
 * Tool calls that the next request leaves out, some that it still contains, and those that a reply's request left out.
 */
export function forgotten(): PreviewState {
  const row = (label: string, count: number, tokens: number): BlockView => ({
    ...{
      label,
      file: null,
      category: 'conversation',
      count,
      tokens,
      includeMode: null,
      score: null,
      server: null,
      isEarlier: false,
      cache: null,
    },
  });
  const carried = { ...row('Excluded, still sent', 6, 2_160), server: null, isEarlier: true, cache: null };
  return shown('Forgotten tool calls', ['a1:context', 'a1:forgotten', 'next-request', 'next-request:earlier', 'next-request:forgotten'], {
    nextRequest: {
      ...NEXT,
      totalTokens: 4_508,
      inputCost: 0.0135,
      forecast: null,
      mayBeCached: true,
      shares: [{ category: 'conversation', tokens: 4_470 }],
    },
    nextRequestRows: {
      summary: 'No files',
      blocks: [carried, row('Conversation', 8, 2_310)],
      notSelected: NOTHING_LEFT_OUT,
      forgotten: FORGOTTEN,
      excludedTurns: NO_TURNS,
      available: NOTHING_AVAILABLE,
      servers: [],
      remarks: [],
    },
    contextRows: { a1: { ...CONTEXT_ROWS, forgotten: FORGOTTEN } },
  });
}
