import assert from 'node:assert/strict';
import { nextRequestView, type RequestOfChat } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { overBudget } from '../../../src/host/request/sizeTexts.js';
import { lastReply, messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

describe('A request over the budget', () => {
  const windows = useWindows();

  async function previewed(config: Partial<ChatConfig>, text: string): Promise<RequestOfChat> {
    const session = await windows.open({ config }).chats.create();
    const composed = await session.next.preview({ text, editing: null });
    return nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
  }

  it('is over a limit of the chat where that is lower than what the model takes', async () => {
    const own = await previewed({ maxPromptTokens: 520 }, 'The tide comes in. '.repeat(50));
    assert.match(own.problem ?? '', /^The request is too long/);
    assert.match(
      own.problem ?? '',
      /Largest parts: your message .* This limit is set in the chat settings\. Shorten your message, or raise the limit there\.$/,
    );
    assert.equal(own.isOwnLimit, true);
  });

  it('has a budget that is the limit without what is kept for the reply', async () => {
    const { limit, reservedTokens, budget } = await previewed({ maxPromptTokens: 1_000 }, 'Hello');
    assert.deepEqual([limit, reservedTokens, budget], [1_000, 512, 488]);
    // The reserve alone exceeds this limit.
    const small = await previewed({ maxPromptTokens: 100 }, 'Hello');
    assert.deepEqual([small.limit, small.budget], [100, 0]);
  });

  it('is over the limit of the model otherwise', async () => {
    const long = 'The tide comes in. '.repeat(60_000);
    assert.match((await previewed({}, long)).problem ?? '', /^The request is too long/);
    assert.match(
      (await previewed({}, long)).problem ?? '',
      /This is the limit of the model\. Shorten your message, or choose a model with a larger context\.$/,
    );
    assert.equal((await previewed({}, long)).isOwnLimit, false);
    for (const limit of [null, 100_000_000]) {
      assert.equal((await previewed({ maxPromptTokens: limit }, 'Hello')).isOwnLimit, false);
    }
  });

  it('names pinned messages where they are the reason, and says to unpin them', async () => {
    const { session } = await windows.openChat({}, 'The tide comes in. '.repeat(100));
    await session.marks.pin(messages(session.state)[0]?.id ?? '');
    await session.changeConfig({ maxPromptTokens: 900 });
    const composed = await session.next.preview({ text: 'Hello', editing: null });
    const { problem } = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
    assert.match(problem ?? '', /Largest parts: pinned message \d+, /);
    assert.match(problem ?? '', / Unpin messages, shorten your message, or raise the limit there\.$/);
    await session.marks.unpin(messages(session.state)[0]?.id ?? '');
    const after = await session.next.preview({ text: 'Hello', editing: null });
    assert.match(overBudget(after) ?? '', /Largest parts: message .* Summarize the conversation, start a new chat, or raise /);
  });

  it('is no problem where the beginning of the chat is summarized first: the panel says so and sends', async () => {
    const session = await windows.open({}).chats.create();
    for (const each of [1, 2]) {
      await session.conversation.send(`${String(each)} ${'The tide comes in. '.repeat(200)}`);
    }
    await session.changeConfig({ maxPromptTokens: 2_000 });
    const of = async (text: string): Promise<readonly unknown[]> => {
      const composed = await session.next.preview({ text, editing: null });
      const { problem, isShortened } = nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
      return [problem === null, isShortened];
    };
    assert.deepEqual(await of('Hello'), [true, true]);
    assert.deepEqual(await of('The tide comes in. '.repeat(400)), [false, false]);
    await session.changeConfig({ compactionPolicy: 'manual' });
    assert.deepEqual(await of('Hello'), [false, false]);
    await session.changeConfig({ compactionPolicy: 'rolling-window' });
    await session.conversation.send('Hello');
    assert.equal(lastReply(session.state).stopped, false);
    assert.equal(session.state.compactions.size, 1);
  });

  it('says to shorten the system prompt where that is the reason', async () => {
    const { problem } = await previewed({ maxPromptTokens: 700, systemPrompt: 'The tide comes in. '.repeat(60) }, 'Hello');
    assert.match(problem ?? '', / Shorten the system prompt, or raise the limit there\.$/);
  });

  it('is over the reserve of the chat where that leaves too little of what the model takes', async () => {
    const text = 'The tide comes in. '.repeat(50);
    const small = { model: { provider: 'practice', model: 'small' } };
    const none = await previewed({ ...small, reservedResponseTokens: 1_000_000 }, text);
    assert.match(none.problem ?? '', /^Loupe cannot send a request: the tokens kept free for the reply fill the whole context limit\./);
    assert.equal(none.isOwnLimit, true);
    const little = await previewed({ ...small, reservedResponseTokens: none.totalTokens }, text);
    assert.deepEqual([little.problem, little.isOwnLimit], [null, false]);
  });
});
