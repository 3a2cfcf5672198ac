import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { ApiChat, ApiRequest } from '../../src/protocol/api/api.js';
import { contents } from '../unit/storage/fixtures.js';
import {
  ChatPanel,
  latestChat,
  openInspector,
  openLoupe,
  startWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';
import { QuickInput } from '../support/workbench/quickInput.js';
import { storageFolder } from '../support/workbench/storageFaults.js';

const BANNER = 'Loupe found 1 chat of this folder in another workspace.';
/** Rows for exported files, before those of other workspaces. */
const FROM_FILES = 2;
/** More controls than a panel has before its first message. */
const MOST_TABS = 40;
/** Writing them takes more than a second on any computer, and little space. */
const MANY_BLOBS = 30_000;

describe('Chats of another workspace', () => {
  let workbench: Workbench;
  let panel: ChatPanel;
  let quick: QuickInput;
  let file: string;
  /** The folder's chats before it became a multi-root workspace. */
  let elsewhere: string;
  let original: ApiChat;
  let requests: readonly ApiRequest[];
  let shown: readonly string[];
  let untouched: Record<string, string>;

  before(async () => {
    workbench = await startWorkbench({});
    panel = new ChatPanel(await openLoupe(workbench.page));
    await converse();
    original = await latestChat(workbench);
    requests = await requestsOf(original);
    shown = await panel.log.getByRole('article').allInnerTexts();
    elsewhere = storageFolder(workbench);
    // VS Code numbers the storage of a second window, see twoWindows.test.ts.
    plant(join(`${dirname(elsewhere)}-1`, basename(elsewhere)));
    file = join(dirname(workbench.workspaceDir), 'two.code-workspace');
    mkdirSync(join(dirname(file), 'other'));
    writeWorkspace(['other']);
    await workbench.page.goto(`${workbench.url}/?workspace=${encodeURIComponent(file)}`);
    untouched = await contents(elsewhere);
    const hasBlob = Object.keys(untouched).some((path) => path.includes('/blobs/'));
    assert.ok(hasBlob, 'something is in a blob');
    quick = new QuickInput(workbench.page);
    panel = new ChatPanel(await openLoupe(workbench.page));
  });

  after(async () => {
    await workbench.close();
  });

  async function converse(): Promise<void> {
    writeFileSync(join(workbench.workspaceDir, 'tides.txt'), 'High water, low water.\n'.repeat(2_000));
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'tides.txt'));
    await panel.unfoldItems();
    await panel.frame.getByRole('button', { name: 'Remove tides.txt' }).waitFor();
    await panel.sendAndWait('What do you see?');
    await panel.sendAndWait('/long 5');
    await workbench.runCommand('loupe.retry');
    await panel.idle();
  }

  /** Puts a chat into the storage of a second window, which Loupe never uses. */
  function plant(storage: string): void {
    cpSync(join(elsewhere, 'chats', original.id), join(storage, 'chats', 'sess_1600000000000_00ff00'), { recursive: true });
  }

  async function requestsOf(chat: ApiChat): Promise<ApiRequest[]> {
    const replies = chat.messages.filter(({ role }) => role === 'assistant');
    return Promise.all(replies.map(async ({ id }) => (await workbench.api('getRequest', chat.id, id)) as ApiRequest));
  }

  /** The banner. The panel's status has the same text for screen readers. */
  function offer(): Locator {
    return panel.frame.locator('.banner').filter({ hasText: BANNER });
  }

  async function isOffered(): Promise<boolean> {
    try {
      return await offer().isVisible();
    } catch {
      // The frame was replaced meanwhile.
      return false;
    }
  }

  /** In one step, because VS Code reloads its window when it reads an empty file. */
  function writeWorkspace(folders: readonly string[]): void {
    writeFileSync(`${file}.new`, JSON.stringify({ folders: folders.map((path) => ({ path })) }));
    renameSync(`${file}.new`, file);
  }

  it('are offered when their folder comes to a workspace where nothing was said yet, and imported with the keyboard alone', async () => {
    await panel.composer.waitFor();
    assert.equal(await offer().count(), 0);
    await waitFor('the offer', async () => {
      // VS Code can reload its window when a workspace gets folders, and misses writes meanwhile.
      writeWorkspace(['other', basename(workbench.workspaceDir)]);
      panel = new ChatPanel(await openLoupe(workbench.page));
      return (await isOffered()) || undefined;
    });
    await panel.composer.focus();
    await tabTo(workbench.page, panel.button('Import'));
    await workbench.page.keyboard.press('Enter');
    await panel.articles('You').filter({ hasText: 'What do you see?' }).waitFor();
    await offer().waitFor({ state: 'detached' });
  });

  it('have their whole history, the context of each reply and every exact request', async () => {
    assert.deepEqual(await panel.log.getByRole('article').allInnerTexts(), shown);
    const copy = await latestChat(workbench);
    assert.notEqual(copy.id, original.id);
    assert.deepEqual(copy.messages, original.messages);
    assert.deepEqual(await requestsOf(copy), requests);
    assert.ok(requests.length === 2 && requests.every(({ body }) => body.includes('High water')));
    const used = panel.articles('Assistant').first().getByRole('button', { name: 'Context used' });
    await used.click();
    await panel.region('Context used').getByRole('button', { name: 'tides.txt [Manual]', exact: true }).waitFor();
    await used.click();
    await workbench.runCommand('loupe.showRequest', copy.id, copy.messages.find(({ role }) => role === 'assistant')?.id);
    const inspector = await openInspector(workbench.page);
    await inspector.getByRole('button', { name: /^tides\.txt/ }).click();
    await inspector.getByRole('tabpanel').getByText('High water').first().waitFor();
  });

  it('can be continued; where they come from nothing has changed', async () => {
    await panel.sendAndWait('/long 4');
    assert.deepEqual(await contents(elsewhere), untouched);
  });

  it('that are here already say so in the list, and can be opened or imported again', async () => {
    // Not from the palette: VS Code moves the focus back afterwards, which closes an open question.
    const importing = workbench.runCommand('loupe.importChat');
    await quick.row('imported on').waitFor();
    const rows = await quick.widget.getByRole('option').count();
    assert.equal(rows, FROM_FILES + 1, 'what is in the storage of a second window is no other workspace’s');
    await quick.widget.getByText('Already imported').waitFor();
    await quick.pick('imported on');
    await quick.asked('This chat was already imported');
    const before = (await workbench.api('listChats', { limit: 10 })) as unknown[];
    await quick.pick('Import again');
    await importing;
    assert.equal(((await workbench.api('listChats', { limit: 10 })) as unknown[]).length, before.length + 1, 'there is a second copy');
    await panel.articles('You').filter({ hasText: '/long 4' }).waitFor({ state: 'detached' });
    assert.deepEqual(await panel.log.getByRole('article').allInnerTexts(), shown);
    assert.deepEqual(await contents(elsewhere), untouched);
  });

  it('show how far a long import is, and leave nothing behind when it is cancelled', async () => {
    const blobs = join(elsewhere, 'chats', original.id, 'blobs');
    for (let count = 0; count < MANY_BLOBS; count += 1) {
      writeFileSync(join(blobs, count.toString(16).padStart(64, '0')), '.');
    }
    const chats = join(otherStorage(workbench, elsewhere), 'chats');
    const before = readdirSync(chats);
    const toast = workbench.page.locator('.notification-toast').filter({ hasText: 'Importing the chat' });
    await toast.waitFor({ state: 'detached' });
    const importing = workbench.runCommand('loupe.importChat', join(elsewhere, 'chats', original.id));
    await toast.getByText(/\d%/).waitFor();
    await toast.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await importing, null);
    assert.deepEqual(readdirSync(chats), before);
  });
});

async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const isFocused: unknown = await control.evaluate((element) => element.matches(':focus'));
    if (isFocused === true) {
      return;
    }
    await page.keyboard.press('Shift+Tab');
  }
  throw new Error('It cannot be reached with the Tab key.');
}

/** The storage of a workspace with chats that is not in `known`. */
function otherStorage(workbench: Workbench, known: string): string {
  const storages = join(workbench.dataDir, 'data/User/workspaceStorage');
  const others = readdirSync(storages).map((id) => join(storages, id, basename(known)));
  const [found] = others.filter((storage) => storage !== known && existsSync(join(storage, 'current-chat')));
  assert.ok(found !== undefined);
  return found;
}
