import type { ExclusionPrice, ExclusionPrices } from '../../../src/protocol/panel/exclusion.js';
import type { BlockView } from '../../../src/protocol/panel/requestRows.js';
import type { PreviewState } from '../state.js';
import { ANSWER, NEXT, NOTHING_LEFT_OUT, QUESTION, replied, said, shown } from './parts.js';
import { NOTHING_AVAILABLE, plainRow, text } from '../views.js';
import { toolCall } from './toolCall.js';

const PRICED: ExclusionPrice = {
  state: 'sent',
  tokens: 4_210,
  writtenAgain: 18_204,
  cost: 0.0628,
  saving: 0.001263,
  canWait: true,
};

const READ = toolCall('c1', 'read_file', '{"path":"docs/stations.md"}', {
  subject: 'docs/stations.md',
  durationMs: 212,
  result: { messageId: 't1', text: 'Cuxhaven, Husum, Dagebüll', cut: null, tokens: 3_198 },
});

const OTHERS = ['docs/gauges.md', 'docs/tables.md'].map((path, at) => ({
  ...toolCall(`c${String(at + 3)}`, 'read_file', JSON.stringify({ path }), { subject: path, durationMs: 96 }),
  result: { messageId: 't5', text: 'The gauge of Husum', cut: null, tokens: 1_020 },
}));

/** Two calls: one is excluded, the other can be. */
const OF_CALLS: ExclusionPrices = {
  ...PRICED,
  tokens: 1_062,
  saving: 0.000319,
  calls: {
    c3: { ...PRICED, state: 'out', tokens: 1_062, cost: 0.0663, saving: 0.000319 },
    c4: { ...PRICED, tokens: 1_062, saving: 0.000319 },
  },
};

/**
 * Turns and tool calls that the user excluded: removed, still sent, with a reply that stays, or only one of two calls.
 */
export function excludedTurns(): PreviewState {
  const carried: BlockView = { ...plainRow('Excluded, still sent', 'conversation', 2, 4_210), isEarlier: true };
  return shown(
    'Excluded by you',
    ['next-request', 'next-request:excludedTurns', 'next-request:forgotten', 'a4:tools-0', 'a5:tools-0', 'a5:tools-0-1'],
    {
      entries: [
        { ...QUESTION, isExcluded: true },
        { ...ANSWER, excluded: 'turn' },
        said('u2', 'Try the older formula, from before the gauge was moved.', { isExcluded: true }),
        replied('a2', [text('With it the tide comes **eleven minutes** later.')], { excluded: 'turn' }),
        said('u3', 'Which stations are there?', {}),
        replied('a3', [text('I read the list.'), READ, text('There are three.')], { excluded: 'calls' }),
        said('u4', 'And which of them has a gauge?', {}),
        replied('a4', [{ ...READ, callId: 'c2' }, text('Husum.')], {}),
        said('u5', 'Since when?', {}),
        replied('a5', [...OTHERS, text('Since 1936.')], { excluded: { callIds: ['c3'] } }),
      ],
      exclusionPrices: {
        [QUESTION.id]: { ...PRICED, state: 'out', tokens: 912, cost: 0.0662, saving: 0.000274 },
        u2: { ...PRICED, state: 'leaving' },
        a3: { ...PRICED, state: 'out', tokens: 3_240, cost: 0.0751, saving: 0.000972 },
        u3: PRICED,
        u4: { ...PRICED, writtenAgain: 0, cost: 0 },
        a4: { ...PRICED, tokens: 3_240, saving: 0.000972 },
        a5: OF_CALLS,
      },
      nextRequest: { ...NEXT, totalTokens: 9_508, inputCost: 0.0135, shares: [{ category: 'conversation', tokens: 9_470 }] },
      nextRequestRows: {
        summary: 'No files',
        blocks: [carried, plainRow('Conversation', 'conversation', 6, 5_260)],
        notSelected: NOTHING_LEFT_OUT,
        excludedTurns: {
          total: 2,
          first: [
            { id: 'u2', label: 'Try the older formula, from before the gauge was moved.', tokens: 4_210, isHeld: true },
            { id: 'u1', label: 'How does it predict the tide?', tokens: 912, isHeld: false },
          ],
        },
        forgotten: {
          ...{ calls: 2, tokens: 4_302, replies: 2 },
          first: [
            { label: 'read_file docs/gauges.md', calls: 1, tokens: 1_062, reason: 'excluded by you', bringsBack: 'a5', callId: 'c3' },
            { label: 'read_file', calls: 1, tokens: 3_240, reason: 'excluded by you', bringsBack: 'a3' },
          ],
        },
        available: NOTHING_AVAILABLE,
        servers: [],
        remarks: [],
      },
    },
  );
}
