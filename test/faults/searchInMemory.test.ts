import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchResult } from '../../src/storage/search/search.js';
import { lastUser } from '../support/host/reading.js';
import { useWindows, type Window } from '../support/host/window.js';

describe('search when the disk fails', () => {
  const windows = useWindows();

  const search = ({ chats }: Window, text: string): Promise<SearchResult> =>
    chats.search({ text, role: null, limit: 50 }, new AbortController().signal);

  const outline = ({ hits, failures }: SearchResult): unknown => [
    hits.map(({ role, excerpt }) => `${role}: ${excerpt}`).sort(),
    failures.map(({ error }) => error.message),
  ];

  async function opened(): Promise<Window> {
    await windows.openChat({ writerId: 'other' }, 'a needle elsewhere');
    const { window, session } = await windows.openChat({}, 'a needle set aside');
    await session.conversation.edit(lastUser(session.state).id, 'a needle');
    await session.titler.rename('Needles');
    return window;
  }

  const IN_MEMORY = ['title: Needles', 'user: a needle', 'user: a needle set aside'];

  it('18. finds in the open chats what their memory has when the chats cannot be listed, and says so', async () => {
    const window = await opened();
    const folder = join(windows.folder, 'chats');
    await rename(folder, join(windows.folder, 'away'));
    await writeFile(folder, 'no folder');
    const [hits, failures] = outline(await search(window, 'needle')) as [string[], string[]];
    assert.deepEqual(
      hits.filter((hit) => !hit.startsWith('assistant')),
      IN_MEMORY,
    );
    assert.deepEqual(failures, ['The chats of this workspace could not be listed: a file exists where a folder is expected.']);
    assert.equal(window.errors.at(-1)?.message, failures[0]);
  });

  it('18. finds them when the folder of all chats is gone', async () => {
    const window = await opened();
    await rm(join(windows.folder, 'chats'), { recursive: true });
    const [hits] = outline(await search(window, 'needle')) as [string[], string[]];
    assert.deepEqual(
      hits.filter((hit) => !hit.startsWith('assistant')),
      IN_MEMORY,
    );
  });

  it('18. finds in memory what stands in a file that became unreadable, and says that it could not be read', async () => {
    const window = await opened();
    const [chat] = window.chats.list().filter(({ title }) => title === 'Needles');
    const folder = join(windows.folder, 'chats', chat?.id ?? '');
    const [segment] = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    await rm(join(folder, segment ?? ''));
    await mkdir(join(folder, segment ?? ''));
    const [hits, failures] = outline(await search(window, 'needle')) as [string[], string[]];
    assert.deepEqual(
      hits.filter((hit) => hit.startsWith('user')),
      ['user: a needle', 'user: a needle elsewhere', 'user: a needle set aside'],
    );
    assert.equal(failures.length, 1);
  });
});
