import assert from 'node:assert/strict';
import type { RequestContextItem } from '../../../src/engine/record/item.js';
import { contextRows, contextSummary, contextUsed } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { blockViews } from '../../../src/engine/next/blockViews.js';
import { column, columns } from '../../support/columns.js';
import { lastAttempt } from '../../support/host/reading.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

type Mode = RequestContextItem['includeMode'];

/** An item that Loupe picked for a message has a score. */
const inMode = (includeMode: Mode): Pick<RequestContextItem, 'includeMode' | 'similarityScore'> =>
  includeMode === 'agent' ? { includeMode, similarityScore: 0.8 } : { includeMode };

const items = (type: 'rule' | 'reference' | 'file', ...modes: Mode[]): RequestContextItem[] =>
  modes.map((includeMode, index) => ({ type, name: `${type} ${String(index)}`, ...inMode(includeMode) }));
const tools = (...modes: Mode[]): RequestContextItem[] =>
  modes.map((includeMode, index) => ({ type: 'tool', name: `tool ${String(index)}`, serverName: 'server', ...inMode(includeMode) }));

describe('the summary of a request context', () => {
  it('counts each type, and its modes in the order agent, always, manual', () => {
    const all = [
      ...tools('manual', 'manual', 'manual'),
      ...items('file', 'manual'),
      ...items('rule', 'always', 'agent', 'agent', 'always', 'agent'),
    ];
    assert.equal(contextSummary(all), '5 rules (3 agent, 2 always), 3 tools (all manual), 1 file (manual)');
  });

  it('names a single mode once, with "all" where there are several items', () => {
    assert.equal(contextSummary(items('rule', 'always')), '1 rule (always)');
    const map = (['tree', 'map'] as const).map((name) => ({ type: 'repository', name, includeMode: 'always' }) as const);
    assert.equal(contextSummary([...items('rule', 'always'), ...map]), '1 rule (always), repository map');
    assert.equal(contextSummary(items('reference', 'agent', 'agent')), '2 references (all agent)');
    assert.equal(contextSummary(tools('manual', 'always', 'agent')), '3 tools (1 agent, 1 always, 1 manual)');
  });

  it('says which items are there for files: they have no score', () => {
    const [forFile] = items('rule', 'manual').map((item) => ({ ...item, includeMode: 'agent' }) as const);
    assert.equal(
      contextSummary([...items('rule', 'always', 'agent'), ...(forFile === undefined ? [] : [forFile])]),
      '3 rules (1 agent, 1 by file, 1 always)',
    );
  });

  it('says so when there is nothing', () => {
    assert.equal(contextSummary([]), 'No files');
  });
});

const NOTHING_LOADED = new Map<string, number>();
const FORGOTTEN = 'Excluded content, still sent';

describe('the rows of a request', () => {
  it('are one for each file, tool and fragment, one for the system prompt, one for the conversation by messages', () => {
    const block = (key: string, category: 'tools' | 'system' | 'files' | 'conversation', tokens: number) => ({
      ...{ key, category, tokens, form: 'full' as const },
      item: key.startsWith('file:') ? key : null,
    });
    const rows = blockViews(
      [
        block('retiredTool:fs:read', 'tools', 12),
        block('system:global', 'system', 40),
        block('system:agent', 'system', 2),
        block('fragment:style', 'system', 5),
        block('files:header', 'files', 10),
        block('file:src/a:b.ts', 'files', 100),
        block('files:acknowledged', 'files', 8),
        { ...block('file:src/a:b.ts~2', 'files', 20), item: 'file:src/a:b.ts', form: 'difference' },
        { ...block('file:gone.ts', 'files', 30), form: 'carried' },
        block('header:file:src/a:b.ts~2', 'files', 9),
        block('header:page:https://a.example', 'files', 13),
        block('pages:acknowledged', 'files', 14),
        block('message:1-a/0', 'conversation', 3),
        block('message:2-b/0', 'conversation', 4),
        block('message:2-b/1', 'conversation', 6),
        block('lostResult:2-b/call', 'conversation', 7),
        { ...block('message:1-c/1', 'conversation', 11), form: 'carried' },
        { ...block('message:1-d/0', 'conversation', 12), form: 'carried' },
      ],
      [],
      NOTHING_LOADED,
      null,
    );
    assert.deepEqual(
      rows.map(({ includeMode: _mode, score: _score, isEarlier: _earlier, server: _server, cache: _cache, ...row }) => row),
      [
        { label: 'fs:read (no longer available)', file: null, category: 'tools', around: null, count: 1, tokens: 12 },
        { label: 'System prompt', file: null, category: 'system', around: null, count: 2, tokens: 42 },
        { label: 'Instructions from style', file: null, category: 'system', around: null, count: 1, tokens: 5 },
        { label: 'Text around files', file: null, category: 'files', around: 'file', count: 3, tokens: 27 },
        { label: 'src/a:b.ts', file: 'file:src/a:b.ts', category: 'files', around: null, count: 1, tokens: 120 },
        { label: 'gone.ts (removed, but still sent)', file: 'file:gone.ts', category: 'files', around: null, count: 1, tokens: 30 },
        { label: 'Text around web pages', file: null, category: 'files', around: 'page', count: 2, tokens: 27 },
        { label: 'Conversation', file: null, category: 'conversation', around: null, count: 3, tokens: 20 },
        { label: FORGOTTEN, file: null, category: 'conversation', around: null, count: 2, tokens: 23 },
      ],
    );
    // Only recorded parts of the context count.
    assert.deepEqual(
      column(
        rows.filter(({ isEarlier }) => isEarlier),
        'label',
      ),
      ['src/a:b.ts', 'gone.ts (removed, but still sent)', FORGOTTEN],
    );
  });
});

describe('what the cache is expected to do with a row', () => {
  it('is the sum of its blocks', () => {
    const block = (key: string) => ({ key, item: null, category: 'conversation', tokens: 10, form: 'full' }) as const;
    const forecast = { ends: [10, 20, 25], parts: { read: 14, written: 6, fresh: 5 } };
    const system = { ...block('system:global'), category: 'system' } as const;
    const rows = blockViews([block('message:1-a/0'), block('message:1-a/1'), system], [], NOTHING_LOADED, forecast);
    const [said, prompt] = [
      { read: 14, written: 6, fresh: 0 },
      { read: 0, written: 0, fresh: 5 },
    ];
    assert.deepEqual(column(rows, 'cache'), [said, prompt]);
  });
});

describe('the count of a row', () => {
  const block = (key: string, form: 'full' | 'carried') =>
    ({ key, item: null, category: key.startsWith('system') ? 'system' : 'conversation', tokens: 10, form }) as const;
  const said = (...keys: readonly string[]) => keys.map((key) => block(key, key.endsWith('!') ? 'carried' : 'full'));
  const counts = (blocks: ReturnType<typeof said>): readonly number[] => column(blockViews(blocks, [], NOTHING_LOADED, null), 'count');

  it('has each message once, whatever is between its blocks', () => {
    const withCall = said('message:u/0', 'message:a/0', 'message:a/1!', 'message:t/0!', 'message:b/0');
    assert.deepEqual(counts(withCall), [3, 1]);
    assert.deepEqual(counts(said('system:global', 'message:u/0', 'noImage:u/1', 'message:u/2')), [1, 2]);
  });

  it('is the same, whether Loupe knows the beginning from an earlier request or not', () => {
    const many = Array.from({ length: 120 }, (_, at) =>
      said(`message:u${String(at)}/0`, `message:a${String(at)}/0`, `message:a${String(at)}/1!`),
    );
    const all = many.flat();
    counts(all.slice(0, 250));
    assert.deepEqual(counts(all), counts(structuredClone(all)));
  });
});

describe('the rows of tools', () => {
  it('have the key and the server of their tool, whatever is in their names', () => {
    const item = { type: 'tool', name: 'log/all', serverName: 'git/hub', includeMode: 'always' } as const;
    const block = { key: 'tool:git/hub/log/all', item: 'tool:git/hub/log/all', category: 'tools', tokens: 7, form: 'full' } as const;
    assert.deepEqual(blockViews([block], [{ item, leftOut: null }], NOTHING_LOADED, null), [
      {
        ...{ label: 'git/hub/log/all', file: 'tool:git/hub/log/all', server: 'git/hub', category: 'tools', count: 1, tokens: 7 },
        ...{ includeMode: 'always', score: null, isEarlier: false, cache: null, around: null },
      },
    ]);
  });
});

describe('the rows of a rule and of a file with one name', () => {
  it('are two', () => {
    const block = (key: string, category: 'rules' | 'files') => ({ key, item: key, category, tokens: 7, form: 'full' as const });
    const rows = blockViews([block('rule:AGENTS.md', 'rules'), block('file:AGENTS.md', 'files')], [], NOTHING_LOADED, null);
    assert.deepEqual(columns(rows, 'file', 'tokens'), [
      ['rule:AGENTS.md', 7],
      ['file:AGENTS.md', 7],
    ]);
  });
});

describe('"Context used"', () => {
  const windows = useWindows();

  it('shows what a request held, its tokens, and what was left out with the reason', async () => {
    const files = new MemoryFiles();
    files.texts.set('b.ts', 'let b;');
    files.texts.set('a.ts', 'let a;');
    const { session } = await windows.openChat({ files });
    for (const name of ['b.ts', 'gone.ts', 'a.ts']) {
      await session.context.add({ type: 'file', name, includeMode: name === 'a.ts' ? 'always' : 'manual', addedHash: null, given: null });
    }
    await session.context.add({ type: 'rule', name: 'Style', includeMode: 'always', addedHash: null, given: null });
    await session.conversation.send('/long 2');
    const attempt = lastAttempt(session.state);
    const used = contextUsed(attempt, session.state);
    const { tokens } = attempt.manifest.size;
    assert.deepEqual(used, { summary: '2 files (1 always, 1 manual)', totalTokens: tokens, basis: 'providerCount' });
    const rows = contextRows(attempt, session.state)!;
    assert.deepEqual(column(rows.groups, 'type'), ['rule', 'file']);
    const [rules, group] = rows.groups;
    assert.deepEqual(columns(rules?.items, 'name', 'notSelectedReason'), [
      ['Style', 'Style is no longer available: its file was deleted, or gives it another name.'],
    ]);
    assert.deepEqual(columns(group?.items, 'name', 'file', 'includeMode', 'score', 'notSelectedReason'), [
      ['b.ts', 'file:b.ts', 'manual', null, null],
      ['a.ts', 'file:a.ts', 'always', null, null],
      ['gone.ts', 'file:gone.ts', 'manual', null, 'gone.ts does not exist.'],
    ]);
    const row = rows.blocks.find(({ label }) => label === 'a.ts');
    assert.equal(group?.items[1]?.tokens, row?.tokens);
    assert.equal(rows.blocks.reduce((sum, each) => sum + each.tokens, 0) + rows.framingTokens, tokens);
  });

  it('names tools with their server, and scores', async () => {
    const { session } = await windows.openChat({}, '/long 2');
    const attempt = lastAttempt(session.state);
    const picked: RequestContextItem[] = [
      { type: 'tool', name: 'read', serverName: 'files', includeMode: 'manual' },
      { type: 'reference', name: 'Guide', includeMode: 'agent', similarityScore: 0.87 },
    ];
    const context = [{ put: picked.map((item) => ({ item, leftOut: null })) }];
    const rows = contextRows({ ...attempt, manifest: { ...attempt.manifest, context } }, session.state)!;
    assert.deepEqual(rows.groups, [
      {
        type: 'reference',
        items: [
          {
            name: 'Guide',
            file: 'reference:Guide',
            includeMode: 'agent',
            score: 0.87,
            tokens: null,
            ofTokens: null,
            notSelectedReason: null,
          },
        ],
      },
      {
        type: 'tool',
        items: [
          {
            name: 'files:read',
            file: 'tool:files/read',
            includeMode: 'manual',
            score: null,
            tokens: null,
            ofTokens: null,
            notSelectedReason: null,
          },
        ],
      },
    ]);
  });

  it('has nothing to show where the record is on a damaged line', async () => {
    const { session } = await windows.openChat({}, '/long 2');
    const attempt = lastAttempt(session.state);
    const orphan = { ...attempt, manifest: { ...attempt.manifest, base: 'lost' } };
    assert.equal(contextUsed(orphan, session.state), null);
  });
});
