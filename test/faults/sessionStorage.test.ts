import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../src/host/window/systemPorts.js';
import type { DiskFile } from '../../src/storage/files/files.js';
import { column, columns } from '../support/columns.js';
import { NodeDisk } from '../support/faults/nodeDisk.js';
import { SteppedClock, stepUntil, until } from '../support/host/clocks.js';
import { readyPanel } from '../support/host/panel.js';
import { conversation, partialText, runStatuses, unsentTexts, wholeState } from '../support/host/reading.js';
import { MemoryFiles, useWindows } from '../support/host/window.js';

class FullDisk extends NodeDisk {
  isFull = false;

  override async open(path: string): Promise<DiskFile> {
    const file = await super.open(path);
    const write: DiskFile['write'] = async (bytes, position) => {
      if (this.isFull) {
        // A part of the line still fits.
        await file.write(bytes.subarray(0, 10), position);
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      }
      return file.write(bytes, position);
    };
    return {
      ...file,
      write,
      writeThrough: async (bytes, position) => {
        const count = await write(bytes, position);
        await file.datasync();
        return count;
      },
    };
  }
}

describe('a chat whose storage fails', () => {
  const windows = useWindows();

  it('goes on from memory, says so in a banner, and is whole on the disk after Try again', async () => {
    const storage = new FullDisk();
    const window = windows.open({ storage });
    const { panel, webview, say, asked, session } = await readyPanel(window);
    await session.conversation.send('/long 2');
    storage.isFull = true;
    await session.conversation.send('/long 3');
    assert.deepEqual(runStatuses(session.state), ['committed', 'committed']);
    panel.channel.snapshot();
    const [banner] = webview.state.banners;
    assert.deepEqual(
      [banner?.id, banner?.severity, column(banner?.actions, 'label')],
      ['storage', 'error', ['Try again', 'Export...', 'Copy chat']],
    );
    assert.match(
      banner?.text ?? '',
      /This chat could not be saved: the disk is full\. Free up disk space.*lost when this window closes\.$/,
    );
    assert.ok(window.errors.some(({ kind }) => kind === 'storage'));
    await say({ type: 'bannerAction', bannerId: 'storage', action: 'retryStorage', argument: '' });
    panel.channel.snapshot();
    assert.deepEqual(column(webview.state.banners, 'id'), ['storage']);
    assert.match(webview.state.banners[0]?.text ?? '', /Saving still fails \(1 attempt\)\./);
    await say({ type: 'bannerAction', bannerId: 'storage', action: 'exportChat', argument: '' });
    assert.equal(asked.at(-1), `exportChat ${session.id}`);
    await say({ type: 'bannerAction', bannerId: 'storage', action: 'copyChat', argument: '' });
    assert.ok(asked.some((what) => what.startsWith('copy # /long 2') && what.includes('Practice text that.')));
    storage.isFull = false;
    await say({ type: 'bannerAction', bannerId: 'storage', action: 'retryStorage', argument: '' });
    panel.channel.snapshot();
    assert.ok(webview.state.banners.every(({ id }) => id !== 'storage'));
    storage.isFull = true;
    await session.conversation.send('/long 4');
    panel.channel.snapshot();
    assert.ok(
      webview.state.banners.some(({ id, text }) => id === 'storage' && !text.includes('Trying again')),
      'the next failure begins anew',
    );
    storage.isFull = false;
    await say({ type: 'bannerAction', bannerId: 'storage', action: 'retryStorage', argument: '' });
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
    assert.deepEqual(reopened.faults, []);
  });

  it('when it is new can be used from memory too', async () => {
    const storage = new FullDisk();
    storage.isFull = true;
    const { window, session } = await windows.openChat({ storage });
    await session.conversation.send('/long 2');
    assert.deepEqual(conversation(session.state), ['user: /long 2', 'assistant: Practice text.']);
    assert.deepEqual(column(window.chats.list(), 'id'), [session.id]);
    storage.isFull = false;
    await session.saving.retry();
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
  });

  it('because another window deletes it in mid-stream stays deleted, and says so', async () => {
    const clock = new SteppedClock();
    const window = windows.open({ clock });
    const { panel, webview, say, asked, session } = await readyPanel(window);
    const run = session.conversation.send('/long 300');
    await stepUntil(clock, () => partialText(session).length > 100, 'text streams');
    const other = windows.open({ writerId: 'other' });
    await other.chats.refresh();
    await other.chats.delete(session.id);
    await stepUntil(clock, () => !session.conversation.isRunning, 'the run ends');
    await run;
    panel.channel.snapshot();
    const banner = webview.state.banners.find(({ id }) => id === 'storage');
    assert.deepEqual(
      [banner?.text, column(banner?.actions, 'action')],
      ['This chat was deleted. Your text is not saved and is lost when this window closes.', ['exportChat', 'copyChat']],
    );
    await say({ type: 'bannerAction', bannerId: 'storage', action: 'exportChat', argument: '' });
    assert.deepEqual(asked, [`exportChat ${session.id}`], 'also of a chat that is not open any more');
    assert.equal(partialText(session).split(/\s+/).length, 300);
    await other.chats.close();
    await window.chats.close();
    assert.deepEqual(await readdir(join(windows.folder, 'chats')), [`${session.id}.deleted`]);
  });

  it('between two messages loses neither', async () => {
    const storage = new FullDisk();
    const session = await windows.open({ storage }).chats.create();
    storage.isFull = true;
    await session.conversation.send('/error 500');
    assert.deepEqual(unsentTexts(session.state), ['/error 500']);
    storage.isFull = false;
    await session.conversation.send('/long 2');
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
  });
});

describe('a file that changes or goes between adding and sending', () => {
  const windows = useWindows();

  it('is flagged before sending; what was sent is kept and hashed', async () => {
    const files = new MemoryFiles();
    for (const name of ['same.ts', 'changed.ts', 'gone.ts']) {
      files.texts.set(name, `let ${name};`);
    }
    const window = windows.open({ files });
    const { webview, say, panel, session } = await readyPanel(window);
    for (const [name, text] of files.texts) {
      await session.context.add({ type: 'file', name, includeMode: 'manual', addedHash: sha256(text), given: null });
    }
    const warnings = (): unknown[] => webview.state.context.map(({ name, warning }) => [name, warning?.kind ?? null]);
    await until(() => webview.state.context.length === 3, 'the chips are shown');
    assert.deepEqual(warnings(), [
      ['same.ts', null],
      ['changed.ts', null],
      ['gone.ts', null],
    ]);
    files.texts.set('changed.ts', 'let other;');
    files.texts.delete('gone.ts');
    panel.requestChanged();
    await until(() => webview.state.context.some(({ warning }) => warning !== null), 'the warnings are shown');
    assert.deepEqual(warnings(), [
      ['same.ts', null],
      ['changed.ts', 'changed'],
      ['gone.ts', 'missing'],
    ]);
    assert.equal(webview.state.context[2]?.warning?.text, 'gone.ts does not exist.');
    assert.equal(webview.state.context[2].tokens, null);
    await session.conversation.send('/long 2');
    await until(() => webview.state.context[1]?.warning === null, 'the model has seen it as it is now');
    await until(() => (webview.reply?.contextUsed ?? null) !== null, 'the reply tells what its request held');
    const { id, contextUsed } = webview.reply!;
    assert.equal(contextUsed?.summary, '2 files, added by you');
    await say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [id], manager: null });
    await until(() => id in webview.state.contextRows, 'what the request held is shown');
    const [group] = webview.state.contextRows[id]!.groups;
    assert.deepEqual(columns(group?.items, 'name', 'notSelectedReason'), [
      ['same.ts', null],
      ['changed.ts', null],
      ['gone.ts', 'gone.ts does not exist.'],
    ]);
    assert.ok((window.model.bodies[0] ?? '').includes('let other;') && !(window.model.bodies[0] ?? '').includes('let gone.ts;'));
    for (const name of files.texts.keys()) {
      files.texts.set(name, 'Nothing of it is left.');
    }
    const { rebuilt } = await session.records.request(id);
    assert.deepEqual([rebuilt.body, rebuilt.note], [window.model.bodies[0], null], 'the hash is that of what was sent');
  });
});
