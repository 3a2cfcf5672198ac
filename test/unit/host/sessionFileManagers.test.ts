import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  derivedSummary,
  sessionFileEntry,
  type SessionFileManager,
  sessionFileReference,
  sessionFilesPrompt,
} from '../../../src/engine/context/sessionFiles.js';
import type { SessionFile } from '../../../src/engine/chat/slices/sessionFiles.js';
import { SystemFragments } from '../../../src/engine/request/systemFragments.js';
import { StoredSessionFiles } from '../../../src/host/chat/sessionFiles/storedSessionFiles.js';
import { MemorySessionFiles } from '../../support/host/memorySessionFiles.js';
import { systemClock } from '../../../src/host/window/systemPorts.js';
import { columns } from '../../support/columns.js';
import { stateOf } from '../../support/engine/events.js';
import { useWindows } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

const file = (text: string) => ({ bytes: Buffer.from(text), mimeType: null, summary: null });

describe('the managers of session files', () => {
  const windows = useWindows();

  const managers: Readonly<Record<string, () => Promise<SessionFileManager>>> = {
    'in memory': () => Promise.resolve(new MemorySessionFiles()),
    stored: async () => (await windows.open({}).chats.create()).files,
  };

  for (const [name, make] of Object.entries(managers)) {
    describe(name, () => {
      let files: SessionFileManager;
      beforeEach(async () => {
        files = await make();
      });

      it('put, list and get text and binary content', async () => {
        await files.putFileContent('plan.md', file('# Plan\n\nOne.'));
        await files.putFileContent('a/dot.png', { bytes: new Uint8Array([0x89, 0, 1]), mimeType: null, summary: 'A dot' });
        await files.putFileContent('long.txt', file('Long\n'.repeat(10_000)));
        assert.deepEqual(columns(files.listFiles(), 'name', 'mimeType', 'summary', 'isText', 'bytes'), [
          ['plan.md', 'text/markdown', 'Plan', true, 12],
          ['a/dot.png', 'image/png', 'A dot', false, 3],
          ['long.txt', 'text/plain', 'Long', true, 50_000],
        ]);
        assert.deepEqual([...(await files.getFileContent('a/dot.png'))], [0x89, 0, 1]);
        assert.equal(Buffer.from(await files.getFileContent('long.txt')).toString(), 'Long\n'.repeat(10_000));
      });

      it('replace a file in its place; its type and a given summary stay, a derived summary follows the content', async () => {
        await files.putFileContent('a.txt', { ...file('One'), mimeType: 'text/csv' });
        await files.putFileContent('b.txt', { ...file('One'), summary: 'Given' });
        await files.putFileContent('a.txt', file('Two'));
        await files.putFileContent('b.txt', file('Two'));
        assert.deepEqual(columns(files.listFiles(), 'name', 'mimeType', 'summary'), [
          ['a.txt', 'text/csv', 'Two'],
          ['b.txt', 'text/plain', 'Given'],
        ]);
        assert.equal(Buffer.from(await files.getFileContent('a.txt')).toString(), 'Two');
      });

      it('tell their listeners of each changed and deleted file', async () => {
        const told: string[] = [];
        files.onChange({
          fileChanged: (entry) => told.push(`${entry.name}: ${entry.summary}`),
          fileDeleted: (deleted) => told.push(`no ${deleted}`),
        });
        await files.putFileContent('a.txt', file('One'));
        await files.putFileContent('a.txt', file('Two'));
        await files.deleteFile('a.txt');
        assert.deepEqual(told, ['a.txt: One', 'a.txt: Two', 'no a.txt']);
      });

      it('refuse what is not there, and a file of 50 MB with the reason', async () => {
        assert.equal((await rejection(files.getFileContent('a.txt'))).message, 'The chat has no session file "a.txt".');
        assert.equal((await rejection(files.deleteFile('a.txt'))).message, 'The chat has no session file "a.txt".');
        const large = { bytes: new Uint8Array(50 * 1024 * 1024), mimeType: null, summary: null };
        assert.equal(
          (await rejection(files.putFileContent('a.bin', large))).message,
          'The session file "a.bin" is too large: 50 MB (limit 5 MB). Keep it as a file of the workspace.',
        );
        assert.deepEqual(files.listFiles(), []);
      });
    });
  }

  it('stored: their files survive a reload and travel with forks', async () => {
    const { chats } = windows.open({});
    const session = await chats.create();
    await session.files.putFileContent('plan.md', file('# Plan'));
    await session.files.putFileContent('dot.png', { bytes: new Uint8Array([0, 1]), mimeType: null, summary: null });
    await session.files.putFileContent('plan.md', file('Long\n'.repeat(10_000)));
    await session.files.putFileContent('plan.md', file('# Last plan'));
    await session.files.putFileContent('old.md', file('# Old'));
    await session.files.deleteFile('old.md');
    await session.fragments.set('style', 'Write in rhymes.');
    await session.conversation.send('/long 1');
    const later = windows.open({ writerId: 'later' });
    const opened = await later.chats.open(session.id);
    assert.deepEqual([...(await opened.files.getFileContent('dot.png'))], [0, 1]);
    assert.ok(opened.fragments.pieces(opened.state).some(({ key, text }) => key === 'fragment:style' && text === 'Write in rhymes.'));
    const reply = [...opened.state.timeline].findLast((item) => item.kind === 'message');
    const fork = await later.chats.fork(opened, reply?.kind === 'message' ? reply.message.id : '');
    assert.deepEqual(fork.files.listFiles(), opened.files.listFiles());
    assert.deepEqual([...(await fork.files.getFileContent('dot.png'))], [0, 1]);
    for (const { state } of [opened, fork]) {
      assert.deepEqual(state.earlierSessionFiles, session.state.earlierSessionFiles);
    }
    assert.deepEqual(fork.fragments.pieces(fork.state), opened.fragments.pieces(opened.state));
    await fork.files.restoreFile(fork.files.earlierVersions('plan.md')[0]);
    assert.equal(Buffer.from(await fork.files.getFileContent('plan.md')).toString(), 'Long\n'.repeat(10_000));
  });

  it('stored: keep every earlier version once, the latest first, also of a deleted file', async () => {
    const { files } = await windows.open({}).chats.create();
    for (const text of ['One', 'Two', 'One', 'Three', 'Three']) {
      await files.putFileContent('a.txt', file(text));
    }
    const versions = (): unknown => files.earlierVersions('a.txt').map(({ content }) => content);
    const [one, two, three] = ['One', 'Two', 'Three'].map((inline) => ({ inline }));
    assert.deepEqual(versions(), [one, two]);
    await files.deleteFile('a.txt');
    assert.deepEqual(versions(), [three, one, two]);
    await files.restoreFile(files.earlierVersions('a.txt')[2]!);
    assert.equal(Buffer.from(await files.getFileContent('a.txt')).toString(), 'Two');
    assert.deepEqual(versions(), [three, one]);
    assert.throws(() => files.earlierVersions('b.txt'), { code: 'sessionFile.missing' });
  });

  it('stored: a save without a change is not reported, and adds no version', async () => {
    const { files } = await windows.open({}).chats.create();
    await files.putFileContent('a.txt', file('One'));
    const told: string[] = [];
    files.onChange({ fileChanged: ({ name }) => told.push(name), fileDeleted: () => undefined });
    await files.putFileContent('a.txt', file('One'));
    assert.deepEqual(told, []);
    assert.throws(() => files.earlierVersions('a.txt'), { code: 'sessionFile.missing' });
  });

  it('stored: a file whose content is lost can be written again, and the loss is logged', async () => {
    const { chats, folder } = windows.open({});
    const session = await chats.create();
    await session.files.putFileContent('long.txt', file('Long\n'.repeat(10_000)));
    await chats.close();
    const blobs = join(folder, 'chats', session.id, 'blobs');
    for (const name of await readdir(blobs)) {
      await rm(join(blobs, name));
    }
    const later = windows.open({ writerId: 'later' });
    const { files } = await later.chats.open(session.id);
    assert.match(
      (await rejection(files.getFileContent('long.txt'))).message,
      /^The content of the session file "long\.txt" could not be read\./,
    );
    await files.putFileContent('long.txt', file('Short'));
    assert.equal(Buffer.from(await files.getFileContent('long.txt')).toString(), 'Short');
    assert.deepEqual(columns(files.listFiles(), 'name', 'summary'), [['long.txt', 'Short']]);
    assert.equal(later.errors.splice(0).length, 1);
  });

  it('stored: a log that is read again reports only files that differ', async () => {
    const session = await windows.open({}).chats.create();
    await session.files.putFileContent('a.txt', file('One'));
    await session.files.putFileContent('b.txt', file('One'));
    const { sessionFiles } = structuredClone({ sessionFiles: session.state.sessionFiles });
    const log = { state: session.state, record: () => Promise.resolve(), checkWritable: () => undefined };
    const blobs = { put: () => Promise.reject(new Error()), get: () => Promise.reject(new Error()) };
    const files = new StoredSessionFiles({ log, blobs, clock: systemClock, logError: assert.ifError });
    const told: string[] = [];
    files.onChange({ fileChanged: ({ name }) => told.push(name), fileDeleted: () => undefined });
    log.state = { ...session.state, sessionFiles: new Map(sessionFiles).set('b.txt', { path: 'b.txt', content: { inline: 'Two' } }) };
    files.chatLoaded();
    assert.deepEqual(told, ['b.txt']);
  });

  /** Stored files whose blobs are counted. The log has only this file. */
  const storedWith = (stored: SessionFile, bytes: Uint8Array) => {
    const state = { ...stateOf(), sessionFiles: new Map([[stored.path, stored]]) };
    const log = { state, record: () => Promise.resolve(), checkWritable: () => undefined };
    const read: string[] = [];
    const blobs = {
      put: () => Promise.reject(new Error()),
      get: (name: string) => {
        read.push(name);
        return Promise.resolve(bytes);
      },
    };
    return { log, read, files: new StoredSessionFiles({ log, blobs, clock: systemClock, logError: assert.ifError }) };
  };

  it('stored: two-tier caching: the metadata are those of the log, and a content is read once until it changes', async () => {
    const stored = { path: 'long.txt', content: { blob: 'aa', bytes: 3 } };
    const { log, read, files } = storedWith(stored, Buffer.from('One'));
    assert.deepEqual([files.listFiles().length, read], [1, []]);
    await files.getFileContent('long.txt');
    await files.getFileContent('long.txt');
    assert.deepEqual(read, ['aa']);
    log.state = { ...log.state, sessionFiles: new Map([['long.txt', { ...stored, content: { blob: 'bb', bytes: 3 } }]]) };
    await files.getFileContent('long.txt');
    assert.deepEqual(read, ['aa', 'bb']);
  });

  it('stored: a file of 50 MB, which a log of another computer can have, is refused before it is read', async () => {
    const { read, files } = storedWith(
      { path: 'a.bin', content: { blob: 'aa', bytes: 50 * 1024 * 1024 }, isBinary: true },
      new Uint8Array(),
    );
    assert.match(
      (await rejection(files.getFileContent('a.bin'))).message,
      /^The session file "a\.bin" is too large: 50 MB \(limit 5 MB\)\./,
    );
    assert.deepEqual(read, []);
  });

  it('stored: a change of another window is reported and read', async () => {
    const [here, there] = [windows.open({}), windows.open({ writerId: 'there' })];
    const session = await here.chats.create();
    await session.files.putFileContent('a.txt', file('One'));
    const other = await there.chats.open(session.id);
    assert.equal(Buffer.from(await other.files.getFileContent('a.txt')).toString(), 'One');
    await session.files.putFileContent('a.txt', file('Two'));
    const told: string[] = [];
    other.files.onChange({ fileChanged: ({ name }) => told.push(name), fileDeleted: () => undefined });
    await other.poll();
    assert.deepEqual(told, ['a.txt']);
    assert.equal(Buffer.from(await other.files.getFileContent('a.txt')).toString(), 'Two');
    assert.ok(other.fragments.pieces(other.state).some(({ text }) => text.endsWith('a.txt,text/plain,Two\n')));
  });

  it('list their files in a fragment whose values are quoted as CSV, empty without files', () => {
    assert.equal(sessionFilesPrompt([]), '');
    const entry = (path: string, summary: string) => sessionFileEntry({ path, content: { inline: '' }, summary });
    const lines = sessionFilesPrompt([entry('a.md', 'One, two'), entry('b "c".html', 'Plain'), entry('d.txt', 'x\ny')]);
    assert.equal(
      lines.slice(lines.indexOf('Available')),
      'Available files:\nname,type,summary\na.md,text/markdown,"One, two"\n"b ""c"".html",text/html,Plain\nd.txt,text/plain,"x\ny"\n',
    );
    assert.equal(sessionFileReference('chart.png'), 'file+session://./chart.png');
  });

  it('read logs of version 2, which have neither type nor summary', () => {
    const old = sessionFileEntry({ path: 'a.html', content: { inline: '\n  Hello \nWorld' } });
    assert.deepEqual([old.mimeType, old.summary], ['text/html', 'Hello']);
    assert.equal(derivedSummary('x'.repeat(500)), `${'x'.repeat(119)}…`);
  });
});

describe('the fragments of a system prompt', () => {
  it('are computed again only when their dirty flag is set', () => {
    const fragments = new SystemFragments();
    const counts = { a: 0, b: 0 };
    fragments.define('a', () => `a${String((counts.a += 1))}`);
    fragments.define('b', () => {
      counts.b += 1;
      return '';
    });
    const texts = (): readonly string[] => fragments.pieces(new Map()).map(({ key, text }) => `${key} ${text}`);
    assert.deepEqual([texts(), texts(), counts], [['fragment:a a1'], ['fragment:a a1'], { a: 1, b: 1 }]);
    assert.ok(fragments.markDirty('a'));
    assert.deepEqual([texts(), texts(), counts], [['fragment:a a2'], ['fragment:a a2'], { a: 2, b: 1 }]);
    fragments.remove('a');
    assert.deepEqual([texts(), fragments.markDirty('a')], [[], false]);
  });
});
