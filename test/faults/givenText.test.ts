import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { INLINE_TEXT_BYTES } from '../../src/engine/run/largeTexts.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { sha256 } from '../../src/host/window/systemPorts.js';
import { lastReply, storedText } from '../support/host/reading.js';
import { notSelectedText } from '../../src/host/request/excluded/notSelectedItems.js';
import { useWindows, type Window } from '../support/host/window.js';

const SMALL = 'x'.repeat(INLINE_TEXT_BYTES);
const LARGE = `${'A line of the text, with \u00e9.\n'.repeat(1_000)}its end`;

describe('a text that was added to the context', () => {
  const windows = useWindows();

  async function withText(text: string): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const { window, session } = await windows.openChat({});
    const given = await session.context.store(text);
    await session.context.add({ type: 'file', name: 'a.ts:1-9', includeMode: 'manual', addedHash: sha256(text), given });
    return { window, session };
  }

  const blobsOf = async (session: ChatSession): Promise<string[]> => {
    const files = await readdir(join(windows.folder, 'chats', session.id), { recursive: true });
    return files.filter((name) => name.startsWith('blobs/')).map((name) => name.slice('blobs/'.length));
  };

  async function sent(session: ChatSession): Promise<{ readonly body: string; readonly leftOut: readonly string[] }> {
    const composed = await session.next.preview({ text: 'And?', editing: null });
    return {
      body: composed.wire().body,
      leftOut: composed.context.resolved.flatMap(({ item, notSelectedReason }) =>
        notSelectedReason === null ? [] : [notSelectedText(item, notSelectedReason)],
      ),
    };
  }

  const holds = (body: string, text: string): boolean => body.includes(JSON.stringify(text).slice(1, -1));

  it('stands in the line while it is small', async () => {
    const { session } = await withText(SMALL);
    assert.deepEqual(await blobsOf(session), []);
    assert.ok(holds((await sent(session)).body, SMALL));
  });

  it('is kept outside the log when it is large, and is sent whole', async () => {
    const { session } = await withText(LARGE);
    assert.deepEqual(await blobsOf(session), [sha256(LARGE)]);
    const [item] = session.state.context.values();
    assert.deepEqual(item?.given, { blob: sha256(LARGE), bytes: Buffer.byteLength(LARGE) });
    const { body, leftOut } = await sent(await windows.open({ writerId: 'other' }).chats.open(session.id));
    assert.deepEqual([holds(body, LARGE), leftOut], [true, []]);
    const segment = (await storedText(windows.folder, session.id)).split('\n').filter((line) => line.includes('context-added'));
    assert.ok(segment.every((line) => line.length < 1_000));
  });

  it('is left out with the reason when its file is missing or damaged, and sending goes on', async () => {
    const { window, session } = await withText(LARGE);
    await rm(join(windows.folder, 'chats', session.id, 'blobs', sha256(LARGE)));
    const { body, leftOut } = await sent(session);
    assert.ok(!holds(body, LARGE));
    assert.equal(leftOut.length, 1);
    assert.match(leftOut[0] ?? '', /^Loupe cannot read the stored text of a\.ts:1-9\. .+\. Add a\.ts:1-9 again\.$/);
    await session.conversation.send('/long 3');
    assert.equal(lastReply(session.state).stopped, false);
    assert.deepEqual(window.errors, []);
  });

  it('goes with a fork, which outlives the chat it came from', async () => {
    const { window, session } = await withText(LARGE);
    await session.conversation.send('/long 3');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await rm(join(windows.folder, 'chats', session.id, 'blobs'), { recursive: true });
    const { body, leftOut } = await sent(fork);
    assert.deepEqual([holds(body, LARGE), leftOut], [true, []]);
  });
});
