import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CurrentChatFile } from '../../../src/storage/currentChat.js';
import { DraftFiles } from '../../../src/storage/drafts.js';

const CHAT = 'sess_1700000000000_abc123';
const OTHER = 'sess_1700000000001_abc124';

describe('what is kept beside the logs', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'loupe-small-'));
    mkdirSync(join(root, 'chats', CHAT), { recursive: true });
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('is no draft before one was written', async () => {
    assert.equal(await new DraftFiles(root).read(CHAT), '');
  });

  it('is a draft, whatever is in it, and nothing else', async () => {
    const text = 'half a thought \u202E\uFEFF\n';
    await new DraftFiles(root).write(CHAT, text);
    assert.equal(await new DraftFiles(root).read(CHAT), text);
    assert.deepEqual(readdirSync(join(root, 'chats', CHAT)), ['draft.json']);
  });

  it('is gone when the draft is empty', async () => {
    const drafts = new DraftFiles(root);
    await drafts.write(CHAT, 'text');
    await drafts.write(CHAT, '');
    assert.deepEqual(readdirSync(join(root, 'chats', CHAT)), []);
  });

  it('is the draft that was written last, however long the one before it takes', async () => {
    const drafts = new DraftFiles(root);
    await Promise.all([drafts.write(CHAT, 'a'.repeat(2_000_000)), drafts.write(CHAT, 'b')]);
    assert.equal(await drafts.read(CHAT), 'b');
  });

  it('tells what did not work', async () => {
    rmSync(join(root, 'chats', CHAT), { recursive: true });
    await assert.rejects(new DraftFiles(root).write(CHAT, 'text'), /draft of this chat could not be saved/);
    await assert.rejects(new DraftFiles(root).write('../etc', 'text'), /not the ID of a chat/);
  });

  it('is the chat on show last', async () => {
    const file = new CurrentChatFile(join(root, 'new'));
    assert.equal(await file.read(), null);
    await Promise.all([file.write(OTHER), file.write(CHAT)]);
    assert.equal(await new CurrentChatFile(join(root, 'new')).read(), CHAT);
  });

  it('is no chat when the file holds something else', async () => {
    writeFileSync(join(root, 'current-chat'), '../../etc/passwd');
    assert.equal(await new CurrentChatFile(root).read(), null);
  });
});
