import assert from 'node:assert/strict';
import { join } from 'node:path';
import { SESSION_FILE_TOOLS } from '../../../src/host/tools/workspace/sessionFileTools.js';
import { WorkspaceServer } from '../../../src/host/tools/workspace/workspaceServer.js';
import { until } from '../../support/host/clocks.js';
import { openPanel } from '../../support/host/panel.js';
import { toolboxWith } from '../../support/host/toolServer.js';
import { rejection } from '../../support/rejection.js';
import { useWindows } from '../../support/host/window.js';

describe('the session files and fragments in Manage context', () => {
  const windows = useWindows();

  it('are shown with name, type and tokens, edited and deleted, with Undo for a file', async () => {
    const test = openPanel(windows.open({}), { currentChat: undefined });
    await test.say({ type: 'ready' });
    const session = await test.shown.current();
    const manager = { search: '', open: [], servers: [], proof: null, rows: {} };
    await test.say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [], manager });
    await session.files.putFileContent('plan.md', { bytes: Buffer.from('# Plan'), mimeType: null, summary: null });
    await session.fragments.set('style', 'Write in rhymes.');
    const shown = () => test.webview.state.chatTexts;
    await until(() => shown()?.fragments.length === 1, 'both on show');
    assert.deepEqual(
      shown()?.files.map(({ name, mimeType, summary, tokens }) => [name, mimeType, summary, (tokens ?? 0) > 0]),
      [['plan.md', 'text/markdown', 'Plan', true]],
    );
    await test.say({ type: 'setFragment', chatId: session.id, id: 'style', text: 'Write plainly.' });
    await test.say({ type: 'deleteSessionFile', chatId: session.id, name: 'plan.md' });
    await until(() => shown()?.files.length === 0, 'the file is gone');
    assert.equal(shown()?.fragments[0]?.text, 'Write plainly.');
    // The notice comes with a later update than the rows.
    const noticed = (text: string): Promise<void> => until(() => test.webview.state.banners[0]?.text === text, text);
    await noticed('plan.md was deleted from this chat.');
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });
    await until(() => shown()?.files.length === 1, 'the file is back');
    assert.equal(Buffer.from(await session.files.getFileContent('plan.md')).toString(), '# Plan');
    await test.say({ type: 'removeFragment', chatId: session.id, id: 'style' });
    await until(() => shown()?.fragments.length === 0, 'the fragment is gone');
    await noticed('The instructions from style were removed from this chat.');
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });
    await until(() => shown()?.fragments[0]?.text === 'Write plainly.', 'the fragment is back');
  });

  it('are not replaced by Undo when they exist again, and a file that the pane restores needs no Undo', async () => {
    const test = openPanel(windows.open({}), { currentChat: undefined });
    await test.say({ type: 'ready' });
    const session = await test.shown.current();
    const chatId = session.id;
    const write = (text: string): Promise<void> =>
      session.files.putFileContent('plan.md', { bytes: Buffer.from(text), mimeType: null, summary: null });
    const undo = (): Promise<unknown> =>
      test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: chatId });
    const text = async (): Promise<string> => Buffer.from(await session.files.getFileContent('plan.md')).toString();
    const banners = (): readonly string[] => test.webview.state.banners.map((banner) => banner.text);
    await write('# One');
    for (const again of ['# Two', '# Two']) {
      await test.say({ type: 'deleteSessionFile', chatId, name: 'plan.md' });
      await write(again);
      await undo();
      assert.equal(await text(), again);
      await until(() => banners().length === 0, 'no offer after Undo');
    }
    await session.fragments.set('style', 'Write in rhymes.');
    await test.say({ type: 'removeFragment', chatId, id: 'style' });
    await session.fragments.set('style', 'Write plainly.');
    await undo();
    assert.equal(session.state.fragments.get('style'), 'Write plainly.');
    await test.say({ type: 'deleteSessionFile', chatId, name: 'plan.md' });
    await until(() => banners().length === 1, 'the offer');
    await test.say({ type: 'restoreSessionFile', chatId, name: 'plan.md' });
    assert.equal(await text(), '# Two');
    await until(() => banners().length === 0, 'no offer');
  });

  it('that the model changed or deleted can be restored, also after a reload', async () => {
    const server = new WorkspaceServer([], SESSION_FILE_TOOLS, () => []);
    const toolbox = toolboxWith([server], join(windows.folder, 'allowed'));
    const first = await windows.open({ toolbox }).chats.create();
    const put = (content: string): string => `/tool put_session_file ${JSON.stringify({ name: 'plan.md', content })}`;
    await first.files.putFileContent('plan.md', { bytes: Buffer.from('# My plan'), mimeType: null, summary: null });
    await first.files.putFileContent('mine.md', { bytes: Buffer.from('# Mine'), mimeType: null, summary: null });
    await first.conversation.send([put('# One'), put('# Two'), '/tool delete_session_file {"name": "mine.md"}'].join('\n'));
    const test = openPanel(windows.open({ toolbox, writerId: 'reloaded' }), { currentChat: first.id });
    await test.say({ type: 'ready' });
    const session = await test.shown.current();
    const manager = { search: '', open: [], servers: [], proof: null, rows: {} };
    await test.say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [], manager });
    const shown = () => test.webview.state.chatTexts;
    await until(() => shown()?.deletedFiles.length === 1, 'the deleted file');
    assert.deepEqual(
      [shown()?.deletedFiles, shown()?.files.map(({ name, hasEarlier }) => [name, hasEarlier])],
      [['mine.md'], [['plan.md', true]]],
    );
    const textOf = async (name: string): Promise<string> => Buffer.from(await session.files.getFileContent(name)).toString();
    const restore = (name: string): Promise<unknown> => test.say({ type: 'restoreSessionFile', chatId: session.id, name });
    await restore('plan.md');
    assert.equal(await textOf('plan.md'), '# My plan', 'which the model replaced twice');
    assert.deepEqual(
      session.files.earlierVersions('plan.md').map(({ summary }) => summary),
      ['Two', 'One'],
    );
    await restore('mine.md');
    assert.equal(await textOf('mine.md'), '# Mine');
    await until(() => shown()?.deletedFiles.length === 0, 'no deleted file');
    assert.equal(shown()?.lacksTools, false);
    await session.changeConfig({ workspaceTools: 'off' });
    await until(() => shown()?.lacksTools === true, 'without the tools');
  });

  it('are refused with a bad name or a long text', async () => {
    const session = await windows.open({}).chats.create();
    for (const id of ['', ' ', ' style', 'a\nb', 'x'.repeat(101)]) {
      assert.match(
        (await rejection(session.fragments.set(id, 'Text'))).message,
        /^The name must have 1 to 100 characters/,
        JSON.stringify(id),
      );
    }
    assert.match((await rejection(session.fragments.set('style', 'x'.repeat(100_001)))).message, /limit 100,000 characters/);
    await session.fragments.set('x'.repeat(100), 'x'.repeat(100_000));
  });
});
