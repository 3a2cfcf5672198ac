import assert from 'node:assert/strict';
import { lastRun } from '../../../src/engine/chat/branch.js';
import type { StreamPart } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { isStep } from '../../../src/protocol/panel/turnSteps.js';
import { until } from '../../support/host/clocks.js';
import { RESTORE_STEP } from '../../support/host/longChat.js';
import { panelOf } from '../../support/host/panel.js';
import { EchoTool } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';

const STEPS = 110;
const EXCHANGES = 8;

/** A chat that ends with a turn of many steps without text. */
async function writeLongTurn({ model, chats }: Window): Promise<ChatSession> {
  const session = await chats.create();
  for (let turn = 1; turn <= EXCHANGES; turn += 1) {
    await session.conversation.send('/long 1');
  }
  let steps = 0;
  model.stream = async function* (): AsyncGenerator<StreamPart> {
    steps += 1;
    if (steps > STEPS) {
      yield await Promise.resolve({ type: 'text', index: 0, text: 'All is read.' });
      yield { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: null };
      return;
    }
    yield await Promise.resolve({ type: 'toolCall', index: 0, id: `call-${String(steps)}`, name: 'echo' });
    yield { type: 'toolCallArgs', index: 0, text: `{"step": ${String(steps)}}` };
    yield { type: 'end', stopReason: 'toolCalls', usage: null, rawUsage: null, responseId: null };
  };
  session.onChange(() => {
    if (lastRun(session.state)?.question?.goesOn === null) {
      void session.answers.goOn(true);
    }
  });
  await session.conversation.send('Read everything.');
  return session;
}

function isQuestion(entry: EntryView): boolean {
  return entry.kind === 'user' && entry.text === 'Read everything.';
}

describe('Show earlier messages in a turn of many steps', () => {
  const windows = useWindows();

  it('shows the message that began the turn, and messages before it', async () => {
    const window = windows.open({ tools: new EchoTool() });
    const { id } = await writeLongTurn(window);
    const { webview, say } = await panelOf(window, id);
    const { entries } = webview.state;
    assert.deepEqual([entries.length, entries.filter(isStep).length], [50, 49]);
    await say({ type: 'showEarlier', chatId: id });
    await until(() => webview.state.entries.length > 50, 'earlier entries');
    const at = webview.state.entries.findIndex(isQuestion);
    assert.ok(at >= 4, `4 entries above the question, of ${String(at)}`);
    assert.ok(webview.state.entries.length <= STEPS + 2 + 50, 'no more than a page beyond the turn');
  });

  it('does so when the beginning of the turn is not in memory', async () => {
    const written = windows.open({ tools: new EchoTool() });
    const { id } = await writeLongTurn(written);
    const window = windows.open({ tools: new EchoTool(), writerId: 'later', restoreStep: RESTORE_STEP });
    await window.store.updateDerived(id, 50);
    const { webview, say, shown } = await panelOf(window, id);
    const session = await shown.current();
    assert.equal(session.state.extent, 'end');
    await say({ type: 'showEarlier', chatId: id });
    await until(() => webview.state.entries.findIndex(isQuestion) >= 4, 'the question and entries above it');
    assert.equal(session.state.extent, 'whole');
  });
});
