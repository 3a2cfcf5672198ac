import assert from 'node:assert/strict';
import type { NotSelectedView, BlockView, RequestServer } from '../../../src/protocol/panel/requestRows.js';
import type { RowsScope } from '../../../webview/chat/rows/blockRows.js';
import { serverRows } from '../../../webview/chat/request/requestServers.js';
import { columnPrice } from '../../../webview/shared/numbers.js';
import { markup, words } from '../../support/webview/markup.js';

const tool = (name: string, changes: Partial<BlockView>): BlockView => ({
  ...{ label: `files/${name}`, file: `tool:files/${name}`, server: 'files', category: 'tools', count: 1, tokens: 200 },
  ...{ includeMode: 'always', score: null, isEarlier: false, cache: null, around: null },
  ...changes,
});

const SERVER: RequestServer = {
  name: 'files',
  total: 2,
  notSelected: { total: 0, first: [] },
  replies: 17,
  calls: [{ name: 'read', ago: 3 }],
};

const scope = (isOpen: boolean): RowsScope => ({
  ...{ chatId: 'c', hasSwitches: true, basis: 'exact' as const, prices: (tokens: number) => columnPrice(tokens * 0.000003, false) },
  isOpen: () => isOpen,
  toggle: () => undefined,
});

describe('The servers of tools in the next request', () => {
  const rows = (server: Partial<RequestServer>, isOpen: boolean): unknown =>
    serverRows([tool('read', {}), tool('write', {})], [{ ...SERVER, ...server }], scope(isOpen));

  it('have a row each, with the tokens and the price of their tools, and say when one was last called', () => {
    assert.equal(words(rows({}, false)), 'files [Always]. Last called 3 replies ago. Always 2 tools 400 $0.0012');
    assert.match(markup(rows({}, false)), /class="request-row server" title=Last called 3 replies ago\./);
    assert.match(markup(rows({ calls: [] }, false)), /title=Not called in 17 replies\./);
    assert.match(markup(rows({ calls: [], replies: 0 }, false)), /class="request-row server" title=>/);
  });

  it('are opened to a row for each tool, which says the same of it, and what is left out with the reason', () => {
    const leftOut: NotSelectedView = {
      ...{ type: 'tool', name: 'move', file: 'tool:files/move', includeMode: 'always', score: null, tokens: null, ofTokens: null },
      ...{ notSelectedReason: 'excluded from this chat', canBeAdded: true },
    };
    const open = rows({ total: 3, notSelected: { total: 1, first: [leftOut] } }, true);
    assert.match(words(open), /2 of 3 tools 400 \$0\.0012 read 200 \$0\.0006 write 200 \$0\.0006 .*move/);
    assert.match(markup(open), /aria-label="read\. Last called 3 replies ago\."/);
    assert.match(markup(open), /aria-label="write\. Not called in 17 replies\."/);
    assert.match(markup(open), /title=Add all tools of this server to the chat/);
  });
});
