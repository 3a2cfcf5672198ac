import assert from 'node:assert/strict';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolResultContent } from '../../src/engine/model/part.js';
import type { ToolOutcome } from '../../src/engine/ports.js';
import { column, columns } from '../support/columns.js';
import { shownResults } from '../support/engine/panelStates.js';
import type { ToolExecutor } from '../support/engine/toolExecutor.js';
import { SENT_RESULT_BYTES, textForModel } from '../../src/engine/request/resultText.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { sha256 } from '../../src/host/window/systemPorts.js';
import { nodeFiles, type Files, type DiskFile } from '../../src/storage/files/files.js';
import { NodeDisk } from '../support/faults/nodeDisk.js';
import { readyPanel } from '../support/host/panel.js';
import { lastMessage, lastReply, runStatuses, wholeState } from '../support/host/reading.js';
import { useWindows, type Window } from '../support/host/window.js';

/* Case 24: a huge result of a tool. */

const MIB = 1_024 * 1_024;
const LINE = 'a line of 39 characters and a line feed\n';
const HUGE = LINE.repeat((50 * MIB) / LINE.length);
const LARGE = `begin ${LINE.repeat(600)}`;
/** The limit of log and panel for such a result, with previews and the records of two requests. */
const FEW_BYTES = 32 * 1_024;

class SayTool implements ToolExecutor {
  readonly #content: readonly ToolResultContent[];

  constructor(...content: readonly ToolResultContent[]) {
    this.#content = content;
  }

  has(name: string): boolean {
    return name === 'say';
  }

  call(): Promise<ToolOutcome> {
    return Promise.resolve({ content: this.#content, isError: false });
  }
}

const saying = (text: string): SayTool => new SayTool({ type: 'text', text });

/** A disk that is full for blobs only. */
class NoRoomForBlobs extends NodeDisk {
  isFull = true;

  override async open(path: string): Promise<DiskFile> {
    if (!this.isFull || !path.includes('/blobs/')) {
      return super.open(path);
    }
    // A device has no length to set. Writing to this one fails with ENOSPC.
    return { ...(await super.open('/dev/full')), truncate: () => Promise.resolve() };
  }
}

function countReads({ store }: Window): { readonly names: string[] } {
  const names: string[] = [];
  const blobs = store.blobs.bind(store);
  store.blobs = (chatId) => {
    const made = blobs(chatId);
    const get = made.get.bind(made);
    made.get = (name) => {
      names.push(name);
      return get(name);
    };
    return made;
  };
  return { names };
}

describe('a large result of a tool', () => {
  const windows = useWindows();
  const chatFolder = (id: string): string => join(windows.folder, 'chats', id);
  const blobPath = (id: string, text: string): string => join(chatFolder(id), 'blobs', sha256(text));

  async function logSize(id: string): Promise<number> {
    const names = (await readdir(chatFolder(id))).filter((name) => name.endsWith('.jsonl'));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(chatFolder(id), name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async function resultOf(text: string): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const { window, session } = await windows.openChat({ tools: saying(text) }, '/tool say {}');
    return { window, session };
  }

  const resultId = (session: ChatSession): string => lastMessage(session.state, 'tool-results').id;
  const callId = (session: ChatSession): string => lastMessage(session.state, 'tool-results').parts[0]!.callId;

  it('of 50 MB goes to a file of the chat: the log, the panel and the request stay small, and the run goes on', async () => {
    const window = windows.open({ tools: saying(HUGE) });
    const { snapshot, webview, session } = await readyPanel(window);
    await session.conversation.send('/tool say {}');
    assert.deepEqual(runStatuses(session.state), ['committed']);
    assert.deepEqual(window.errors, []);
    assert.equal((await stat(blobPath(session.id, HUGE))).size, 50 * MIB);
    assert.ok((await logSize(session.id)) < FEW_BYTES);
    assert.ok(Buffer.byteLength(JSON.stringify(snapshot())) < FEW_BYTES);
    const [result] = shownResults(webview.state);
    assert.deepEqual([result?.text, result?.cut], [HUGE.slice(0, 1_000), { characters: 1_000, bytes: 50 * MIB }]);
    for (const body of window.model.bodies) {
      assert.ok(Buffer.byteLength(body) < SENT_RESULT_BYTES * 1.1);
    }
    assert.match(window.model.bodies.at(-1) ?? '', /52,166,656 bytes of this result are left out here: it has 52,428,800\./);
    assert.equal(await session.records.resultText(resultId(session), callId(session)), HUGE);
    const { rebuilt } = await session.records.request(lastReply(session.state).id);
    assert.deepEqual([rebuilt.body === window.model.bodies.at(-1), rebuilt.note], [true, null]);
  }).timeout(60_000);

  it('is sent whole up to the cap, and its request is rebuilt byte for byte, also in another window', async () => {
    const { window, session } = await resultOf(LARGE);
    assert.ok((window.model.bodies.at(-1) ?? '').includes(JSON.stringify(LARGE).slice(1, -1)));
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
    for (const each of [session, reopened]) {
      const { rebuilt } = await each.records.request(lastReply(each.state).id);
      assert.deepEqual([rebuilt.body === window.model.bodies.at(-1), rebuilt.note], [true, null]);
    }
  });

  it('is read once, however often a preview is made', async () => {
    const window = windows.open({ tools: saying(HUGE.slice(0, MIB)) });
    const { names } = countReads(window);
    const session = await window.chats.create();
    await session.conversation.send('/tool say {}');
    for (const text of ['a', 'ab', 'abc', '']) {
      const composed = await session.next.preview({ text, editing: null });
      assert.match(composed.wire().body, /786,432 bytes of this result are left out here/);
    }
    assert.deepEqual(names, [sha256(HUGE.slice(0, MIB))]);
  });

  for (const [what, damage] of [
    ['missing', (path: string) => rm(path)],
    ['damaged', (path: string) => writeFile(path, 'something else')],
  ] as const) {
    it(`whose file is ${what} is a note with its begin in later requests, which can be rebuilt; the earlier one says what is wrong`, async () => {
      const { session } = await resultOf(LARGE);
      const earlier = lastReply(session.state).id;
      await damage(blobPath(session.id, LARGE));
      const window = windows.open({ writerId: 'other' });
      const reopened = await window.chats.open(session.id);
      await assert.rejects(reopened.records.request(earlier), { kind: 'storage' });
      await assert.rejects(reopened.records.resultText(resultId(session), callId(session)), { kind: 'storage' });
      const { adaptations } = await reopened.next.preview({ text: '', editing: null });
      await reopened.next.preview({ text: 'x', editing: null });
      assert.equal(adaptations.resultsMissing, 1);
      assert.equal(window.errors.filter(({ kind }) => kind === 'storage').length, 1, 'its loss is logged once');
      await reopened.conversation.send('/long 2');
      const body = window.model.bodies.at(-1) ?? '';
      assert.match(body, /The text of this result, 24,006 bytes, is missing\. It began:\)\\nbegin a line/);
      const { rebuilt, attempt } = await reopened.records.request(lastReply(reopened.state).id);
      assert.deepEqual([rebuilt.body === body, rebuilt.note, attempt.manifest.adaptations.resultsMissing], [true, null, 1]);
    });
  }

  it('stays in the log when its file cannot be written; the run goes on, and the panel shows as little', async () => {
    const window = windows.open({ tools: saying(LARGE), storage: new NoRoomForBlobs() });
    const { snapshot, session } = await readyPanel(window);
    await session.conversation.send('/tool say {}');
    assert.deepEqual(runStatuses(session.state), ['committed']);
    assert.deepEqual(columns(window.errors, 'kind', 'message'), [
      ['storage', 'An attachment or a tool result could not be saved: the disk is full.'],
    ]);
    const [result] = shownResults(snapshot());
    assert.deepEqual([result?.text, result?.cut], [LARGE.slice(0, 1_000), { characters: 1_000, bytes: LARGE.length }]);
    assert.deepEqual(await readdir(join(chatFolder(session.id), 'blobs')), []);
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.equal(await reopened.records.resultText(resultId(session), callId(session)), LARGE);
    const { rebuilt } = await reopened.records.request(lastReply(reopened.state).id);
    assert.deepEqual([rebuilt.body === window.model.bodies.at(-1), rebuilt.note], [true, null]);
  });

  it('of more than one text can be opened whole, and none that is not there', async () => {
    const { session } = await windows.openChat({ tools: new SayTool({ type: 'text', text: 'short' }, { type: 'text', text: LARGE }) });
    await session.conversation.send('/tool say {}');
    assert.equal(await session.records.resultText(resultId(session), callId(session)), `short\n${LARGE}`);
    await assert.rejects(session.records.resultText(resultId(session), 'another'), { kind: 'invalidInput' });
    await assert.rejects(session.records.resultText(lastReply(session.state).id, callId(session)), { kind: 'invalidInput' });
    assert.equal(textForModel(LARGE), LARGE);
  });
});

describe('a fork', () => {
  const windows = useWindows();

  async function original(
    storage: Files,
    image: Buffer,
  ): Promise<{ readonly window: Window; readonly session: ChatSession; readonly name: string }> {
    const content: ToolResultContent[] = [{ type: 'text', text: LARGE }];
    const { window, session } = await windows.openChat({
      storage,
      tools: { has: () => true, call: () => Promise.resolve({ content, isError: false }) },
    });
    const name = await window.store.blobs(session.id).put(image);
    content.push({ type: 'image', blob: name, mimeType: 'image/png', bytes: image.length, width: null, height: null });
    await session.conversation.send('/tool say {}');
    return { window, session, name };
  }

  it('has large results and images of its own: it outlives the chat it came from', async () => {
    const { window, session, name } = await original(nodeFiles, Buffer.from('image'));
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await rm(join(windows.folder, 'chats', session.id, 'blobs'), { recursive: true });
    assert.equal(Buffer.from(await window.store.blobs(fork.id).get(name)).toString(), 'image');
    const reopened = await windows.open({ writerId: 'other' }).chats.open(fork.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(fork.state));
    const composed = await reopened.next.preview({ text: 'And?', editing: null });
    assert.deepEqual([composed.adaptations.resultsMissing, composed.adaptations.imagesLeftOut], [0, 0]);
    assert.ok(composed.wire().body.includes(JSON.stringify(LARGE).slice(1, -1)));
    assert.deepEqual(reopened.state.parent, { chatId: session.id, messageId: lastReply(session.state).id });
  });

  it('takes only the files of what it takes over', async () => {
    const { window, session } = await original(nodeFiles, Buffer.from('image'));
    const [asked] = session.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
    const fork = await window.chats.fork(session, asked!.id);
    assert.ok(!(await readdir(join(windows.folder, 'chats', fork.id))).includes('blobs'));
  });

  it('of a chat in which a file is missing is made without it, and that is logged', async () => {
    const { window, session, name } = await original(nodeFiles, Buffer.from('image'));
    await rm(join(windows.folder, 'chats', session.id, 'blobs', sha256(LARGE)));
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    assert.deepEqual(await readdir(join(windows.folder, 'chats', fork.id, 'blobs')), [name]);
    assert.deepEqual(column(window.errors, 'kind'), ['storage']);
    assert.equal((await fork.next.preview({ text: '', editing: null })).adaptations.resultsMissing, 1);
  });

  it('that finds no room for them fails with the reason, and leaves no chat behind', async () => {
    const storage = new NoRoomForBlobs();
    storage.isFull = false;
    const { window, session } = await original(storage, Buffer.from('image'));
    storage.isFull = true;
    await assert.rejects(window.chats.fork(session, lastReply(session.state).id), { kind: 'storage', message: /the disk is full/ });
    assert.deepEqual(column(window.chats.list(), 'id'), [session.id]);
    assert.deepEqual(await window.store.listChatIds(), [session.id]);
  });
});
