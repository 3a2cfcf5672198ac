import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { forgottenCalls } from '../../../src/host/panel/nextRequest/omittedContent.js';
import { nextRequestRows, contextRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { historyStatus } from '../../../src/host/request/historyStatus.js';
import { columns } from '../../support/columns.js';
import { RunningClock } from '../../support/host/clocks.js';
import { messagesIn } from '../../support/host/longTalk.js';
import { openPanel } from '../../support/host/panel.js';
import { EchoTool, lastAttempt, messages } from '../../support/host/reading.js';
import { newToolChat, type ToolChat } from '../../support/host/toolChat.js';
import { useWindows } from '../../support/host/window.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { RESTORE_STEP } from '../../support/host/longChat.js';

const NO_DRAFT = { text: '', editing: null };
/** A tool's input and output: much longer than the text about it. */
const MUCH = 'All of the harbour. '.repeat(400);
/** Long enough that the content after a call is worth its place in the cache. */
const LONG = 'The tide tables of the harbour are read every hour. '.repeat(600);

describe('a chat with tool memory', () => {
  const windows = useWindows();

  async function talk(config: Partial<ChatConfig>, turns: number): Promise<ToolChat> {
    const { house, window, session } = await newToolChat(windows, config);
    for (let turn = 1; turn <= turns; turn += 1) {
      house.replies.push([{ text: `Look ${turn}.` }, { call: 'echo', id: `call-${turn}`, args: { turn, text: MUCH } }]);
      house.replies.push([{ text: `Conclusion ${turn}. ${LONG}` }]);
      await session.conversation.send(`Question ${turn}`);
    }
    return { house, window, session };
  }

  const callsIn = (body: string | undefined): string[] =>
    [...messagesIn(body).matchAll(/"id":"call-(\d+)"/g)].map(([, turn]) => turn ?? '');

  it('sends them to the set turn, tells what the next request leaves out, and what that of a reply left out', async () => {
    const { house, session } = await talk({ layout: 'plain', toolMemory: 1 }, 3);
    assert.deepEqual(house.bodies.map(callsIn), [[], ['1'], ['1'], ['1', '2'], ['2'], ['2', '3']]);
    const composed = await session.next.preview(NO_DRAFT);
    const { blocks } = nextRequestRows(composed);
    const forgotten = forgottenCalls(composed.forgotten, session.state);
    assert.deepEqual([forgotten.calls, forgotten.replies], [2, 2]);
    assert.deepEqual(columns(forgotten.first, 'label', 'calls', 'reason'), Array(2).fill(['echo', 1, 'after 1 turn']));
    const total = forgotten.first.reduce((sum, { tokens }) => sum + tokens, 0);
    assert.equal(forgotten.tokens, total);
    assert.ok(forgotten.tokens > 2 * 2 * 1_000);
    const earlier = blocks.filter(({ isEarlier }) => isEarlier);
    assert.deepEqual(earlier, []);
    const used = contextRows(lastAttempt(session.state), session.state)?.forgotten;
    assert.deepEqual([used?.calls, used?.replies, used?.first[0]?.reason], [1, 1, 'after 1 turn']);
  });

  it('tells what a prompt that continues still carries, and prices to leave it out', async () => {
    const { house, session } = await talk({ layout: 'adaptive', toolMemory: 1 }, 3);
    assert.deepEqual(callsIn(house.bodies.at(-1)), ['1', '2', '3']);
    const carrying = await session.next.preview(NO_DRAFT);
    const rows = nextRequestRows(carrying);
    const earlier = rows.blocks.filter(({ isEarlier }) => isEarlier);
    assert.deepEqual(columns(earlier, 'label', 'category'), [['Excluded content, still sent', 'conversation']]);
    assert.deepEqual(forgottenCalls(carrying.forgotten, session.state).first, []);
    const relayout = await session.context.relayout();
    assert.ok(relayout !== null && relayout.droppedTokens >= (earlier[0]?.tokens ?? Infinity), JSON.stringify(relayout));
    await session.context.rebuildLayout();
    await session.conversation.send('Go on.');
    assert.deepEqual(callsIn(house.bodies.at(-1)), ['3']);
  });

  for (const layout of ['plain', 'tiered', 'adaptive'] as const) {
    it(`goes on with the same request in another window, in the layout ${layout}`, async () => {
      const { house, session } = await talk({ layout, toolMemory: 0 }, 4);
      const draft = { text: 'And now?', editing: null };
      const here = (await session.next.preview(draft)).wire().body;
      const window = windows.open({ writerId: 'other', sources: [house.source], tools: new EchoTool(), clock: new RunningClock() });
      const there = (await (await window.chats.open(session.id)).next.preview(draft)).wire().body;
      assert.ok(there === here && callsIn(here).length < 4);
    });
  }

  it('counts for a summary only what requests hold, and a summary is of what the last one held', async () => {
    const { house, session } = await talk({ layout: 'plain', toolMemory: 0 }, 2);
    const before = historyStatus(await session.next.preview(NO_DRAFT), session.state.config).historyTokens;
    house.replies.push([{ text: 'Tides.' }]);
    await session.compactor.summarize(null);
    const { tokens } = activeCompaction(session.state) ?? { tokens: { before: 0 } };
    assert.ok(tokens.before > before * 0.9 && tokens.before <= before, `${tokens.before} of ${before}`);
    const [reply, summary] = house.bodies.slice(-2);
    assert.deepEqual([callsIn(reply), callsIn(summary)], [['2'], ['2']]);
    await session.conversation.send('And now?');
    assert.deepEqual(callsIn(house.bodies.at(-1)), []);
    assert.ok(messagesIn(house.bodies.at(-1)).includes('Tides.'));
  });

  it('keeps what is pinned, also beside a summary, and remembers again what a summary gives back', async () => {
    const { house, session } = await talk({ layout: 'plain', toolMemory: 0 }, 2);
    const [first] = messages(session.state).filter(({ role }) => role === 'tool-results');
    await session.marks.pin(first?.id ?? '');
    await session.conversation.send('And now?');
    assert.deepEqual(callsIn(house.bodies.at(-1)), ['1']);
    house.replies.push([{ text: 'Tides.' }]);
    await session.compactor.summarize(null);
    await session.conversation.send('And then?');
    assert.deepEqual(callsIn(house.bodies.at(-1)), ['1']);
    await session.compactor.undo();
    await session.changeConfig({ toolMemory: null });
    await session.conversation.send('All of it?');
    assert.deepEqual(callsIn(house.bodies.at(-1)), ['1', '2']);
  });

  it('tells the API what the next request leaves out', async () => {
    const { window, session } = await talk({ layout: 'plain', toolMemory: 0 }, 1);
    const { api } = openPanel(window, { currentChat: undefined });
    const { forgotten } = await api.previewNextRequest(session.id);
    const { tokens, messageId, ...rest } = forgotten[0]!;
    assert.deepEqual(rest, { tools: ['echo'], calls: 1, after: 0 });
    assert.ok(tokens > 1_000 && messages(session.state).some(({ id }) => id === messageId));
  });
});

/** Each has a call and a conclusion: many more messages than the least in a restore point. */
const TURNS = 30;
/** The least messages in a restore point. */
const HELD = 10;

describe('a chat with tool memory that is opened from its restore point', () => {
  const windows = useWindows();
  const next = (session: ChatSession) => session.next.preview({ text: 'Go on', editing: null });

  for (const layout of ['plain', 'adaptive', 'tiered'] as const) {
    it(`sends what the window would send that had it open all the time, and tells what it forgets: ${layout}`, async () => {
      const tools = new EchoTool();
      const config = { layout, toolMemory: 1, compaction: 'off' } as const;
      const { window: first, session } = await windows.openChat({ tools, config, restoreStep: RESTORE_STEP });
      for (let turn = 0; turn < TURNS; turn += 1) {
        await session.conversation.send(`/tool echo {"turn": ${String(turn)}}`);
      }
      await first.store.updateDerived(session.id, HELD);

      const opened = await windows.open({ writerId: 'second', tools, restoreStep: RESTORE_STEP }).chats.open(session.id);
      assert.equal(opened.state.extent, 'end');
      assert.equal(opened.state.config.toolMemory, 1);
      const [whole, restored] = [await next(session), await next(opened)];
      assert.ok(restored.wire().body === whole.wire().body, 'the bodies differ');
      assert.deepEqual(restored.forgotten, whole.forgotten);
      assert.ok(restored.forgotten.length > HELD, String(restored.forgotten.length));
    });
  }
});
