import assert from 'node:assert/strict';
import { againRows, importRows } from '../../../src/host/transfer/importRows.js';
import type { OtherChat } from '../../../src/host/transfer/otherChats.js';
import { column } from '../../support/columns.js';

const AT = 1_700_000_000_000;
const IMPORTED = { chatId: 'sess_2_bbbbbb', at: AT, hasGrown: false };

function chat(parts: Partial<OtherChat>): OtherChat {
  const origin = { path: '/a', chatId: 'sess_1_aaaaaa', ancestors: [], importedAt: null, segments: new Map(), updatedAt: AT };
  return { ...origin, title: 'A chat', folders: ['file:///home/me/my%20project'], matches: false, imported: null, ...parts };
}

function labels(chats: readonly OtherChat[], missing: { unread: number; unseen: number }): string[] {
  return importRows({ chats, ...missing }).map(({ label, choice }) => (choice.type === 'heading' ? `# ${label}` : label));
}

const FILES = ['$(file-zip) File...', '$(folder-opened) Folder...'];
/** The first row of a chat, after the files and a heading. */
const FIRST = FILES.length + 1;

describe('the list of chats that can be imported', () => {
  it('has exported files first, then those of this workspace, and those that were imported last', () => {
    const chats = [
      chat({ title: 'was here', matches: true, imported: IMPORTED }),
      chat({ title: 'mine', matches: true }),
      chat({ title: 'other' }),
      chat({ title: 'was there', imported: IMPORTED }),
    ];
    assert.deepEqual(labels(chats, { unread: 0, unseen: 0 }), [
      ...FILES,
      ...['# From this folder', 'mine', '# From other folders', 'other', '# Already imported', 'was here', 'was there'],
    ]);
    assert.deepEqual(labels([], { unread: 0, unseen: 0 }), [...FILES, 'No chats in other workspaces']);
  });

  it('says when a chat was imported, and whether something was added since', () => {
    const details = [null, IMPORTED, { ...IMPORTED, hasGrown: true }].map(
      (imported) => importRows({ chats: [chat({ imported })], unread: 0, unseen: 0 })[FIRST]?.detail,
    );
    const when = new Date(AT).toLocaleString();
    assert.deepEqual(details, [
      `Last changed ${when}`,
      `Last changed ${when} · imported on ${when}`,
      `Last changed ${when} · imported on ${when}, new messages since then`,
    ]);
    assert.deepEqual(column(againRows(IMPORTED), 'choice'), ['show', 'import']);
    assert.match(againRows({ ...IMPORTED, hasGrown: true })[1]?.detail ?? '', /^The original chat has new messages since the import\./);
    assert.match(againRows(IMPORTED)[1]?.detail ?? '', /^The original chat has not changed since the import\./);
  });

  it('names folders as people know them, also those that no program should have written, and draws no icons', () => {
    const rows = [['file:///home/me/my%20project/'], ['file:///100%'], [], ['file:///$(flame)']].map(
      (folders) => importRows({ chats: [chat({ folders, title: '$(bug)' })], unread: 0, unseen: 0 })[FIRST],
    );
    assert.deepEqual(
      rows.map((row) => row?.description),
      ['my project', '100%', 'no folder', '$\u200b(flame)'],
    );
    assert.equal(rows[0]?.label, '$\u200b(bug)');
  });

  it('tells what it does not have', () => {
    assert.deepEqual(labels([], { unread: 1, unseen: 1_200 }), [
      ...FILES,
      '$(warning) 1 chat could not be read',
      '1,200 older chats are not shown',
    ]);
    assert.deepEqual(
      importRows({ chats: [], unread: 2, unseen: 0 }).map(({ choice }) => choice.type),
      ['file', 'folder', 'log'],
    );
  });
});
