import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { failure, type LoupeError } from '../../../src/engine/errors.js';
import type { RunNoteEntry } from '../../../src/protocol/panel/entries.js';
import { messageOf } from '../../../webview/chat/notes/runNoteEntry.js';
import { failureOf } from '../../support/failures.js';
import { longTalk, type LongTalk } from '../../support/host/longTalk.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { conversation } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

const SERVER = { label: 'House', status: 401, inputLimit: null, refusedMember: null };

interface FailedTalk extends LongTalk {
  readonly test: TestPanel;
  readonly note: RunNoteEntry;
}

describe('the buttons of a failed reply', () => {
  const windows = useWindows();

  async function failed(error: LoupeError, config: Partial<ChatConfig>): Promise<FailedTalk> {
    const talk = await longTalk(windows, 0, { config });
    const test = await panelOf(talk.window, talk.session.id);
    talk.house.replies.push([{ fails: error }]);
    await talk.session.conversation.send('When is low water?');
    const note = test.snapshot().entries.at(-1);
    assert.ok(note?.kind === 'runNote');
    return { ...talk, test, note };
  }

  it('send the message again after the user entered a key', async () => {
    const { house, session, test, note } = await failed(failure('http.keyRefused', SERVER), {});
    house.replies.push([{ text: 'At 10:25.' }]);
    await test.say(messageOf('setKeyAndRetry', note, session.id));
    assert.deepEqual(
      test.asked.filter((asked) => asked.startsWith('setKey')),
      [`setKey ${house.large.provider}`],
    );
    assert.deepEqual(conversation(session.state), ['user: When is low water?', 'assistant: At 10:25.']);
  });

  it('set the key of the provider that refused it, after the user chose another model', async () => {
    const { house, session, test, note } = await failed(failure('http.keyRefused', SERVER), {});
    await session.changeConfig({ model: { provider: 'other', model: 'x' } });
    await test.say(messageOf('setKeyAndRetry', note, session.id));
    assert.ok(test.asked.includes(`setKey ${house.large.provider}`));
  });

  it('open the wizard with the provider whose address is wrong, and send nothing', async () => {
    const { house, session, test, note } = await failed(failure('http.notHere', { ...SERVER, status: 404 }), {});
    const sent = house.bodies.length;
    await test.say(messageOf('editProvider', note, session.id));
    assert.deepEqual([test.asked.at(-1), house.bodies.length], [`edit ${house.large.provider}`, sent]);
  });

  it('put a message that a provider blocked back into the message box', async () => {
    const { session, test, note } = await failed(failure('http.contentRefused', { ...SERVER, status: 400 }), {});
    assert.deepEqual(note.actions, ['editMessage', 'selectModel', 'retry']);
    await test.say(messageOf('editMessage', note, session.id));
    const { text, editing } = test.drafts.get(session.id);
    assert.deepEqual([text, editing], ['When is low water?', note.userMessageId]);
  });

  it('open the chat settings to raise the limit of the chat', async () => {
    const { session, test, note } = await failed(failureOf('contextOverflow', 'Too long.'), { maxPromptTokens: 9_000 });
    assert.deepEqual(note.actions, ['raiseLimit', 'selectModel', 'retry']);
    const before = test.webview.of('settings');
    await test.say(messageOf('raiseLimit', note, session.id));
    assert.equal(test.webview.of('settings'), before + 1);
  });

  it('offer no higher limit in a chat that has none', async () => {
    assert.deepEqual((await failed(failureOf('contextOverflow', 'Too long.'), {})).note.actions, ['selectModel', 'retry']);
  });

  it('do nothing but say so once a reply has followed', async () => {
    const { house, session, test, note } = await failed(failure('http.keyRefused', SERVER), {});
    house.replies.push([{ text: 'At 10:25.' }]);
    await session.conversation.retry(note.userMessageId);
    const sent = house.bodies.length;
    await test.say(messageOf('setKeyAndRetry', note, session.id));
    await test.say(messageOf('editProvider', note, session.id));
    assert.deepEqual([house.bodies.length, test.asked], [sent, []]);
  });
});
