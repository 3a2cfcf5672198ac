import assert from 'node:assert/strict';
import type { ChatView, NextRequestView, PanelState } from '../../../src/protocol/view.js';
import { nextRequest } from '../../../webview/chat/nextRequestSection.js';
import { EMPTY_PANEL } from '../../support/engine/panelStates.js';
import { markup } from '../../support/webview/markup.js';

const REQUEST: NextRequestView = {
  totalTokens: 1_280,
  basis: 'exact',
  providerCount: null,
  error: null,
  adaptations: [],
  warnings: [],
  newItems: [],
  unused: { keys: [], tokens: 0, replies: 20 },
  budget: 127_488,
  limit: 128_000,
  reservedTokens: 512,
  shares: [{ category: 'system', tokens: 1_280 }],
  inputCost: 0.0147,
  mayBeCached: false,
  reply: null,
  problem: null,
  isShortened: false,
  isOwnLimit: false,
  shortening: null,
  isRewritten: false,
  summary: { trigger: { unit: 'tokens', at: 152_000, left: 100_000, then: 'summarized' }, now: null },
};

const CHAT = { id: 'c', running: false } as ChatView;
const QUEUED = { kind: 'user', id: 'q', text: 'And then?', at: 1, status: 'queued', isPinned: false } as const;

function section(request: Partial<NextRequestView>, changes: Partial<PanelState>, chat: Partial<ChatView>): string {
  const state: PanelState = {
    ...EMPTY_PANEL,
    nextRequest: { ...REQUEST, ...request },
    nextRequestRows: { blocks: [], leftOut: { total: 0, first: [] }, remarks: [] },
    ...changes,
  };
  const nothingOpen = { isOpen: () => false, toggle: () => undefined };
  return markup(
    nextRequest(state, {
      chat: { ...CHAT, ...chat },
      isOpen: true,
      onToggle: () => undefined,
      onManage: () => undefined,
      onSettings: () => undefined,
      groups: nothingOpen,
    }),
  );
}

/** The figures beside the head. */
function figures(all: string): string {
  const [, line = ''] = /next-request-total"[^>]*>(.*?)<\/span>\s*<button/s.exec(all) ?? [];
  return line
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe('The line of the next request', () => {
  it('warns of files that have no room, below it, apart from what the model does not take', () => {
    const all = section({ warnings: ['large.ts was cut to fit: 1,057 of 9,007 tokens.'], adaptations: ['1 image not sent.'] }, {}, {});
    assert.match(all, /aria-label=No room>\s*<li>.*codicon-warning.*large\.ts was cut to fit: 1,057 of 9,007 tokens\./s);
    assert.match(all, /aria-label=Adapted to the model>\s*<li>.*codicon-info.*1 image not sent\./s);
    assert.doesNotMatch(section({}, {}, {}), /No room/);
  });

  it('says of what its price is, and that it is the most where the cache may serve a part', () => {
    assert.equal(figures(section({}, {}, {})), '1,280 tokens · $0.0147 in + reply');
    const cached = section({ mayBeCached: true, reply: { cost: 0.0065, isTypical: true } }, {}, {});
    assert.equal(figures(cached), '1,280 tokens · ≤ $0.0147 in + reply ≈ $0.006500');
    assert.match(
      cached,
      /when nothing is read from the cache, and less when some of it is\. A reply of this chat typically costs \$0\.006500\./,
    );
  });

  it('calls the cost of few replies that of the last one', () => {
    const few = section({ reply: { cost: 0.0065, isTypical: false } }, {}, {});
    assert.match(few, /The last reply of this chat cost \$0\.006500\./);
    assert.doesNotMatch(few, /typically/);
  });

  it('says that what follows a new summary is written to the cache again', () => {
    assert.match(section({ isRewritten: true }, {}, {}), /What follows the summary is written again, once\./);
    assert.doesNotMatch(section({}, {}, {}), /written again/);
  });

  it('says that the beginning of the chat is summarized first where it does not fit', () => {
    assert.match(section({ isShortened: true }, {}, {}), /It does not fit: sending summarizes the beginning of the chat first\./);
    assert.doesNotMatch(section({}, {}, {}), /It does not fit/);
  });

  it('offers to have a message shortened that alone makes it too long, for about so much, and not while that goes on', () => {
    const tooLong = { problem: 'Too long.', shortening: { cost: 0.1043 } };
    assert.match(section(tooLong, {}, {}), /Too long\..*Let the model shorten it \(≈ \$0\.1043\)/s);
    assert.match(section({ ...tooLong, shortening: { cost: null } }, {}, {}), /Let the model shorten it</);
    const running = { kind: 'running', messages: null, startedAt: 1, tokens: 5, mostTokens: 500, isAwaited: false } as const;
    assert.doesNotMatch(section(tooLong, { compaction: running }, {}), /Let the model/);
    assert.doesNotMatch(section({ ...tooLong, shortening: null }, {}, {}), /Let the model/);
  });

  it('says that the price is unknown where no prices are set', () => {
    const all = section({ inputCost: null }, {}, {});
    assert.equal(figures(all), '1,280 tokens · price unknown');
    assert.match(all, /class="hint">Price unknown: no prices are set for this model\./);
    assert.equal(figures(section({ inputCost: null, basis: 'atLeast' }, {}, {})), '≥ 1,280 tokens');
  });

  it('names what will be in the request and is not known yet, instead of a price', () => {
    assert.equal(figures(section({}, {}, { running: true })), '1,280 tokens + this reply');
    const waiting = section({}, { entries: [QUEUED] }, { running: true });
    assert.equal(figures(waiting), '1,280 tokens + this reply + 1 message');
    assert.match(waiting, /class="hint">A reply is being written, .* 1 message waits for it, and the next request will hold it, too\./);
    const chats = [{ id: 'c', title: '', preview: '', messageCount: 1, updatedAt: 1, running: true }];
    assert.equal(figures(section({}, { chats }, {})), '1,280 tokens + this reply');
  });

  it('keeps the total and what explains it out of what scrolls', () => {
    const all = section({}, {}, {});
    const [, scrolled = ''] = /class="next-request-parts"(.*?)<\/div>\s*<div class="block-total/s.exec(all) ?? [];
    assert.match(scrolled, /aria-label="Blocks"/);
    assert.doesNotMatch(scrolled, /class="hint"/);
  });
});
