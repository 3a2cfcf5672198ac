import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OtherUsage } from '../../../src/host/usage/otherUsage.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { FIRST_QUERY, type UsageQuery } from '../../../src/protocol/usage/usage.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { openUsage, type OpenedUsage } from '../../support/host/openUsage.js';
import { useWindows, type Window } from '../../support/host/window.js';

const COMPUTER: UsageQuery = { ...FIRST_QUERY, extent: 'computer' };

describe('the usage of all chats on this computer', () => {
  const windows = useWindows();

  async function workspaceWith(writerId: string, ...texts: readonly string[]): Promise<Window> {
    await windows.newFolder();
    const window = windows.open({ writerId, models: BILLED_MODELS });
    for (const text of texts) {
      const session = await window.chats.create();
      await session.conversation.send(text);
    }
    return window;
  }

  function othersOf(here: Window, ...elsewhere: readonly Window[]): OtherUsage {
    return new OtherUsage({
      storages: () => Promise.resolve(elsewhere.map(({ folder }) => folder)),
      storeAt: here.storeAt,
      logError: (error) => here.errors.push(error),
    });
  }

  async function shownOf(here: Window, others: OtherUsage): Promise<OpenedUsage> {
    const opened = openUsage(here, new UsageRows(here.chats), others);
    await opened.view.show(null);
    opened.view.ask(COMPUTER);
    await until(() => opened.state().figures !== null, 'the chats of all workspaces are read');
    return opened;
  }

  it('adds those of other workspaces, deleted ones too, whose requests cannot be shown here', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2', '/long 3');
    const doomed = elsewhere.chats.list().find(({ title }) => title === '/long 2');
    await elsewhere.chats.delete(doomed?.id ?? '');
    const third = await workspaceWith('third', '/long 4');
    const here = await workspaceWith('here', '/long 5');
    const { view, figures, requests } = await shownOf(here, othersOf(here, elsewhere, third));
    const shown = requests().rows.map(({ chat, opens, isElsewhere }) => [chat, opens, isElsewhere] as const);
    assert.deepEqual(
      shown.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      [
        ['/long 3', false, true],
        ['/long 4', false, true],
        ['/long 5', true, false],
        [null, false, false],
      ],
    );
    assert.equal(figures().total.requests, 4);
    assert.equal((await view.exported('all')).attempts.length, 4);
    view.ask(FIRST_QUERY);
    await until(() => figures().total.requests === 1, 'only this workspace is shown');
    view.dispose();
  });

  it('counts a chat once that was imported from another workspace', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2');
    const [original] = elsewhere.chats.list();
    const here = await workspaceWith('here');
    const path = join(elsewhere.folder, 'chats', original?.id ?? '');
    await here.chats.importChat(path, { signal: new AbortController().signal, progress: () => undefined });
    const { view, figures } = await shownOf(here, othersOf(here, elsewhere));
    assert.equal(figures().total.requests, 1);
    view.dispose();
  });

  it('reads the other workspaces again with each opening, and passes over one that is gone', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2');
    const here = await workspaceWith('here');
    const { view, figures } = await shownOf(here, othersOf(here, elsewhere));
    const session = await elsewhere.chats.create();
    await session.conversation.send('/long 3');
    await view.show(null);
    await until(() => figures().total.requests === 2, 'the new chat is shown');
    await rm(elsewhere.folder, { recursive: true });
    await view.show(null);
    await until(() => figures().total.requests === 0, 'nothing is left');
    view.dispose();
  });

  it('says that a workspace could not be read, and shows the others', async () => {
    const elsewhere = await workspaceWith('elsewhere', '/long 2');
    const broken = await workspaceWith('broken');
    await rm(join(broken.folder, 'chats'), { recursive: true, force: true });
    await writeFile(join(broken.folder, 'chats'), 'a file in the place of the folder');
    const here = await workspaceWith('here');
    const { view, figures, state } = await shownOf(here, othersOf(here, broken, elsewhere));
    assert.equal(figures().total.requests, 1);
    assert.equal(state().problem, 'The chats of another workspace could not be read. Usage does not include their requests.');
    assert.match(here.errors.map(({ message }) => message).join(), /a file exists where a folder is expected/);
    view.dispose();
  });
});
