import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { modelKey } from '../../../src/engine/model/modelRef.js';
import { messageText } from '../../../src/engine/chat/message/message.js';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { STOP } from '../../../src/engine/run/input.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { compactionView } from '../../../src/host/panel/conversation/summaryEntry.js';
import { column } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { openPanel, panelOf } from '../../support/host/panel.js';
import { lastMessage, messages, wholeState } from '../../support/host/reading.js';
import { LONG, talk as talkIn, type Rig } from '../../support/host/summaryRig.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function said(body: string | undefined): string {
  return JSON.stringify((JSON.parse(body ?? '{"messages":[]}') as Body).messages);
}

describe('a summary of a conversation', () => {
  const windows = useWindows();
  const talk = (exchanges: number, config: Partial<ChatConfig>): Promise<Rig> => talkIn(windows, exchanges, config);

  it('is sent instead of the messages that it replaces, once, headed, and can be undone without losing what came after', async () => {
    const { house, session } = await talk(3, {});
    house.replies.push([{ text: 'They read tide tables.' }]);
    await session.compactor.summarize(null);
    await session.conversation.send('Question 4');
    const body = said(house.bodies.at(-1));
    assert.equal(body.split('Previous Conversation Summary:').length, 2);
    assert.ok(body.includes('They read tide tables.') && body.includes('Question 4'));
    assert.ok(!body.includes('Answer 1') && !body.includes('Question 3'));
    await session.compactor.undo();
    await session.conversation.send('Question 5');
    const after = said(house.bodies.at(-1));
    assert.ok(['Question 1', 'Answer 3', 'Question 4', 'Question 5'].every((text) => after.includes(text)));
    assert.ok(!after.includes('Previous Conversation Summary:'));
  });

  it('is asked for behind the very prefix of the last request, with what has been said since', async () => {
    const { house, session } = await talk(2, {});
    house.replies.push([{ text: 'Short.' }]);
    await session.compactor.summarize(null);
    const [last, summary] = house.bodies.slice(-2).map((body) => (JSON.parse(body) as Body).messages);
    assert.ok(last !== undefined && summary !== undefined);
    assert.deepEqual(summary.slice(0, last.length), last);
    assert.match(JSON.stringify(summary.at(-1)), /Keep key facts, constraints, decisions, action items, and unresolved questions\./);
  });

  it('reaches up to a message when it is told to, and a later one begins where it ended and holds the first', async () => {
    const { house, session } = await talk(4, {});
    const second = messages(session.state).filter(({ role }) => role === 'assistant')[1];
    house.replies.push([{ text: 'First two.' }], [{ text: 'All four.' }]);
    await session.compactor.summarize(second?.id ?? '');
    assert.match(said(house.bodies.at(-1)), /Leave out everything from the message on that begins \\+"Question 3/);
    await session.compactor.summarize(null);
    assert.match(said(house.bodies.at(-1)), /First two\./);
    const [first, later] = [...session.state.compactions.values()];
    assert.equal(later?.from, messages(session.state).filter(({ role }) => role === 'user')[2]?.id);
    await session.conversation.send('Question 5');
    const body = said(house.bodies.at(-1));
    assert.ok(body.includes('All four.') && !body.includes('First two.') && !body.includes('Question 4'));
    await session.compactor.undo();
    assert.equal(activeCompaction(session.state)?.id, first?.id);
  });

  it('keeps pinned messages as they are', async () => {
    const { house, session } = await talk(3, {});
    const pinned = messages(session.state).find(({ role }) => role === 'user');
    await session.marks.pin(pinned?.id ?? '');
    house.replies.push([{ text: 'Short.' }]);
    await session.compactor.summarize(null);
    await session.conversation.send('Question 4');
    const body = said(house.bodies.at(-1));
    assert.ok(body.includes('Question 1') && !body.includes('Question 2'));
  });

  it('folds to the same chat when it is loaded, and in another window', async () => {
    const { house, window, session } = await talk(3, {});
    house.replies.push([{ text: 'Short.' }]);
    await session.compactor.summarize(null);
    const other = windows.open({ writerId: 'other', sources: [house.source] });
    const reopened = await other.chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
    assert.equal(window.errors.length, 0);
  });

  it('is paid for like any other request', async () => {
    const { house, session } = await talk(2, {});
    const before = ledgerTotals(session.state).attempts;
    house.replies.push([{ text: 'Short.' }]);
    await session.compactor.summarize(null);
    assert.equal(ledgerTotals(session.state).attempts, before + 1);
    assert.deepEqual(column([...session.state.attempts.values()], 'purpose'), ['reply', 'reply', 'summary']);
  });

  describe('that fails leaves the history as it was, and says why', () => {
    const failures = [
      { name: 'empty', reply: [{ text: ' \n' }], code: 'summary.empty' },
      { name: 'a tool call', reply: [{ call: 'read', id: 'c', args: {} }], code: 'summary.calledTool' },
      { name: 'longer than what it replaces', reply: [{ text: LONG.repeat(20) }], code: 'summary.tooLong' },
    ] as const;
    for (const { name, reply, code } of failures) {
      it(name, async () => {
        const { house, session } = await talk(2, {});
        house.replies.push(reply);
        const error = await rejection(session.compactor.summarize(null));
        assert.equal(error.code, code);
        assert.equal(activeCompaction(session.state), null);
        const view = compactionView(session);
        assert.ok(view?.kind === 'failed' && view.text === error.message && view.upTo === null);
        await session.conversation.send('Question 3');
        assert.ok(said(house.bodies.at(-1)).includes('Answer 1'));
        await session.compactor.dismiss();
        assert.equal(compactionView(session), null);
      });
    }
  });

  it('that fails when the panel asked for it is told once: in the chat', async () => {
    const { house, window, session } = await talk(2, {});
    const test = await panelOf(window, session.id);
    house.replies.push([{ text: '' }]);
    await test.say({ type: 'summarize', chatId: session.id, upTo: null });
    const { compaction, banners } = test.snapshot();
    assert.deepEqual([compaction?.kind, banners], ['failed', []]);
    assert.deepEqual(column(window.errors, 'code'), ['summary.empty']);
  });

  it('can be cancelled; a message can be sent meanwhile and takes the whole history', async () => {
    const { house, session } = await talk(2, {});
    house.replies.push([{ text: 'Half' }, 'hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 3, 'the summary is asked for');
    assert.equal(compactionView(session)?.kind, 'running');
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'chat.summarizing');
    await session.conversation.send('Question 3');
    assert.ok(said(house.bodies.at(-1)).includes('Answer 1'));
    await session.compactor.stop(STOP);
    await writing;
    assert.equal(activeCompaction(session.state), null);
    assert.equal(compactionView(session), null);
  });

  it('is cancelled by an edit, because it may replace what the edit sets aside', async () => {
    const { house, session } = await talk(2, {});
    house.replies.push(['hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 3, 'the summary is asked for');
    const first = messages(session.state).find(({ role }) => role === 'user');
    await session.conversation.edit(first?.id ?? '', 'Another question');
    await writing;
    assert.equal(activeCompaction(session.state), null);
  });

  it('of a conversation that is too long for one request is made from parts, each of which fits', async () => {
    const { house, session } = await talk(6, { compaction: 'off' });
    await session.changeConfig({ maxPromptTokens: 1_800 });
    const asked = house.bodies.length;
    house.replies.push(...Array.from({ length: 8 }, (_, part) => [{ text: `Summary of ${String(part + 1)} parts.` }]));
    await session.compactor.summarize(null);
    const bodies = house.bodies.slice(asked).map(said);
    assert.ok(bodies.length > 1);
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const isAsked = bodies.some((body) => body.includes(`User: Question ${String(number)}`));
      assert.ok(isAsked, `question ${String(number)}`);
    }
    assert.ok(bodies.slice(1).every((body, index) => body.includes(`Previous summary: Summary of ${String(index + 1)} parts.`)));
    await session.conversation.send('Question 7');
    assert.ok(said(house.bodies.at(-1)).includes(`Summary of ${String(bodies.length)} parts.`));
  });

  it('leaves out a message that is being answered', async () => {
    const { house, session } = await talk(2, {});
    house.replies.push(['hang'], [{ text: 'Short.' }]);
    const answering = session.conversation.send('Question 3');
    await until(() => house.bodies.length === 3, 'the message is sent');
    await session.compactor.summarize(null);
    assert.equal(activeCompaction(session.state)?.to, messages(session.state).findLast(({ role }) => role === 'assistant')?.id);
    await session.conversation.stop();
    await answering;
  });

  it('has nothing to replace in a new chat, and nothing to undo', async () => {
    const { session } = await talk(0, {});
    assert.equal((await rejection(session.compactor.summarize(null))).code, 'chat.nothingToSummarize');
    assert.equal((await rejection(session.compactor.undo())).code, 'chat.noSummary');
    assert.equal(compactionView(session), null);
  });

  it('is written by one window at a time', async () => {
    const { house, session } = await talk(2, {});
    const other = await windows.open({ writerId: 'other', pid: process.ppid, sources: [house.source] }).chats.open(session.id);
    house.replies.push(['hang']);
    const writing = session.compactor.summarize(null);
    await until(() => house.bodies.length === 3, 'the summary is asked for');
    assert.equal((await rejection(other.compactor.summarize(null))).code, 'chat.summarizingElsewhere');
    await session.compactor.stop(STOP);
    await writing;
  });

  describe('by itself', () => {
    /** Room for about four exchanges of the rig. */
    const SMALL = { maxPromptTokens: 1_500, verbatimTokens: 500 } as const;

    function policies(session: ChatSession): readonly string[] {
      return [...session.state.compactions.values()].map(({ policy, case: what }) => `${policy} ${what}`);
    }

    /** Sends messages until the chat is summarized. The answers are as long as those of the rig. */
    async function talkUntilSummarized(rig: Rig, most: number): Promise<void> {
      for (let number = 1; number <= most && rig.session.state.compactions.size === 0; number += 1) {
        const asked = rig.house.bodies.length;
        rig.house.replies.push([{ text: `Answer ${String(number)}. ${LONG}` }], [{ text: 'no topic' }], [{ text: 'In short.' }]);
        await rig.session.conversation.send(`Question ${String(number)}`);
        await rig.session.compactor.settled();
        rig.house.replies.length = 0;
        assert.ok(rig.house.bodies.length > asked);
      }
    }

    it('is written when the messages take three quarters of their room, and the latest exchanges stay', async () => {
      const rig = await talk(0, SMALL);
      await talkUntilSummarized(rig, 8);
      assert.deepEqual(policies(rig.session), ['topic-boundary summarize']);
      rig.house.replies.push([{ text: 'Done.' }]);
      await rig.session.conversation.send('And now?');
      const body = said(rig.house.bodies.at(-1));
      assert.ok(body.includes('In short.') && !body.includes('Question 1'));
      assert.equal(body.split('Question ').length - 1 >= 2, true);
    });

    it('truncates where a model is sure that another topic begins in the latest messages, and keeps what binds', async () => {
      const rig = await talk(0, SMALL);
      const { house, session } = rig;
      for (let number = 1; session.state.compactions.size === 0 && number < 8; number += 1) {
        const count = messages(session.state).filter(({ role }) => role === 'user' || role === 'assistant').length;
        const answer = { boundary_index: count, boundary_reason: 'another task', confidence: 0.9, summary: '' };
        house.replies.push([{ text: `Answer ${String(number)}. ${LONG}` }], [{ text: JSON.stringify(answer) }]);
        await session.conversation.send(number === 1 ? 'You must never change the tide tables.' : `Question ${String(number)}`);
        await session.compactor.settled();
        house.replies.length = 0;
      }
      assert.deepEqual(policies(session), ['topic-boundary truncate']);
      await session.conversation.send('And now?');
      assert.match(said(house.bodies.at(-1)), /about another topic.*- You must never change the tide tables\./);
    });

    it("asks the model for topics of its chat, which the panel sets, and the chat's own for the summary and in another chat", async () => {
      const house = await scriptedHouse('openai-compatible', {});
      const window = windows.open({ sources: [house.source], config: { model: house.large, ...SMALL } });
      const { webview, say, shown } = openPanel(window, { currentChat: undefined });
      const asked = async (topicModel: string): Promise<readonly ReadonlySet<string>[]> => {
        await say({ type: 'newChat' });
        const session = await shown.current();
        if (topicModel !== '') {
          await say({ type: 'changeSetting', chatId: session.id, name: 'topicModel', value: topicModel });
          await until(() => webview.settingOf('topicModel') === topicModel, 'the change is shown');
        }
        await talkUntilSummarized({ house, window, session }, 8);
        const of = [...session.state.attempts.values()];
        return ['topic', 'summary'].map(
          (purpose) => new Set(of.filter((each) => each.purpose === purpose).map(({ model }) => modelKey(model))),
        );
      };
      await say({ type: 'ready' });
      const [large, other] = [modelKey(house.large), modelKey(house.other)].map((key) => new Set([key]));
      assert.deepEqual(await asked(modelKey(house.other)), [other, large]);
      assert.deepEqual(await asked(''), [large, large]);
    });

    it('is written all the same when the model for topics is gone, and the log says so', async () => {
      const house = await scriptedHouse('openai-compatible', {});
      const window = windows.open({ sources: [house.source], config: { model: house.large, ...SMALL, topicModel: 'house/gone' } });
      const session = await window.chats.create();
      await talkUntilSummarized({ house, window, session }, 8);
      assert.deepEqual(policies(session), ['topic-boundary summarize']);
      assert.deepEqual([...new Set(window.errors.map(({ code }) => code))], ['model.notAvailable']);
    });

    it('is only offered when the user wants to be asked, not again once declined, and never before a message', async () => {
      const { house, session } = await talk(0, { ...SMALL, maxPromptTokens: 4_000, summaryAsk: 'on' });
      const say = async (number: number): Promise<void> => {
        house.replies.push([{ text: `Answer ${String(number)}. ${LONG}` }]);
        await session.conversation.send(`Question ${String(number)}`);
        await session.compactor.settled();
      };
      for (let number = 1; number <= 16 && session.compactor.status === null; number += 1) {
        await say(number);
      }
      const view = compactionView(session);
      assert.ok(view?.kind === 'due' && view.tokens > view.summaryTokens);
      assert.deepEqual(
        [session.state.compactions.size, [...session.state.runs.values()].some(({ cause }) => cause !== 'message')],
        [0, false],
      );
      await session.compactor.preview.plan(view.upTo);
      assert.equal(session.compactor.preview.shownPlan?.outline.upTo, view.upTo);
      await session.compactor.dismiss();
      await say(17);
      assert.equal(compactionView(session)?.kind, 'due', 'the pane was closed, the offer not declined');
      await session.compactor.dismiss();
      await say(18);
      assert.equal(compactionView(session), null);
    });

    it('is not written when it is off, or only wanted by hand', async () => {
      for (const change of [{ compaction: 'off' }, { compactionPolicy: 'manual' }] as const) {
        const { session } = await talk(4, { ...SMALL, ...change });
        await session.compactor.settled();
        assert.equal(session.state.compactions.size, 0);
      }
    });

    it('is written before a message that would not fit, and the message goes with it', async () => {
      const { house, session } = await talk(3, { compactionPolicy: 'rolling-window' });
      await session.changeConfig({ maxPromptTokens: 1_500 });
      house.replies.push(...Array.from({ length: 9 }, () => [{ text: 'In short.' }]));
      await session.conversation.send(`Question 4. ${LONG.repeat(2)}`);
      const body = said(house.bodies.at(-1));
      assert.match(body, /Previous Conversation Summary:.{0,10}In short\..*Question 4/);
      assert.ok(!body.includes('Question 1'));
      assert.equal(messageText(lastMessage(session.state, 'assistant')), 'In short.');
    });

    it('leaves the beginning out when the summary fails and the conversation is far too long', async () => {
      const { house, session } = await talk(12, { compactionPolicy: 'rolling-window' });
      await session.changeConfig({ maxPromptTokens: 1_500 });
      house.replies.push(...Array.from({ length: 6 }, () => [{ text: '' }]));
      await session.conversation.send('Question 9');
      assert.deepEqual(policies(session), ['rolling-window emergency']);
    });
  });
});
