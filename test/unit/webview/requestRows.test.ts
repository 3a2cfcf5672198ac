import assert from 'node:assert/strict';
import type {
  ContextGroup,
  ContextItemView,
  NotSelectedView,
  BlockView,
  ContextRows,
  PicksView,
} from '../../../src/protocol/panel/requestRows.js';
import { FEW_ROWS, type RowsScope, blockRows } from '../../../webview/chat/rows/blockRows.js';
import { notSelectedGroup } from '../../../webview/chat/rows/contextItem.js';
import { contextUsed } from '../../../webview/chat/request/contextUsed.js';
import { type GroupedRequest, requestGroups } from '../../../webview/chat/request/requestGroups.js';
import { fileIcon } from '../../../webview/shared/controls/icon.js';
import { columnPrice } from '../../../webview/shared/numbers.js';
import { forgottenGroup } from '../../../webview/chat/request/excludedTurns.js';
import { NOTHING_FORGOTTEN, contextItem, fileRow, plainRow } from '../../../webview/preview/views.js';
import type { TemplateResult } from 'lit';
import { markup, words } from '../../support/webview/markup.js';

const SYSTEM = plainRow('System prompt', 'system', 1, 40);
const WINDOW = { kind: 'unknown' } as const;

function files(count: number): BlockView[] {
  return Array.from({ length: count }, (_, index) => fileRow(`src/a${String(index)}.ts`, 10));
}

function scope(...open: string[]) {
  return {
    chatId: 'c',
    hasSwitches: false,
    prices: null,
    basis: 'exact' as const,
    isOpen: (group: string) => open.includes(group),
    toggle: () => undefined,
  };
}

function named(value: unknown): string[] {
  return [...markup(value).matchAll(/title=(src\/\S+)/g)].map(([, path]) => path ?? '');
}

describe('The rows of a request', () => {
  const rows = (count: number, ...open: string[]) =>
    blockRows({ blocks: [SYSTEM, ...files(count)], framingTokens: 3, difference: 0, totalTokens: 9, basis: 'exact' }, scope(...open));

  it('are all on show while there are few', () => {
    assert.equal(named(rows(FEW_ROWS)).length, FEW_ROWS);
    assert.doesNotMatch(markup(rows(FEW_ROWS)), /aria-expanded/);
  });

  it('stand below a head with their sum where there are more, which opens them', () => {
    const closed = markup(rows(200));
    assert.deepEqual(named(rows(200)), []);
    assert.match(closed, /aria-expanded=false/);
    assert.match(closed, /Files <span class="figures">200<\/span>.*2,000/s);
    assert.equal(named(rows(200, 'files')).length, 200);
  });

  it('count the files, not the texts around them', () => {
    const around = plainRow('Text around files', 'files', 2, 5);
    const all = markup(
      blockRows({ blocks: [around, ...files(9)], framingTokens: 3, difference: 0, totalTokens: 9, basis: 'exact' }, scope()),
    );
    assert.match(all, /Files <span class="figures">9<\/span>/);
  });
});

describe('The groups of the next request', () => {
  const rule = (name: string, includeMode: 'always' | 'agent' | null, score: number | null): BlockView => ({
    ...{
      label: name,
      file: `rule:${name}`,
      category: 'rules',
      around: null,
      count: 1,
      tokens: 10,
      includeMode,
      score,
      server: null,
      isEarlier: includeMode === null,
      cache: null,
    },
  });
  const withSwitches = { ...scope('leftOut', 'system', 'rules', 'files', 'earlier'), hasSwitches: true };
  const boxes = (value: unknown): unknown[] =>
    [...markup(value).matchAll(/<input[^>]*aria-label="([^"]+)"[^>]*\.checked=(\w+)/gs)].map(([, label, isOn]) => [label, isOn]);
  const groups = (changes: Partial<GroupedRequest>, of: RowsScope): TemplateResult =>
    requestGroups(
      {
        blocks: [SYSTEM, rule('AGENTS.md', 'always', null), rule('Tides', 'agent', 0.873), ...files(1)],
        available: { rule: 9, reference: 4, skill: 0, tool: 0 },
        servers: [],
        changes: {},
        ...{ framingTokens: 3, totalTokens: 73 },
        ...changes,
      },
      of,
    );

  it('are closed at first, say how many of all there are, and name the kinds of which there is nothing', () => {
    const closed = groups({}, { ...withSwitches, isOpen: () => false });
    assert.equal(words(closed), 'System 40 Rules 2 of 9 20 Files 1 10 References 0 of 4 Skills 0 Tools 0 Formatting 3');
    assert.deepEqual(boxes(closed), []);
    assert.match(markup(closed), /role="group" aria-label=Rules \(2 of 9\)>/);
  });

  it('say which items have changed, in the heads of the groups and in the rows', () => {
    const changes = { 'file:src/a0.ts': { kind: 'changed', tokens: 20 } } as const;
    assert.match(words(groups({ changes }, { ...withSwitches, isOpen: () => false })), /Files 1, 1 changed 10 /);
    const open = markup(groups({ changes }, withSwitches));
    assert.equal(open.match(/class="item-change"/g)?.length, 1);
    assert.match(
      open,
      />changed \+20<.*sr-only">\. Changed since the last request \(\+20 tokens\)\. The next request sends the new version\.</s,
    );
  });

  it('say of each item how it came in, and have a switch for it', () => {
    const open = groups({}, withSwitches);
    assert.deepEqual(boxes(open), [
      ['Send AGENTS.md', 'true'],
      ['Send Tides', 'true'],
      ['Send src/a0.ts', 'true'],
    ]);
    assert.match(markup(open), /aria-label="Tides \[Agent - 0\.87\]"/);
    assert.match(markup(open), /aria-label="AGENTS\.md \[Always\]"/);
    assert.match(markup(open), /aria-label="src\/a0\.ts"/);
    assert.equal(markup(open).split('Loupe picked this item by the words of your draft').length - 1, 1, 'what is picked may change');
  });

  it('name tools on demand without tokens, say which are loaded and where, and have a row for the list of names', () => {
    const tool = (name: string): BlockView => ({
      ...{ label: `git/${name}`, file: `tool:git/${name}`, category: 'tools', count: 1, tokens: 0, includeMode: 'onDemand', score: null },
      ...{ server: 'git', isEarlier: false, cache: null, around: null },
    });
    const names: BlockView = { ...SYSTEM, label: '2 tool names, definitions on demand', category: 'tools', tokens: 30 };
    const server = { name: 'git', total: 2, notSelected: { total: 0, first: [] }, replies: 0, calls: [] };
    const open = groups(
      {
        blocks: [tool('log'), { ...tool('blame'), loadedTokens: 512 }, names],
        available: { rule: 0, reference: 0, skill: 0, tool: 2 },
        servers: [server],
      },
      { ...scope('tools', 'server:git'), hasSwitches: true },
    );
    assert.match(
      words(open),
      /Tools 2 of 2 30 git \[On demand\] On demand 2 tools log blame loaded : 512 tokens in the conversation, where the model loaded it 2 tool names, definitions on demand 30/,
    );
  });

  it('have what was sent before and is still in the prompt apart, outside of the counts and without a switch', () => {
    const blocks = [rule('AGENTS.md', 'always', null), rule('Tides (picked for an earlier message)', null, null)];
    const open = groups({ blocks, totalTokens: 23 }, withSwitches);
    assert.match(
      words(open),
      /^Rules 1 of 9 10 .* Earlier context 1 10 Earlier requests sent this content, and the prompt still contains it\./,
    );
    assert.deepEqual(boxes(open), [['Send AGENTS.md', 'true']]);
  });

  it('are marked as estimates if the request is estimated', () => {
    const closed = { ...withSwitches, isOpen: () => false, basis: 'estimate' } as const;
    const one = { blocks: [SYSTEM], available: { rule: 0, reference: 0, skill: 0, tool: 0 }, totalTokens: 43 };
    assert.equal(words(groups(one, closed)), 'System ≈ 40 Rules 0 References 0 Skills 0 Tools 0 Files 0 Formatting ≈ 3');
  });

  it('have prices that add up to that of the input', () => {
    const prices = (of: RowsScope): unknown[] =>
      [...markup(groups({}, of)).matchAll(/row-price">(.*?)<\/span>/g)].map(([, price]) => price);
    const priced = {
      ...withSwitches,
      isOpen: (group: string) => group === 'rules',
      prices: (tokens: number) => columnPrice(tokens * 0.00003, false),
    };
    assert.deepEqual(prices(priced), ['$0.0012', '$0.0006', '$0.0003', '$0.0003', '$0.0003', '< $0.0001']);
    assert.deepEqual(prices(withSwitches), []);
  });

  it('add up to the size by a part of their own, and stay as they are', () => {
    const closed = { ...withSwitches, isOpen: () => false, prices: (tokens: number) => columnPrice(tokens * 0.0001, false) };
    const shown = (totalTokens: number): string =>
      words(groups({ blocks: [SYSTEM, ...files(1)], available: { rule: 0, reference: 0, skill: 0, tool: 0 }, totalTokens }, closed));
    const parts = 'System 40 $0.0040 Files 1 10 $0.0010 Rules 0 References 0 Skills 0 Tools 0 Formatting 3 $0.0003';
    assert.equal(shown(53), parts);
    assert.equal(shown(38), `${parts} Correction of Loupe’s count −15 −$0.0015`);
    assert.equal(shown(60), `${parts} Correction of Loupe’s count 7 $0.0007`);
  });

  it('offer what was not selected, with the reason, but not what its file has switched off', () => {
    const out = (name: string, notSelectedReason: string, score: number | null): NotSelectedView => ({
      ...{
        type: 'rule',
        name,
        file: `rule:${name}`,
        includeMode: 'agent',
        score,
        tokens: null,
        ofTokens: null,
        notSelectedReason,
        canBeAdded: notSelectedReason !== 'switched off',
      },
    });
    const first = [out('Release notes', 'score 0.22, below 0.30', 0.22), out('Old', 'switched off', null)];
    const group = notSelectedGroup({ total: 12, first }, withSwitches);
    assert.deepEqual(boxes(group), [['Send Release notes', 'false']]);
    assert.match(markup(group), /not selected: score 0\.22, below 0\.30.*10 more items/s);
    assert.doesNotMatch(markup(notSelectedGroup({ total: 12, first }, { ...withSwitches, isOpen: () => false })), /Release notes/);
    assert.equal(markup(notSelectedGroup({ total: 0, first: [] }, withSwitches)), '');
  });
});

describe('Forgotten tool calls', () => {
  const first = [
    { label: 'read_file', calls: 3, tokens: 1_200, reason: 'after 1 turn', bringsBack: null },
    { label: 'search_text, list', calls: 1, tokens: 40, reason: 'immediately', bringsBack: null },
  ];
  const forgotten = { calls: 4, tokens: 1_240, replies: 2, first };

  it('are a group of their own with all of their tokens, closed at first', () => {
    const closed = markup(forgottenGroup(forgotten, scope(), {}));
    assert.match(closed, /aria-label="Forgotten tool calls \(4\)"/);
    assert.match(closed, /aria-expanded=false.*1,240/s);
    assert.doesNotMatch(closed, /read_file/);
  });

  it('have a row for each reply, with its tools, the reason and the tokens', () => {
    const open = words(forgottenGroup(forgotten, scope('forgotten'), {}));
    assert.match(open, /read_file × 3 after 1 turn 1,200 search_text, list immediately 40$/);
  });

  it('say what it costs to include excluded content again', () => {
    const leftOut = { label: 'read_file', calls: 1, tokens: 40, reason: 'excluded by you', bringsBack: 'a' };
    const price = { state: 'out', tokens: 40, writtenAgain: 900, cost: 0.0123, saving: 0.0001, canWait: false } as const;
    const open = words(forgottenGroup({ ...forgotten, first: [leftOut] }, scope('forgotten'), { a: price }));
    assert.match(open, /read_file excluded by you Include again, ≈ \+\$0\.0123 read_file 40/);
    const one = { ...leftOut, label: 'read_file a.ts', callId: 'c' };
    const ofCall = { ...price, calls: { c: { ...price, cost: 0.004 } } };
    const row = words(forgottenGroup({ ...forgotten, first: [one] }, scope('forgotten'), { a: ofCall }));
    assert.match(row, /read_file a\.ts excluded by you Include again, ≈ \+\$0\.0040 read_file a\.ts 40/);
  });

  it('say how many rows there are beyond those on show', () => {
    assert.match(words(forgottenGroup({ ...forgotten, replies: 43 }, scope('forgotten'), {})), /41 more messages$/);
  });

  it('are no group where there are none', () => {
    assert.equal(markup(forgottenGroup(NOTHING_FORGOTTEN, scope('forgotten'), {})), '');
  });

  it('that are still sent stand with the earlier context', () => {
    const label = 'Excluded content, still sent';
    const carried: BlockView = { ...SYSTEM, label, category: 'conversation', server: null, isEarlier: true, cache: null };
    const request: GroupedRequest = {
      blocks: [carried],
      available: { rule: 0, reference: 0, skill: 0, tool: 0 },
      servers: [],
      changes: {},
      framingTokens: 0,
      totalTokens: 40,
    };
    const shown = markup(requestGroups(request, scope('earlier')));
    assert.match(shown, /aria-label=Earlier context \(1\)>.*Excluded content, still sent/s);
    assert.doesNotMatch(shown, /aria-label=Conversation/);
  });
});

describe('Context used', () => {
  const items = (blocks: readonly BlockView[]): ContextItemView[] =>
    blocks.map(({ label, file, tokens }) => ({
      name: label,
      file,
      includeMode: 'manual',
      score: null,
      tokens,
      ofTokens: null,
      notSelectedReason: null,
    }));

  function used(changes: Partial<ContextRows>, ...open: string[]): unknown {
    const rows: ContextRows = {
      groups: [],
      blocks: [SYSTEM],
      framingTokens: 3,
      picks: null,
      notSelected: { total: 0, first: [] },
      forgotten: NOTHING_FORGOTTEN,
      adaptations: [],
      warnings: [],
      window: WINDOW,
      uncached: null,
      ...changes,
    };
    const context = { summary: '', totalTokens: 9, basis: 'exact' } as const;
    return contextUsed({ context, rows, uses: null, isOpen: true, scope: scope(...open) });
  }

  it('says why the request read nothing from the cache', () => {
    assert.match(words(used({ uncached: 'The cache expired.' })), /The cache expired\./);
  });

  function shown(count: number, ...open: string[]): unknown {
    const blocks = files(count);
    return used({ groups: [{ type: 'file', items: items(blocks) }], blocks: [SYSTEM, ...blocks] }, ...open);
  }

  it('says that there is none where no request was recorded', () => {
    const options = { rows: null, uses: null, isOpen: true, scope: scope() };
    assert.equal(words(contextUsed({ context: null, ...options })), 'No context data: Loupe has no record of the request for this reply.');
  });

  it('names each file once', () => {
    assert.deepEqual(named(shown(3)), ['src/a0.ts', 'src/a1.ts', 'src/a2.ts']);
    assert.match(markup(shown(3)), /System prompt/);
  });

  it('counts the text around files and around web pages as a part of each, as Manage context does', () => {
    const around = (label: string, type: 'file' | 'page', tokens: number): BlockView => ({
      ...plainRow(label, 'files', 2, tokens),
      around: type,
    });
    const [one] = files(1);
    assert.ok(one !== undefined);
    const page = contextItem('https://a.example', 100, { file: 'page:https://a.example' });
    const groups: ContextGroup[] = [
      { type: 'file', items: items([one]) },
      { type: 'page', items: [page] },
    ];
    const frames = [around('Text around files', 'file', 35), around('Text around web pages', 'page', 40)];
    const blocks = [SYSTEM, one, { ...plainRow(page.name, 'files', 1, 100), file: page.file }, ...frames];
    const all = words(used({ groups, blocks }));
    const sum = (one.tokens + 35).toLocaleString('en-US');
    assert.match(all, new RegExp(`Files 1 ${sum} .*Text around files × 2 35 Web pages 1 140 .*Text around web pages × 2 40 .*Also sent`));
    assert.match(words(used({ groups: [], blocks: [SYSTEM, ...frames] })), /Also sent .*Text around files × 2/);
  });

  it('says of a file that was cut how much of it was sent, and warns above the rows', () => {
    const [one, two] = items(files(2));
    assert.ok(one !== undefined && two !== undefined);
    const cut = { ...one, tokens: 1_940, ofTokens: 6_120 };
    const out = { ...two, tokens: null, notSelectedReason: 'no room' };
    const warnings = ['Loupe cut src/a0.ts to fit: 1,940 of its 6,120 tokens remain.'];
    const all = markup(used({ groups: [{ type: 'file', items: [cut, out] }], warnings }));
    assert.match(all, /aria-label=Warnings>\s*<li>.*codicon-warning.*Loupe cut src\/a0\.ts to fit: 1,940 of its 6,120 tokens remain\./s);
    assert.match(all, /item-tokens">1,940 of 6,120</);
    assert.match(all, /not selected: no room/);
  });

  it('says how items were picked for the message, and warns where the endpoint for embeddings failed', () => {
    const said = (picks: PicksView | null): string => markup(used({ picks }));
    assert.match(
      said({ text: 'Loupe picked items only by words. Ollama is away.', hasFailed: true }),
      /codicon-warning.*Loupe picked items only by words. Ollama is away\./s,
    );
    assert.match(
      said({ text: 'Loupe picked items by words and meaning.', hasFailed: false }),
      /codicon-info.*Loupe picked items by words and meaning\./s,
    );
    assert.doesNotMatch(said(null), /picked items/);
  });

  it('opens the rows of many files on demand', () => {
    assert.deepEqual(named(shown(200)), []);
    assert.match(markup(shown(200)), /aria-label="Files \(200\)"/);
    assert.equal(named(shown(200, 'file')).length, 200);
  });
});

describe('The icon of a file', () => {
  it('tells its kind, by the end of its name', () => {
    assert.deepEqual(['README.md', 'src/a.ts', 'a/b.JSON', 'x.png', 'notes.txt:3-6', 'Makefile', 'a.b/c', '.env'].map(fileIcon), [
      'markdown',
      'file-code',
      'json',
      'file-media',
      'file-text',
      'file-code',
      'file-code',
      'settings-gear',
    ]);
  });
});
