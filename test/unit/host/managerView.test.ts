import assert from 'node:assert/strict';
import { sumTokens } from '../../../src/engine/sumTokens.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import type { RepositorySource } from '../../../src/engine/next/repository.js';
import { NO_LINKS } from '../../../src/engine/repository/fileLinks.js';
import { mapPieces, treePieces } from '../../../src/engine/repository/repositoryTexts.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { ManagedContext } from '../../../src/host/panel/manager/managed.js';
import { managerView } from '../../../src/host/panel/manager/managerView.js';
import { MANAGED_TYPES, MOST_MANAGED, type ManagedSections, type ManagerView } from '../../../src/protocol/panel/manager.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { managedOf } from '../../support/host/managed.js';
import { type MemoryFiles, useWindows } from '../../support/host/window.js';

const ALL: ManagedSections = { search: '', open: MANAGED_TYPES, servers: [], proof: null, rows: {} };

const WORKSPACE = {
  'AGENTS.md': 'Heights are metres.',
  'CLAUDE.md': 'Times are UTC.',
  '.loupe/rules/tides.md': '---\nname: Tides\ninclude: agent\ndescription: How tides are predicted\n---\nTides are in UTC.',
  '.loupe/rules/winds.md': '---\nname: Winds\ninclude: agent\ndescription: How wind is measured\n---\nKnots.',
  '.loupe/rules/off.md': '---\nenabled: false\n---\nNever.',
  '.loupe/rules/bad.md': '---\nname: "open\n---\nText',
  '.loupe/references/api.md': 'GET /tides',
  'src/a.ts': 'export const a = 1;',
};

const MAP: RepositorySource = {
  read: ({ wishes }) =>
    Promise.resolve({
      tree: treePieces(wishes, 'src/'),
      map: mapPieces(wishes, [{ folder: 'src/', text: 'src/\n  a.ts\n    const a' }]),
      links: NO_LINKS,
    }),
};

describe('the pane with the context of a chat', () => {
  const windows = useWindows();

  const managed = async (text: string, { isRestricted }: { readonly isRestricted: boolean }): Promise<ManagedContext> => {
    const { session, files } = await chatAmongFiles(windows, WORKSPACE, {});
    files.isTrusted = !isRestricted;
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    await session.context.remove({ type: 'rule', name: 'CLAUDE.md' });
    return managedOf(session, await session.next.preview({ text, editing: null }));
  };

  const rowsOf = (view: ManagerView, type: string): unknown =>
    view.sections
      .find((section) => section.type === type)
      ?.rows.map(({ name, state, includeMode, off, note }) => [name, state, includeMode, off ?? note]);

  it('shows all of the catalog and of the chat: what is in it, what is picked, what is not and why', async () => {
    const view = managerView(await managed('How are the tides predicted?', { isRestricted: false }), ALL);
    const rules = view.sections.find(({ type }) => type === 'rule');
    assert.deepEqual([rules?.held, rules?.total], [3, 6]);
    const [bad] = (rowsOf(view, 'rule') as string[][]).filter(([name]) => name === '.loupe/rules/bad.md');
    assert.match(bad?.[3] ?? '', /^Loupe cannot read the front matter of \.loupe\/rules\/bad\.md, line 2: /);
    assert.deepEqual(rules?.rows.find(({ name }) => name === '.loupe/rules/bad.md')?.place, { path: '.loupe/rules/bad.md', line: 2 });
    assert.deepEqual(
      (rowsOf(view, 'rule') as string[][]).filter(([name]) => name !== '.loupe/rules/bad.md'),
      [
        ['AGENTS.md', 'in', 'always', null],
        ['CLAUDE.md', 'out', 'always', 'chat'],
        ['.loupe/rules/off.md', 'off', 'always', 'file'],
        ['Tides', 'picked', 'agent', null],
        ['Winds', 'out', 'agent', null],
      ],
    );
    assert.deepEqual(rowsOf(view, 'reference'), [['.loupe/references/api.md', 'out', 'manual', null]]);
    assert.deepEqual(rowsOf(view, 'file'), [['src/a.ts', 'in', null, null]]);
    assert.equal(view.items, 4);
  });

  describe('says of an excluded rule that requests still contain its text', () => {
    const text = WORKSPACE['AGENTS.md'];
    let session: ChatSession;
    let files: MemoryFiles;
    beforeEach(async () => {
      ({ session, files } = await chatAmongFiles(windows, { 'AGENTS.md': text }, {}));
      // So long that it costs less to read it from the cache than to write it again after a shorter system prompt.
      await session.conversation.send(`/long 1 ${'All of it is read before it is answered. '.repeat(120)}`);
    });
    const shown = async (): Promise<readonly [isSent: boolean, note: string]> => {
      const composed = await session.next.preview({ text: 'And now?', editing: null });
      const rules = managerView(managedOf(session, composed), ALL).sections.find(({ type }) => type === 'rule');
      const isSent = promptBlocks(composed.prompt).some(({ part }) => part.type === 'text' && part.text.includes(text));
      return [isSent, rules?.rows[0]?.note?.split('. ', 1)[0] ?? ''];
    };

    it('in this chat, until the user removes it a second time', async () => {
      await session.context.remove({ type: 'rule', name: 'AGENTS.md' });
      assert.deepEqual(await shown(), [true, 'You removed this item, but requests still contain it']);
      await session.context.remove({ type: 'rule', name: 'AGENTS.md' });
      assert.deepEqual(await shown(), [false, '']);
    });

    it('in all chats, until the prompt is rebuilt', async () => {
      files.includes.set('rule:AGENTS.md', 'off');
      assert.deepEqual(await shown(), [true, 'Requests still contain its text, and tell the model that it is no longer valid']);
      await session.context.rebuildLayout();
      assert.deepEqual(await shown(), [false, '']);
    });
  });

  it('tells rules for files from rules that only the message picks', async () => {
    const files = {
      '.loupe/rules/code.md': '---\nname: Code\ninclude: agent\nglobs: "**/*.ts"\n---\nNo default exports.',
      '.loupe/rules/tides.md': WORKSPACE['.loupe/rules/tides.md'],
    };
    const { session } = await chatAmongFiles(windows, files, {});
    const context = managedOf(session, await session.next.preview({ text: 'Hello', editing: null }));
    const rules = managerView(context, ALL).sections.find(({ type }) => type === 'rule')?.rows;
    assert.deepEqual(
      rules?.map(({ name, isForFiles }) => [name, isForFiles]),
      [
        ['Code', true],
        ['Tides', false],
      ],
    );
  });

  it('gives what the request holds the tokens that it has there, and counts all else, so that the sections add up', async () => {
    const context = await managed('How are the tides predicted?', { isRestricted: false });
    const view = managerView(context, ALL);
    const held = view.sections.flatMap(({ rows }) => rows).filter(({ state }) => state === 'in' || state === 'picked');
    const { blocks } = context.rows;
    const shown = held.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
    assert.equal(shown, sumTokens(blocks.filter(({ file }) => file !== null)));
    // As in the next request, the text before and after the files counts as files.
    const files = sumTokens(blocks.filter(({ category }) => category === 'files'));
    assert.equal(view.sections.find(({ type }) => type === 'file')?.tokens, files);
    assert.equal(view.tokens, sumTokens(blocks.filter(({ category }) => category === 'files' || category === 'rules')));
    const [api] = view.sections.find(({ type }) => type === 'reference')?.rows ?? [];
    assert.equal(api?.tokens, ROUGH_COUNTER.count('# Reference: .loupe/references/api.md\n\nGET /tides'));
  });

  it('has rows only of sections that are open, and with a search those of all sections that match', async () => {
    const context = await managed('', { isRestricted: false });
    const closed = managerView(context, { search: '', open: ['file'], servers: [], proof: null, rows: {} });
    assert.deepEqual(
      closed.sections.map(({ type, rows }) => [type, rows.length]),
      [
        ['rule', 0],
        ['reference', 0],
        ['skill', 0],
        ['file', 1],
        ['page', 0],
        ['repository', 0],
      ],
    );
    const names = (search: string): string[] =>
      managerView(context, { search, open: [], servers: [], proof: null, rows: {} }).sections.flatMap(({ rows }) =>
        rows.map(({ name }) => name),
      );
    assert.deepEqual(names('winds'), ['Winds']);
    assert.deepEqual(names('MEASURED'), ['Winds'], 'by its description');
    assert.deepEqual(names('references/'), ['.loupe/references/api.md'], 'by its path');
    assert.deepEqual(names('nothing of it'), []);
  });

  it('shows the first fifty of a long section, with what the chat holds among them, and more when asked', async () => {
    const context = await managed('', { isRestricted: false });
    const [first] = context.composed.records.filter(({ item }) => item.name === 'Winds');
    assert.ok(first !== undefined);
    const many = Array.from({ length: 200 }, (_, at) => ({
      ...first,
      item: { type: 'rule' as const, name: `A ${String(at)}`, includeMode: first.item.includeMode },
    }));
    const long = { ...context, composed: { ...context.composed, records: [...many, ...context.composed.records] } };
    const [rules] = managerView(long, ALL).sections;
    assert.equal(rules?.rows.length, MOST_MANAGED);
    assert.equal(rules.more, 206 - MOST_MANAGED);
    assert.ok(rules.rows.some(({ name }) => name === 'AGENTS.md'));
    const [longer] = managerView(long, { ...ALL, rows: { rule: 200 } }).sections;
    assert.deepEqual([longer?.rows.length, longer?.more], [200, 6]);
  });

  it('says which of the latest requests was the last to hold an item', async () => {
    const { session } = await chatAmongFiles(windows, WORKSPACE, {});
    const uses = async (): Promise<unknown> => {
      const view = managerView(managedOf(session, await session.next.preview({ text: '', editing: null })), ALL);
      const rows = view.sections.flatMap((section) => section.rows);
      return [view.requests, ...['AGENTS.md', 'Tides', 'Winds'].map((wanted) => rows.find(({ name }) => name === wanted)?.lastUse)];
    };
    assert.deepEqual(await uses(), [0, null, null, null]);
    await session.conversation.send('How are the tides predicted?');
    assert.deepEqual(await uses(), [1, 0, 0, null]);
    await session.conversation.send('Paint the lighthouse white');
    assert.deepEqual(await uses(), [2, 0, 1, null]);
  });

  it('lists the parts and folders of the repository map with their tokens, and what the chat omits', async () => {
    const { session } = await chatAmongFiles(windows, WORKSPACE, { repository: MAP });
    const rows = async (): Promise<unknown> => {
      const view = managerView(managedOf(session, await session.next.preview({ text: '', editing: null })), ALL);
      const section = view.sections.find(({ type }) => type === 'repository') ?? assert.fail('no section');
      return [section.held, section.total, ...section.rows.map(({ key, name, state, tokens }) => [key, name, state, tokens !== null])];
    };
    const off = [
      ['repository:tree', 'File tree', 'out', false],
      ['repository:map', 'Definitions', 'out', false],
    ];
    assert.deepEqual(await rows(), [0, 2, ...off]);
    await session.changeConfig({ repositoryMap: 'map', repositoryTokens: 200, repositoryWithout: 'vendor' });
    assert.deepEqual(await rows(), [
      ...[2, 2],
      ['repository:tree', 'File tree', 'in', true],
      ['repository:map', 'Definitions', 'in', true],
      ['repository:map/src/', 'src/', 'in', true],
      ['repository:map/vendor/', 'vendor/', 'out', false],
    ]);
    await session.changeConfig({ repositoryTokens: 20_000_000 });
    const view = managerView(managedOf(session, await session.next.preview({ text: '', editing: null })), ALL);
    const section = view.sections.find(({ type }) => type === 'repository');
    assert.deepEqual([section?.held, section?.rows[0]?.state], [0, 'in']);
    assert.match(section?.rows[0]?.note ?? '', /^The map needs a context limit of at least /);
  });

  it('says of a folder which is not trusted that its rules are not sent', async () => {
    const view = managerView(await managed('', { isRestricted: true }), ALL);
    assert.equal(view.isRestricted, true);
    assert.deepEqual((rowsOf(view, 'rule') as string[][])[0], [
      'AGENTS.md',
      'in',
      'always',
      'Loupe does not send AGENTS.md in Restricted Mode: this workspace is not trusted.',
    ]);
  });
});
