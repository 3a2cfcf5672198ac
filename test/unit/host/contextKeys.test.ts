import assert from 'node:assert/strict';
import { ContextKeySender } from '../../../src/host/panel/shell/chatPanels.js';
import { SteppedClock, stepUntil } from '../../support/host/clocks.js';
import { openPanel, readyPanel } from '../../support/host/panel.js';
import { partialText } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

const KEYS = {
  'loupe.hasNoFiles': true,
  'loupe.hasNoMessage': true,
  'loupe.hasNoReply': true,
  'loupe.hasNoRequest': true,
  'loupe.isAnswering': false,
};

describe('the context keys', () => {
  const windows = useWindows();

  it('say what the chat on show has not, as it comes, and whether it is being answered', async () => {
    const clock = new SteppedClock();
    const { keys, session } = await readyPanel(windows.open({ clock }));
    assert.deepEqual(Object.fromEntries(keys), KEYS);
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: 'x', given: null });
    const run = session.conversation.send('/long 60');
    await stepUntil(clock, () => partialText(session) !== '', 'text streams');
    const streaming = { ...KEYS, 'loupe.hasNoFiles': false, 'loupe.hasNoMessage': false, 'loupe.hasNoRequest': false };
    assert.deepEqual(Object.fromEntries(keys), { ...streaming, 'loupe.isAnswering': true });
    await session.conversation.stop();
    await run;
    assert.deepEqual(Object.fromEntries(keys), { ...streaming, 'loupe.hasNoReply': false });
  });

  it('are those of another chat when that comes on show', async () => {
    const { keys, shown, say } = await readyPanel(windows.open({}));
    await (await shown.current()).conversation.send('/long 2');
    assert.equal(keys.get('loupe.hasNoReply'), false);
    await say({ type: 'newChat' });
    assert.deepEqual(Object.fromEntries(keys), KEYS);
  });

  it('say whether the panel has the focus, which it has not when it is hidden', async () => {
    const { keys, panel, say } = openPanel(windows.open({}), { currentChat: undefined });
    await say({ type: 'focusChanged', isFocused: true });
    assert.equal(keys.get('loupe.hasFocus'), true);
    panel.hidden();
    assert.equal(keys.get('loupe.hasFocus'), false);
  });

  it('are told only when they have changed', () => {
    const told: unknown[] = [];
    const sender = new ContextKeySender((key, value) => told.push([key, value]));
    sender.send(KEYS);
    assert.equal(told.length, Object.keys(KEYS).length);
    sender.send({ ...KEYS });
    sender.send({ ...KEYS, 'loupe.isAnswering': true });
    assert.deepEqual(told.slice(Object.keys(KEYS).length), [['loupe.isAnswering', true]]);
  });
});
