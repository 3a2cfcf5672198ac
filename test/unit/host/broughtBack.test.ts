import assert from 'node:assert/strict';
import type { SummaryEntry } from '../../../src/protocol/panel/compaction.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { column } from '../../support/columns.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { messages, wholeState } from '../../support/host/reading.js';
import { LOST_PATH, talk, talkWithLoss, type Rig } from '../../support/host/summaryRig.js';
import { useWindows } from '../../support/host/window.js';

describe('a fact that a summary lost', () => {
  const windows = useWindows();

  /** A chat whose summary lost the paths of its first answer. */
  async function summarized(): Promise<Rig & { readonly test: TestPanel; readonly lost: string }> {
    const rig = await talkWithLoss(windows);
    const { window, session } = rig;
    const test = await panelOf(window, session.id);
    await session.conversation.send('Thanks');
    const lost = entry(test).kept.find(({ label }) => label === 'File paths')?.lost[0];
    assert.equal(lost, LOST_PATH);
    return { ...rig, test, lost };
  }

  function entry({ snapshot }: TestPanel): SummaryEntry {
    const found = snapshot().entries.find((each) => each.kind === 'summary');
    assert.ok(found);
    return found;
  }

  const bringBack = async (test: TestPanel, session: ChatSession, fact: string): Promise<void> =>
    test.say({ type: 'bringBackFact', chatId: session.id, summaryId: entry(test).id, fact });

  it('is brought back: the next request holds it, the list has it as kept, and the summary stays where it stands', async () => {
    const { house, window, session, test, lost } = await summarized();
    const before = { entry: entry(test), ids: test.webview.state.entries.map(({ id }) => id) };
    await bringBack(test, session, lost);
    const after = entry(test);
    assert.deepEqual(column(test.webview.state.entries, 'id'), before.ids);
    assert.deepEqual(
      after.kept.find(({ label }) => label === 'File paths'),
      { label: 'File paths', kept: 1, all: 1, lost: [] },
    );
    assert.deepEqual([after.lines, after.tokens.before], [before.entry.lines + 1, before.entry.tokens.before]);
    assert.ok(after.tokens.after > before.entry.tokens.after);
    await session.conversation.send('And now?');
    assert.match(house.bodies.at(-1) ?? '', /- src\/tides\/old\.ts/);
    assert.equal(window.errors.length, 0);
  });

  it('is brought back once, and nothing else is', async () => {
    const { session, test, lost } = await summarized();
    await bringBack(test, session, lost);
    const once = entry(test);
    await bringBack(test, session, lost);
    await bringBack(test, session, 'Delete all of it.');
    assert.deepEqual(entry(test), once);
  });

  it('stays where the user goes back to before it was brought back, and in another window', async () => {
    const { house, session, test, lost } = await summarized();
    await bringBack(test, session, lost);
    const last = messages(session.state).findLast(({ role }) => role === 'user');
    await session.conversation.edit(last?.id ?? '', 'Thank you');
    assert.match(house.bodies.at(-1) ?? '', /- src\/tides\/old\.ts/);
    const other = windows.open({ writerId: 'other', sources: [house.source] });
    assert.deepEqual(wholeState((await other.chats.open(session.id)).state), wholeState(session.state));
  });

  it('leaves with the summary that is undone; the request before it is still the one that was sent', async () => {
    const { house, session, test, lost } = await summarized();
    const sent = house.bodies.at(-1);
    const attempt = [...session.state.attempts.keys()].at(-1) ?? '';
    await bringBack(test, session, lost);
    const { rebuilt } = await session.request(attempt);
    assert.deepEqual([rebuilt.body, rebuilt.note], [sent, null]);
    await session.compactor.undo();
    assert.equal(activeCompaction(session.state), null);
    await session.conversation.send('And now?');
    assert.match(house.bodies.at(-1) ?? '', /Where are the tides\?/);
    assert.doesNotMatch(house.bodies.at(-1) ?? '', /Previous Conversation Summary/);
  });

  it('is a line that the next summary must keep, too', async () => {
    const { house, session, test, lost } = await summarized();
    await bringBack(test, session, lost);
    house.replies.push([{ text: 'All of it in short.' }]);
    await session.compactor.summarize(null);
    await session.conversation.send('And now?');
    assert.match(house.bodies.at(-1) ?? '', /All of it in short\.[^"]*- src\/tides\/old\.ts/);
  });
});

describe('the request of a summary', () => {
  const windows = useWindows();

  it('is reached from its checkpoint, byte for byte', async () => {
    const { house, window, session } = await talk(windows, 2, {});
    const test = await panelOf(window, session.id);
    house.replies.push([{ text: 'Short.' }]);
    await session.compactor.summarize(null);
    const entry = test.snapshot().entries.find((each) => each.kind === 'summary');
    const { attempt, rebuilt } = await session.request(entry?.requests[0]?.attemptId ?? '');
    assert.deepEqual([attempt.purpose, rebuilt.body, rebuilt.note], ['summary', house.bodies.at(-1), null]);
  });

  it('is reached from one that failed', async () => {
    const { house, window, session } = await talk(windows, 2, {});
    const test = await panelOf(window, session.id);
    house.replies.push([{ text: '' }]);
    await test.say({ type: 'summarize', chatId: session.id, upTo: null });
    const { compaction } = test.snapshot();
    assert.ok(compaction?.kind === 'failed');
    assert.equal((await session.request(compaction.attemptId ?? '')).rebuilt.body, house.bodies.at(-1));
  });
});
