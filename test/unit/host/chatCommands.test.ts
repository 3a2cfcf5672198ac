import assert from 'node:assert/strict';
import { commandRows } from '../../../src/host/panel/composer/chatCommands.js';
import type { ChatCommand } from '../../../src/protocol/panel/chatCommands.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { column, columns } from '../../support/columns.js';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

const ALL = ['summarize', 'new', 'model', 'usage', 'export', 'clear', 'fork'];

describe('the commands of a chat after /', () => {
  const windows = useWindows();

  const command = (chatId: string, name: ChatCommand, text: string): ToHost => ({ type: 'chatCommand', chatId, command: name, text });

  it('are all listed in an empty chat, with the reason for those that cannot run', async () => {
    const { session } = await readyPanel(windows.open({}));
    const { rows, rank } = commandRows('', session);
    assert.deepEqual(column(rows, 'name'), ALL);
    assert.equal(rank, 0);
    const problems = rows.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));
    assert.deepEqual(problems, [
      'summarize: There is nothing to summarize yet.',
      'export: This chat has no messages yet.',
      'clear: This chat has no messages yet.',
      'fork: This chat has no reply yet. Fork the chat after the first reply.',
    ]);
    await session.conversation.send('/long 2');
    assert.ok(commandRows('', session).rows.every(({ problem }) => problem === null));
  });

  it('are found by their name first, then by other words for them', async () => {
    const { session } = await readyPanel(windows.open({}));
    const names = (text: string): string[] => column(commandRows(text, session).rows, 'name');
    assert.deepEqual(names('EX'), ['export']);
    assert.deepEqual(names('co'), ['summarize', 'usage', 'fork']);
    assert.ok(commandRows('co', session).rank > 3, 'prompts with this text in their name come first');
    assert.deepEqual([names('compact'), names('etc'), names('long')], [['summarize'], [], []]);
    assert.equal(commandRows('etc', session).rank, Infinity);
  });

  it('take the text after them, where that makes sense', async () => {
    const { session } = await readyPanel(windows.open({}));
    const rows = (text: string): unknown => columns(commandRows(text, session).rows, 'name', 'about');
    assert.deepEqual(rows('model son'), [['model', 'Search the models for this text']]);
    assert.deepEqual(rows('new '), [['new', 'New chat, with the text after /new']]);
    assert.deepEqual([rows('usage today'), rows('mode son')], [[], []]);
  });

  it('do what their buttons do', async () => {
    const { session, say, asked, snapshot } = await readyPanel(windows.open({}));
    await session.conversation.send('/long 2');
    await say(command(session.id, 'model', ' son '));
    await say(command(session.id, 'usage', ''));
    await say(command(session.id, 'export', ''));
    assert.deepEqual(asked, [`searchModel ${session.id} son`, `show ${session.id}`, `exportChat ${session.id}`]);
    await say(command(session.id, 'summarize', ''));
    assert.equal(snapshot().summaryPreview?.plan?.messages, 2);
    await say({ type: 'dismissSummary', chatId: session.id });
    await say(command(session.id, 'fork', ''));
    assert.match(snapshot().chat?.title ?? '', / \(fork\)$/);
  });

  it('begin a new chat with a text, which is not sent', async () => {
    const { session, say, snapshot } = await readyPanel(windows.open({}));
    await session.conversation.send('/long 2');
    await say(command(session.id, 'new', 'Look at\nthe tides'));
    assert.notEqual(snapshot().chat?.id, session.id);
    assert.equal(snapshot().draft.text, 'Look at\nthe tides');
    const fresh = snapshot().chat?.id ?? '';
    await say({ type: 'draft', chatId: fresh, text: '', edit: 1 });
    await say(command(fresh, 'new', 'Again'));
    assert.deepEqual([snapshot().chat?.id, snapshot().draft.text], [fresh, 'Again'], 'an empty chat is used again');
  });

  it('clear a chat and lead back to it', async () => {
    const { session, say, snapshot } = await readyPanel(windows.open({}));
    await session.conversation.send('/long 2');
    await session.titler.rename('Tides');
    await say(command(session.id, 'clear', ''));
    assert.notEqual(snapshot().chat?.id, session.id);
    const [banner] = snapshot().banners;
    assert.equal(banner?.text, 'This new chat has the same settings and files. "Tides" is still in Chats.');
    const [back] = banner.actions;
    assert.ok(back !== undefined);
    await say({ type: 'bannerAction', bannerId: banner.id, action: back.action, argument: back.argument });
    assert.deepEqual([snapshot().chat?.id, snapshot().banners], [session.id, []]);
  });
});
