import type { AssistantEntry } from '../../../src/protocol/panel/entries.js';
import type { ToolCallView, ToolResultView, WrittenFileView } from '../../../src/protocol/panel/toolCalls.js';
import type { PreviewState } from '../state.js';
import { text } from '../views.js';
import { USAGE, chat, replied, said, shown } from './parts.js';
import { toolCall } from './toolCalls.js';

/* Turns with tool steps: closed, opened, and at work. */

const priced = (cost: number): Partial<AssistantEntry> => ({ usage: { ...USAGE, cost } });
const result = (tokens: number): ToolResultView => ({ messageId: 't1', text: 'src/heap.ts:12', images: [], cut: null, tokens });
const read = (callId: string, path: string, tokens: number): ToolCallView =>
  toolCall(callId, 'read_file', JSON.stringify({ path }), { subject: path, result: result(tokens) });
const SEARCHED = toolCall('s1', 'search_text', '{"query":"countTokens"}', { subject: 'countTokens', result: result(612) });
const FAILED = toolCall('s6', 'fetch_page', '{"url":"https://unicode.example/"}', {
  ...{ subject: 'https://unicode.example/', status: { kind: 'failed' } },
  result: { messageId: null, text: 'No answer in 60 s.', images: [], cut: null, tokens: 6 },
});
const EDITED = toolCall('s5', 'edit_file', '{"path":"src/heap.ts","old_text":"sort(","new_text":"siftUp("}', {
  subject: 'src/heap.ts',
  result: result(96),
});
const HEAP: WrittenFileView = {
  ...{ kind: 'written', path: 'src/heap.ts', added: 12, removed: 3, state: 'applied', messageId: 't1', hasEarlier: true },
};

/** Five steps in six requests. One of them has a text for the user. */
function steps(turn: string): readonly AssistantEntry[] {
  return [
    replied(`${turn}1`, [SEARCHED], priced(0.0031)),
    replied(`${turn}2`, [read('s2', 'src/engine/tokens/bpe.ts', 1_940)], priced(0.0024)),
    replied(`${turn}3`, [read('s3', 'src/heap.ts', 1_614)], priced(0.0026)),
    replied(`${turn}4`, [text('The heap sorts at each push. I replace that.'), read('s4', 'test/heap.test.ts', 1_212)], priced(0.0031)),
    replied(`${turn}5`, [EDITED], { ...priced(0.0044), files: [HEAP] }),
  ];
}

const ENDED = replied('r', [text('The heap is in place and all 640 tests pass.')], {
  usage: { ...USAGE, cost: 0.0057, inputTokens: 6_104, cachedTokens: 5_904, writtenTokens: 0, outputTokens: 212 },
});
const ASK = said('u1', 'Put the heap in, and check that the tests still pass.', {});

const DONE: PreviewState = shown('Tools that are done', ['u2:steps', 'b3:tools-0-0'], {
  entries: [ASK, ...steps('a'), ENDED, said('u2', 'And once more.', {}), ...steps('b'), { ...ENDED, id: 'r2' }],
  exclusionPrices: {
    b5: { ...{ state: 'sent', tokens: 5_474, writtenAgain: 3_000, cost: 0.0112, saving: 0.0016, canWait: true }, calls: {} },
  },
});

const WORKING: PreviewState = shown('Tools that work', [], {
  chat: chat({ running: true }),
  entries: [
    ASK,
    ...steps('a').slice(0, 4),
    replied('a5', [{ ...EDITED, status: { kind: 'running', progress: null }, result: null }], priced(0.0044)),
  ],
});

const REPLYING: PreviewState = shown('Tools that are done while the reply streams', ['u1:steps'], {
  chat: chat({ running: true }),
  entries: [
    ASK,
    replied('a1', [SEARCHED, FAILED], { ...priced(0.0031) }),
    replied('r', [text('The heap is in')], { status: 'streaming', usage: null, contextUsed: null }),
  ],
  outputs: [{ entryId: 'r', tokens: 27, isEstimate: true, cost: 0.0041, isPretended: false }],
});

export const TURNS: readonly PreviewState[] = [DONE, WORKING, REPLYING];
