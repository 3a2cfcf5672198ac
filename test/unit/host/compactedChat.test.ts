import assert from 'node:assert/strict';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import type { TimelineItem } from '../../../src/engine/chat/timeline.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { openMessages } from '../../../src/engine/compaction/range.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { ExportFormat } from '../../../src/host/transfer/exportContent.js';
import { column } from '../../support/columns.js';
import { foldLog } from '../../support/engine/folds.js';
import { longTalk, messagesIn, RULE, summariesShown, summarize } from '../../support/host/longTalk.js';
import { HERE, useTwoWorkspaces } from '../../support/host/otherWorkspace.js';
import { messages, wholeState } from '../../support/host/reading.js';
import { exported } from '../../support/host/exported.js';
import { useWindows, type Window } from '../../support/host/window.js';

const HEADING = 'Previous Conversation Summary:';

function answer(session: ChatSession, number: number): string {
  return messages(session.state).filter(({ role }) => role === 'assistant')[number - 1]?.id ?? '';
}

async function exportedText(session: ChatSession, format: ExportFormat, window: Window): Promise<string> {
  return (await exported(session, format, window, {})).bytes.toString('utf8');
}

describe('the checkpoint of a summarized chat', () => {
  const windows = useWindows();

  it('is in a fork: it shows the same, sends the same, and can be undone there', async () => {
    const talk = await longTalk(windows, 4, {});
    const { house, window, session } = talk;
    await summarize(talk, answer(session, 2), 'They read tide tables.');
    const fork = await window.chats.fork(session, answer(session, 4));
    assert.deepEqual(activeCompaction(fork.state)?.lines, [RULE]);
    assert.deepEqual(
      summariesShown(fork.state),
      summariesShown(session.state).map((entry) => ({ ...entry, cost: null, isAtLeast: false, paidRequests: 0, requests: [] })),
    );
    await fork.conversation.send('And now?');
    await session.conversation.send('And now?');
    const [inFork = '', inChat = ''] = house.bodies.slice(-2).map(messagesIn);
    assert.equal(inFork, inChat);
    assert.ok(inFork.includes(`${HEADING}\\n\\nThey read tide tables.`) && inFork.includes(RULE) && !inFork.includes('Answer 2'));
    await fork.compactor.undo();
    await fork.conversation.send('And then?');
    assert.ok(messagesIn(house.bodies.at(-1)).includes('Answer 1'));
    assert.notEqual(activeCompaction(session.state), null);
  });

  it('is not in a fork that ends before what it replaces does; there the one before it counts', async () => {
    const talk = await longTalk(windows, 5, {});
    const { window, session } = talk;
    await summarize(talk, answer(session, 2), 'First two.');
    await summarize(talk, answer(session, 4), 'First four.');
    const third = await window.chats.fork(session, answer(session, 3));
    const first = await window.chats.fork(session, answer(session, 1));
    const summaries = summariesShown(third.state).map(({ text, status }) => [text.split('\n')[0], status]);
    assert.deepEqual(summaries, [['First two.', 'active']]);
    assert.deepEqual(summariesShown(first.state), []);
    assert.equal(openMessages(first.state).length, 2);
  });

  it('is not in a fork when it was undone', async () => {
    const talk = await longTalk(windows, 3, {});
    const { window, session } = talk;
    await summarize(talk, null, 'All three.');
    await session.compactor.undo();
    const fork = await window.chats.fork(session, answer(session, 3));
    assert.deepEqual([summariesShown(fork.state), openMessages(fork.state).length], [[], 6]);
  });

  it('is still sent and shown when a later message is edited, a later reply is tried again, and after a reload', async () => {
    const talk = await longTalk(windows, 4, {});
    const { house, session } = talk;
    await summarize(talk, answer(session, 2), 'First two.');
    const asks = (): string => messages(session.state).findLast(({ role }) => role === 'user')?.id ?? '';
    const preview = await session.next.preview({ text: 'Another fourth question', editing: asks() });
    assert.ok(messagesIn(preview.wire().body).includes('First two.'));
    await session.conversation.edit(asks(), 'Another fourth question');
    assert.ok(messagesIn(house.bodies.at(-1)).includes('First two.'));
    await session.conversation.retry(asks());
    assert.ok(messagesIn(house.bodies.at(-1)).includes('First two.'));
    assert.deepEqual(column(summariesShown(session.state), 'status'), ['active']);
    const second = await windows.open({ writerId: 'second', sources: [house.source] }).chats.open(session.id);
    assert.deepEqual(wholeState(second.state), wholeState(session.state));
  });

  it('is gone when a message that it replaces is edited, and back when the edit is taken back', async () => {
    const talk = await longTalk(windows, 3, {});
    const { house, session } = talk;
    await summarize(talk, answer(session, 2), 'First two.');
    const [first] = messages(session.state);
    await session.conversation.edit(first?.id ?? '', 'Another first question');
    assert.deepEqual([summariesShown(session.state), activeCompaction(session.state)], [[], null]);
    await session.conversation.restoreBranch([...session.state.rewinds.keys()].at(-1) ?? '');
    await session.conversation.send('And now?');
    assert.ok(messagesIn(house.bodies.at(-1)).includes('First two.'));
  });

  it('is the same after a reload, and in a second window', async () => {
    const talk = await longTalk(windows, 4, {});
    const { house, session } = talk;
    await summarize(talk, answer(session, 3), 'They read tide tables.');
    const second = await windows.open({ writerId: 'second', sources: [house.source] }).chats.open(session.id);
    assert.deepEqual(summariesShown(second.state), summariesShown(session.state));
    await session.compactor.undo();
    await summarize(talk, answer(session, 2), 'Another one.');
    await second.poll();
    assert.deepEqual(wholeState(second.state), wholeState(session.state));
    assert.deepEqual(column(summariesShown(second.state), 'status'), ['undone', 'active']);
  });

  it('is in an export as Markdown under its heading, beside the messages that it replaces', async () => {
    const talk = await longTalk(windows, 3, {});
    const { window, session } = talk;
    await summarize(talk, answer(session, 2), 'They read tide tables.');
    const text = await exportedText(session, 'markdown', window);
    assert.equal(text.split(`## ${HEADING}\n\nThey read tide tables.\n\nKept word for word:\n- ${RULE}`).length, 2);
    assert.ok(['Question 1', 'Answer 1', 'Answer 3'].every((said) => text.includes(said)));
    assert.deepEqual(text.match(/^## Assistant.*/gm), ['## Assistant', '## Assistant', '## Assistant'], 'the request for it is no reply');
    await session.compactor.undo();
    const undone = await exportedText(session, 'markdown', window);
    assert.ok(!undone.includes(HEADING) && undone.includes('## Summary (not in use)\n\nThey read tide tables.'));
  });

  it('is in an export as JSON Lines', async () => {
    const talk = await longTalk(windows, 3, {});
    const { window, session } = talk;
    await summarize(talk, answer(session, 2), 'They read tide tables.');
    const lines = (await exportedText(session, 'jsonLines', window)).trimEnd().split('\n');
    const { state } = foldLog(lines.map((line) => JSON.parse(line) as ChatEvent));
    assert.deepEqual(summariesShown(state), summariesShown(session.state));
    assert.deepEqual(openMessages(state), openMessages(session.state));
  });

  it('is not looked behind again at each key, nor is the model of each attempt', async () => {
    const talk = await longTalk(windows, 5, {});
    const { session } = talk;
    await summarize(talk, answer(session, 4), 'First four.');
    await session.next.preview({ text: 'And', editing: null });
    const { timeline, attempts } = session.state;
    const looks: string[] = [];
    const watched = <T extends object>(what: T, name: string): T =>
      new Proxy(what, {
        get: (target, key): unknown => {
          looks.push(`${name}.${String(key)}`);
          return Reflect.get(target, key);
        },
      });
    (timeline as TimelineItem[])[1] = watched(timeline[1] ?? assert.fail('no item'), 'message');
    const [id, first] = [...attempts][0] ?? assert.fail('no attempt');
    (attempts as Map<string, AttemptState>).set(id, watched(first, 'attempt'));
    await session.next.preview({ text: 'And now?', editing: null });
    // It can read the base of the last request's record, and the usage of the last turns.
    const looked = looks.filter((look) => look.startsWith('message') || look === 'attempt.model');
    assert.deepEqual(looked, []);
  });
});

describe('a summarized chat of another workspace', () => {
  const two = useTwoWorkspaces();

  it('shows the same checkpoint when it is imported', async () => {
    const talk = await longTalk(two.windows, 3, { writerId: 'before' });
    await summarize(talk, answer(talk.session, 2), 'They read tide tables.');
    const { others } = await two.here([HERE]);
    const imported = await others.import(`${two.elsewhere}/chats/${talk.session.id}`);
    assert.deepEqual(summariesShown(imported.state), summariesShown(talk.session.state));
    assert.deepEqual(activeCompaction(imported.state), activeCompaction(talk.session.state));
  });
});
