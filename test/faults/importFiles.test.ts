import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { countMessages } from '../../src/engine/chat/state.js';
import type { ChatEvent } from '../../src/engine/chat/event.js';
import { LOG_VERSION } from '../../src/engine/chat/order/stamp.js';
import { LoupeError } from '../../src/engine/errors.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import type { ImportedFile } from '../../src/host/chat/importExported.js';
import type { CopyWatch } from '../../src/storage/files/copyWatch.js';
import { encodeLine, encodeNamedLine } from '../../src/storage/log/line.js';
import { depth } from '../support/depth.mjs';
import { CONFIG, created, stamp } from '../support/engine/events.js';
import { exported } from '../support/host/exported.js';
import { conversation, EchoTool, wholeState } from '../support/host/reading.js';
import { exportTo, filesIn, WAYS, zipOf } from '../support/host/transfer.js';
import { useWindows, type Window } from '../support/host/window.js';
import { rejection } from '../support/rejection.js';
import { writeLongLog } from '../support/storage/longLog.js';
import { UNWATCHED } from '../support/storage/readChat.js';
import { SmallDisk } from '../unit/storage/fixtures.js';

const LARGE = `/tool echo {"b": "${'much '.repeat(5_000)}"}`;
/** Bytes of a very large chat, and of each of its messages. */
const LARGE_CHAT = depth({ short: 20_000_000, deep: 500_000_000 });
const LARGE_MESSAGE = 140_000;

const FOREIGN = (name: string): string =>
  `${name} is not a chat that Loupe has exported. Choose the .zip, the .jsonl or the folder of an exported chat.`;
const NEWER = 'This chat needs a newer version of Loupe. Update Loupe to import it.';

describe('A file that is imported', () => {
  const windows = useWindows();
  let place: string;
  let from: Window;
  let session: ChatSession;
  let zip: Buffer;
  let lines: Buffer;
  let here: Window;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'loupe-import-'));
    from = windows.open({ tools: new EchoTool() });
    session = await from.chats.create();
    await session.conversation.send('/long 5');
    await session.conversation.send(LARGE);
    zip = (await exported(session, 'zip', from, {})).bytes;
    lines = (await exported(session, 'jsonLines', from, {})).bytes;
    await windows.newFolder();
    here = windows.open({ writerId: 'now' });
  });
  afterEach(() => rm(place, { recursive: true }));

  function put(name: string, bytes: Uint8Array | string): string {
    const path = join(place, name);
    writeFileSync(path, bytes);
    return path;
  }

  function imported(path: string): Promise<ImportedFile> {
    return here.chats.importFile(path, UNWATCHED);
  }

  function left(): readonly string[] {
    return readdirSync(here.folder).includes('chats') ? readdirSync(join(here.folder, 'chats')) : [];
  }

  /** Returns the sentence of the refusal. The import must leave no files. */
  async function refusal(path: string): Promise<string> {
    const error = await rejection(imported(path));
    assert.deepEqual([error.kind, left()], ['invalidInput', []], error.message);
    return error.message;
  }

  async function inEachForm(
    change: (files: Map<string, Buffer>) => void,
    changeLines: (lines: string[]) => string[],
  ): Promise<readonly string[]> {
    const files = new Map(await filesIn(zip));
    change(files);
    const folder = join(place, 'folder');
    await mkdir(join(folder, 'blobs'), { recursive: true });
    for (const [name, bytes] of files) {
      await writeFile(join(folder, name), bytes);
    }
    const entries = [...files].map(([name, bytes]) => ({ name, bytes }));
    const changed = changeLines(lines.toString('utf8').split('\n')).join('\n');
    return [put('changed.zip', await zipOf(entries)), put('changed.jsonl', changed), folder];
  }

  describe('and cannot be used', () => {
    it('is refused when it is a zip file that was cut, wherever that was', async () => {
      for (let length = 4; length < zip.length; length += Math.ceil(zip.length / 40)) {
        assert.equal(
          await refusal(put('cut.zip', zip.subarray(0, length))),
          'cut.zip cannot be read as a zip file, so nothing was imported: its end is missing. Copy or download the file again.',
        );
      }
    });

    it('is refused when it is the file of another program', async () => {
      const others: Readonly<Record<string, Buffer | string>> = {
        'empty.jsonl': '',
        'other.jsonl': '{"role":"user","content":"Hello"}\n'.repeat(100),
        'table.csv': 'when,tokens\n1,2\n',
        'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
        'seems.jsonl': '{"v":2,"seq":1,"id":"x"}\n'.repeat(100),
        'empty.zip': await zipOf([]),
        'other.zip': await zipOf([{ name: 'word/document.xml', bytes: Buffer.from('<xml/>') }]),
        'lines.zip': await zipOf([{ name: 'data.jsonl', bytes: Buffer.from('{"a":1}\n') }]),
        'two.zip': await zipOf(['a', 'b'].map((folder) => ({ name: `${folder}/window.jsonl`, bytes: Buffer.from('{}\n') }))),
      };
      for (const [name, bytes] of Object.entries(others)) {
        assert.equal(await refusal(put(name, bytes)), FOREIGN(name));
      }
      await mkdir(join(place, 'photos'));
      assert.equal(await refusal(join(place, 'photos')), FOREIGN('photos'));
      writeFileSync(join(place, 'photos', 'data.jsonl'), '{"a":1}\n');
      assert.equal(await refusal(join(place, 'photos')), FOREIGN('photos'));
    });

    it('is refused when a newer version wrote a line of it', async () => {
      const last = { ...stamp([{ type: 'title', title: 'Later', by: 'user' }], 'newer')[0]!, seq: 9_000 };
      const newer = { ...last, v: LOG_VERSION + 1 };
      const unknown = { ...last, type: 'title-sung' } as unknown as ChatEvent;
      for (const event of [newer, unknown]) {
        const paths = await inEachForm(
          (files) => files.set('newer.jsonl', encodeLine(event)),
          (all) => [...all.slice(0, -1), encodeNamedLine(event).toString('utf8')],
        );
        for (const path of paths) {
          assert.equal(await refusal(path), NEWER);
        }
      }
    });

    it('is refused when the first line of the chat is missing', async () => {
      const paths = await inEachForm(
        (files) => {
          const [name, bytes] = [...files].find(([each]) => each.endsWith('.jsonl'))!;
          files.set(name, bytes.subarray(bytes.indexOf(0x0a) + 1));
        },
        (all) => all.slice(1),
      );
      for (const path of paths) {
        assert.match(await refusal(path), /^The chat in \S+ cannot be imported: its first line is missing or damaged\.$/);
      }
    });

    it('is refused when an entry leads out of the folder, by its name or by a link', async () => {
      const entries = [...(await filesIn(zip))].map(([name, bytes]) => ({ name, bytes }));
      const evil = await zipOf([...entries, { name: 'xx/xx/evil.jsonl', bytes: Buffer.from('evil') }]);
      for (const name of ['../../evil.jsonl', '/xxxx/evil.jsonl', 'c:/xx/evil.jsonl', 'xx/../evil.jsonl']) {
        assert.equal(
          await refusal(put('evil.zip', renamed(evil, 'xx/xx/evil.jsonl', name))),
          `evil.zip was not imported: the path ${JSON.stringify(name)} in this file leads out of the folder of the chat.`,
        );
      }
      const link = await zipOf([...entries, { name: 'link.jsonl', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }]);
      assert.equal(
        await refusal(put('link.zip', link)),
        'link.zip was not imported: the path "link.jsonl" in this file leads out of the folder of the chat.',
      );
    });

    it('is refused when it unpacks to more than any chat has, or to more than it says', async () => {
      const bomb = await zipOf(['a', 'b'].map((name) => ({ name: `${name}.jsonl`, bytes: Buffer.from('{}') })));
      assert.equal(
        await refusal(put('bomb.zip', withSizes(bomb, 0xfffffffe))),
        'bomb.zip was not imported: the unpacked chat has more than 4 GB.',
      );
      const liar = await zipOf([{ name: 'a.jsonl', bytes: Buffer.alloc(10_000_000) }]);
      assert.match(
        await refusal(put('liar.zip', withSizes(liar, 100))),
        /^liar\.zip cannot be read as a zip file.*it is incomplete or damaged/,
      );
    });

    it('is refused when it has no end of a line for longer than any line is, and no more of it is read', async () => {
      const path = put('endless.jsonl', '{"v":2,"seq":1,"id":"');
      truncateSync(path, 2 ** 31);
      assert.equal(await refusal(path), FOREIGN('endless.jsonl'));
    });

    it('is refused when its checksums are right, but its lines say nothing that a chat can be made of', async () => {
      const events = stamp([created(), { type: 'message', runId: 'r' } as never], 'w');
      const path = put('made.jsonl', Buffer.concat(events.map(encodeNamedLine)));
      assert.equal(await refusal(path), 'made.jsonl was not imported: Loupe cannot read the content of the chat.');
    });

    it('is refused when it is gone', async () => {
      const error = await rejection(imported(join(place, 'gone.zip')));
      assert.deepEqual(
        [error.kind, error.message, left()],
        ['storage', 'The chat could not be imported: the file or its folder does not exist.', []],
      );
    });
  });

  describe('and lost something', () => {
    it('gives what is whole of lines that were cut, and says how many are missing', async () => {
      const events = lines.toString('utf8').split('\n').length - 2;
      const text = lines.toString('utf8');
      const end = text
        .split('\n')
        .slice(0, events - 3)
        .join('\n').length;
      const { session: copy, losses } = await imported(put('cut.jsonl', text.slice(0, end - 10)));
      assert.deepEqual(losses, { lines: 1, contents: 1 });
      assert.equal(conversation(copy.state)[0], 'user: /long 5');
      assert.deepEqual(copy.faults, []);
    });

    it('leaves out a line that was changed, and one that stands twice', async () => {
      const all = lines.toString('utf8').split('\n');
      const at = all.findIndex((line) => line.includes('"type":"message"') && line.includes('/long 5'));
      const changed = [...all.slice(0, at), all[at]!.replace('/long 5', '/long 6'), all[at - 1], ...all.slice(at + 1)];
      const { losses, session: copy } = await imported(put('changed.jsonl', changed.join('\n')));
      assert.deepEqual(losses, { lines: 2, contents: 0 });
      assert.ok(!conversation(copy.state).some((line) => line.includes('/long 6')));
    });

    it('says when a large text is missing, or is not the one that was written, and never keeps that one', async () => {
      const isBlob = (name: string): boolean => name.startsWith('blobs/');
      const changes: readonly [(files: Map<string, Buffer>) => void, (all: string[]) => string[]][] = [
        [
          (files) => {
            [...files.keys()].filter(isBlob).forEach((name) => files.delete(name));
          },
          (all) => all.filter((line) => !line.includes('"type":"content"')),
        ],
        [
          (files) => {
            [...files.keys()].filter(isBlob).forEach((name) => files.set(name, Buffer.from('other')));
          },
          (all) => all.map((line) => line.replace(/"base64":".*"/, `"base64":"${Buffer.from('other').toString('base64')}"`)),
        ],
      ];
      for (const [change, changeLines] of changes) {
        for (const path of await inEachForm(change, changeLines)) {
          const { losses, session: copy } = await imported(path);
          assert.deepEqual(losses, { lines: 0, contents: 1 }, path);
          assert.deepEqual(conversation(copy.state).length, conversation(session.state).length);
          const blobs = join(here.folder, 'chats', copy.id, 'blobs');
          assert.deepEqual(readdirSync(join(blobs, '..')).includes('blobs') ? readdirSync(blobs) : [], []);
        }
        await rm(join(place, 'folder'), { recursive: true });
      }
    });

    it('is refused, or says what is missing, or is whole, whatever byte of it is another', async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...WAYS), fc.nat(), fc.integer({ min: 1, max: 255 }), async (way, at, change) => {
          await windows.newFolder();
          here = windows.open({ writerId: 'now' });
          await rm(join(place, 'unpacked'), { recursive: true, force: true });
          const path = await exportTo(place, session, way, from);
          const file = way === 'folder' ? join(path, readdirSync(path).find((name) => name.endsWith('.jsonl'))!) : path;
          const bytes = readFileSync(file);
          bytes[at % bytes.length]! ^= change;
          writeFileSync(file, bytes);
          try {
            const { session: copy, losses } = await imported(path);
            assert.ok(losses.lines + losses.contents > 0 || sameChat(copy, session));
          } catch (thrown) {
            assert.ok(thrown instanceof LoupeError && thrown.kind === 'invalidInput', String(thrown));
            assert.deepEqual(left(), []);
          }
        }),
        { numRuns: depth({ short: 25, deep: 500 }) },
      );
    });
  });

  it('may have its files in a folder, and other files beside them', async () => {
    const entries = [...(await filesIn(zip))].map(([name, bytes]) => ({ name: `Tides/${name}`, bytes }));
    const more = ['Tides/.DS_Store', '__MACOSX/Tides/._window.jsonl', 'Tides/row.json', 'readme.txt'].map((name) => ({
      name,
      bytes: Buffer.from('x'),
    }));
    const { session: copy, losses } = await imported(put('Tides.zip', await zipOf([...more, ...entries])));
    assert.deepEqual([losses, sameChat(copy, session)], [{ lines: 0, contents: 0 }, true]);
    assert.deepEqual(
      readdirSync(join(here.folder, 'chats', copy.id))
        .filter((name) => name !== 'row.json')
        .sort(),
      ['blobs', 'now.jsonl', 'window.jsonl'],
    );
  });

  it('leaves nothing behind when it is cancelled, at whatever moment', async () => {
    for (const way of WAYS) {
      const path = await exportTo(place, session, way, from);
      for (const share of [0, 0.3, 0.6, 0.69, 0.7, 0.75]) {
        const abort = new AbortController();
        const watch: CopyWatch = {
          signal: abort.signal,
          progress: (done, total) => {
            if (done / total >= share) {
              abort.abort();
            }
          },
        };
        const error = await rejection(here.chats.importFile(path, watch));
        assert.deepEqual([error.kind, left()], ['cancelled', []], `${way} at ${String(share)}`);
      }
    }
  });

  it(`may have ${String(LARGE_CHAT / 1e6)} MB: it comes whole, while others have their turn, and can be cancelled on the way`, async () => {
    const path = join(place, 'large');
    const text = 'ebb and flood '.repeat(LARGE_MESSAGE / 14);
    const exchanges = Math.ceil(LARGE_CHAT / (2 * LARGE_MESSAGE));
    await writeLongLog(path, {
      chatId: 'sess_1700000000000_abc123',
      writer: 'w',
      exchanges,
      config: CONFIG,
      said: (n) => `${String(n)} ${text}`,
    });
    const abort = new AbortController();
    const tell = (done: number, total: number): void => {
      if (done > total / 2) {
        abort.abort();
      }
    };
    const error = await rejection(here.chats.importFile(path, { signal: abort.signal, progress: tell }));
    assert.deepEqual([error.kind, left()], ['cancelled', []]);

    const shares: number[] = [];
    let turns = 0;
    const turn = setInterval(() => {
      turns += 1;
    }, 1);
    const progress = (done: number, total: number): void => {
      shares.push(done / total);
    };
    const { session: copy, losses } = await here.chats.importFile(path, { ...UNWATCHED, progress });
    clearInterval(turn);
    assert.deepEqual([losses, countMessages(copy.state)], [{ lines: 0, contents: 0 }, 2 * exchanges]);
    const sorted = shares.toSorted((a, b) => a - b);
    assert.deepEqual(shares, sorted);
    assert.ok(shares.length > 100 && turns > 100, JSON.stringify([shares.length, turns]));
  });

  it('leaves nothing behind on a disk that is full', async () => {
    for (const way of WAYS) {
      const path = await exportTo(place, session, way, from);
      for (const room of [0, 1_000, 20_000]) {
        await windows.newFolder();
        here = windows.open({ writerId: 'now', storage: new SmallDisk(room) });
        const error = await rejection(imported(path));
        assert.deepEqual(
          [error.message, left()],
          ['The chat could not be imported: the disk is full.', []],
          `${way} with room for ${String(room)}`,
        );
      }
    }
  });
});

function sameChat(a: ChatSession, b: ChatSession): boolean {
  const [one, other] = [a, b].map(({ state }) => {
    const { chatId: _id, folders: _folders, importedFrom: _from, updatedAt: _at, ...rest } = wholeState(state) as Record<string, unknown>;
    return JSON.stringify(rest);
  });
  return one === other;
}

/** Renames an entry of a zip file. Both names have the same length. */
function renamed(zip: Buffer, name: string, other: string): Buffer {
  assert.equal(name.length, other.length);
  return Buffer.from(zip.toString('latin1').replaceAll(name, other), 'latin1');
}

function withSizes(zip: Buffer, size: number): Buffer {
  const copy = Buffer.from(zip);
  for (let at = copy.indexOf('PK\x01\x02', 0, 'latin1'); at !== -1; at = copy.indexOf('PK\x01\x02', at + 4, 'latin1')) {
    copy.writeUInt32LE(size, at + 24);
  }
  return copy;
}
