import assert from 'node:assert/strict';
import { panelOf } from '../../support/host/panel.js';
import { actionsOf, conversation, sentTexts, unsentTexts, wholeState } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

describe('a reply that broke off', () => {
  const windows = useWindows();

  it('is not part of the chat until Continue makes it so, and the model is asked to go on', async () => {
    const { window, session } = await windows.openChat({});
    const panel = await panelOf(window, session.id);
    await session.conversation.send('/error cut');
    const arrived = [...session.state.attempts.values()].at(-1)?.reply.find((part) => part?.type === 'text')?.text ?? '';
    assert.ok(arrived.length > 0);
    assert.deepEqual([sentTexts(session.state), unsentTexts(session.state)], [[], ['/error cut']]);
    assert.deepEqual(actionsOf(session), ['continue', 'retry']);
    await panel.say({ type: 'continue', chatId: session.id });
    assert.deepEqual(conversation(session.state).slice(0, 3), ['user: /error cut', `assistant: ${arrived}`, 'user: Continue']);
    assert.equal(conversation(session.state).length, 4);
    assert.deepEqual(unsentTexts(session.state), []);
    const body = window.model.bodies.at(-1) ?? '';
    assert.ok(body.includes(JSON.stringify(arrived).slice(1, -1)), 'the request holds what had arrived');
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
  });

  it('is left out as before where the message is answered again, or another one is sent', async () => {
    const { session } = await windows.openChat({}, '/error cut', '/long 3');
    assert.equal(sentTexts(session.state)[0], '/long 3');
    assert.deepEqual(unsentTexts(session.state), ['/error cut']);
  });

  it('offers nothing to continue where no text had arrived', async () => {
    const { session } = await windows.openChat({}, '/error 401');
    assert.ok(!actionsOf(session).includes('continue'));
    await assert.rejects(session.conversation.continueRun());
  });
});
