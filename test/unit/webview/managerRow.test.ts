import assert from 'node:assert/strict';
import type { ListedType, ManagerRow } from '../../../src/protocol/panel/manager.js';
import { lastUseInWords, managerRow, type ManagerRowScope } from '../../../webview/chat/manager/managerRow.js';
import { markup, words } from '../../support/webview/markup.js';

const ROW: ManagerRow = {
  key: 'rule:Tides',
  name: 'Tides',
  source: '.loupe/rules/tides.md',
  state: 'out',
  off: null,
  includeMode: 'agent',
  isForFiles: false,
  score: 0.873,
  tokens: 1_160,
  note: null,
  place: null,
  lastUse: null,
  isUnused: false,
};

const CLOSED = { key: null, view: null, toggle: () => undefined };

function row(changes: Partial<ManagerRow>, type: ListedType, scope: Partial<ManagerRowScope>): unknown {
  return managerRow(
    { ...ROW, ...changes },
    {
      type,
      chatId: 'c',
      agent: null,
      canChange: false,
      isLocked: false,
      requests: 0,
      proof: CLOSED,
      costPerToken: null,
      openMenu: () => undefined,
      blur: () => undefined,
      ...scope,
    },
  );
}

describe('A row of the pane with the context of a chat', () => {
  it('has the name, where it lies, how it comes into chats and its tokens', () => {
    assert.equal(words(row({}, 'rule', {})), 'Tides .loupe/rules/tides.md Agent 0.87 1,160');
    assert.match(markup(row({}, 'rule', {})), /aria-label="Tides \[Agent - 0\.87\]"/);
    assert.match(words(row({}, 'rule', { agent: 'Reviewer', canChange: true })), /\.md 0\.87 now Always Manual Agent Off 1,160$/);
  });

  it('has a choice of modes without an agent, too, which says where it is saved, and none where it cannot be saved', () => {
    assert.match(
      markup(row({}, 'rule', { canChange: true })),
      /<select[^>]*Loupe saves this mode for all chats \(setting loupe\.includeModes\)\./s,
    );
    assert.doesNotMatch(markup(row({}, 'rule', {})), /<select/);
  });

  it('says By file instead of Agent for a rule with patterns', () => {
    const forFiles = { isForFiles: true, score: null };
    assert.equal(words(row(forFiles, 'rule', {})), 'Tides .loupe/rules/tides.md By file 1,160');
    assert.match(markup(row(forFiles, 'rule', {})), /aria-label="Tides \[By file\]"/);
    assert.match(words(row(forFiles, 'rule', { canChange: true })), /\.md Always Manual By file Off 1,160$/);
  });

  it('has the price of its tokens in its tooltip, if it is known', () => {
    const priced = (state: ManagerRow['state']): string => markup(row({ state }, 'page', { costPerToken: 0.000_003 }));
    assert.match(priced('in'), /title=Costs about \$0\.0035 per request/);
    assert.match(priced('picked'), /title=Costs about \$0\.0035 per request/);
    assert.match(
      markup(row({ tokens: 9, state: 'in' }, 'page', { costPerToken: 0.000_003 })),
      /title=Costs less than \$0\.0001 per request/,
    );
    assert.match(priced('out'), /title=Would add 1,160 tokens, about \$0\.0035 per request.*would add .*1,160.* tokens, about \$0\.0035/s);
    assert.doesNotMatch(priced('in'), /would add/i);
    assert.doesNotMatch(markup(row({}, 'page', {})), /per request/);
    assert.doesNotMatch(markup(row({ tokens: null }, 'page', { costPerToken: 0.000_003 })), /per request/);
  });

  it('has the folder of a file behind its name, and is called by all of its path', () => {
    const file = row({ key: 'file:src/deep/a.ts', name: 'src/deep/a.ts', source: null, includeMode: null, score: null }, 'file', {});
    assert.equal(words(file), 'a.ts src/deep 1,160');
    assert.match(markup(file), /<button[^>]*title=src\/deep\/a\.ts[^>]*aria-label="src\/deep\/a\.ts"/s);
  });

  it('has the title of a web page, its address, age and size, and fetches it again', () => {
    const page = { address: 'https://tides.example/a', fetchedAt: Date.now() - 3 * 3_600_000, bytes: 34_000 };
    const changes = {
      key: 'page:https://tides.example/a',
      name: 'High/low water',
      source: page.address,
      includeMode: null,
      score: null,
      page,
    };
    assert.equal(words(row(changes, 'page', {})), 'High/low water https://tides.example/a 3 h, 33 KB 1,160');
    assert.match(markup(row(changes, 'page', {})), /aria-label="?Refresh"?/);
  });

  it('says what is wrong, opens the line, and offers to remove what nobody names', () => {
    const broken = row({ note: 'Line 4 cannot be read.', place: { path: 'a.md', line: 4 }, isUnused: true }, 'rule', {});
    assert.match(words(broken), /Line 4 cannot be read\. Open line 4 The last 20 replies did not use this item\. Remove it$/);
  });

  it('says which of the latest requests was the last to hold it', () => {
    assert.match(markup(row({ lastUse: 3 }, 'rule', { requests: 4 })), /class="manager-line" title=Last sent 3 requests ago\./);
    assert.deepEqual(
      [0, 1, null].map((lastUse) => lastUseInWords({ lastUse }, 4)),
      ['In the last request.', 'Last sent 1 request ago.', 'Not in any of the last 4 requests.'],
    );
    assert.equal(lastUseInWords({ lastUse: null }, 0), '', 'nothing was sent yet');
  });
});
