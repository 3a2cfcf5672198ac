import assert from 'node:assert/strict';
import { html } from 'lit';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { nextRequest } from '../../../webview/chat/nextRequest/nextRequestSection.js';
import {
  EMPTY_PANEL,
  NOTHING_AVAILABLE,
  NOTHING_FORGOTTEN,
  NOTHING_REPEATED,
  SMALL_REQUEST,
  plainRow,
  userEntry,
} from '../../../webview/preview/views.js';
import { markup, words } from '../../support/webview/markup.js';
import { pressed } from '../../support/webview/pressed.js';
import { LISTED_CHAT } from '../../support/listedChat.js';

const REQUEST: NextRequestView = { ...SMALL_REQUEST, inputCost: 0.0147 };

const ROWS: NonNullable<PanelState['nextRequestRows']> = {
  summary: '2 rules (all always)',
  blocks: [],
  notSelected: { total: 0, first: [] },
  excludedTurns: { total: 0, first: [] },
  changes: {},
  forgotten: NOTHING_FORGOTTEN,
  repeats: NOTHING_REPEATED,
  available: NOTHING_AVAILABLE,
  servers: [],
  remarks: [],
};

const FORECAST = {
  parts: { read: 1_000, written: 200, fresh: 80 },
  rates: null,
  expiresAt: null,
  costAfter: null,
  longWriteCost: null,
  accuracy: { average: null, of: 0, isWhole: true },
  correction: 0,
  turn: { low: 0.0512, high: 0.308 },
};

const CHAT = { id: 'c', running: false } as ChatView;
const QUEUED = { ...userEntry('q', 'And then?'), status: 'queued' } as const;

function section(request: Partial<NextRequestView>, changes: Partial<PanelState>, chat: Partial<ChatView>): string {
  return sectionOf(request, changes, { chat, isOpen: true });
}

function sectionOf(...shown: Parameters<typeof templateOf>): string {
  return markup(templateOf(...shown));
}

function templateOf(
  request: Partial<NextRequestView>,
  changes: Partial<PanelState>,
  { chat, isOpen }: { readonly chat: Partial<ChatView>; readonly isOpen: boolean },
): unknown {
  const state: PanelState = { ...EMPTY_PANEL, nextRequest: { ...REQUEST, ...request }, nextRequestRows: ROWS, ...changes };
  const nothingOpen = { isOpen: () => false, toggle: () => undefined };
  return nextRequest(state, {
    chat: { ...CHAT, ...chat },
    isOpen,
    onToggle: () => undefined,
    onManage: () => undefined,
    onSettings: () => undefined,
    groups: nothingOpen,
    items: html``,
  });
}

function figures(all: string): string {
  const [, line = ''] = /next-request-total [^>]*>(.*?)<\/span>\s*<button/s.exec(all) ?? [];
  return line
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function foot(all: string): string {
  const [, after = ''] = words(all).split(/tokens (?:≈ )?\$0\.0147 /);
  return after.replace(/ ?Manage context( · Limit…)?$/, '');
}

describe('The line of the next request', () => {
  it('warns of files that have no room, below it, apart from what the model does not take', () => {
    const all = section(
      { warnings: ['Loupe cut large.ts to fit: 1,057 of its 9,007 tokens remain.'], adaptations: ['1 image not sent.'] },
      {},
      {},
    );
    assert.match(all, /aria-label=Warnings>\s*<li>.*codicon-warning.*Loupe cut large\.ts to fit: 1,057 of its 9,007 tokens remain\./s);
    assert.match(all, /aria-label=Changes for this model>\s*<li>.*codicon-info.*1 image not sent\./s);
    assert.doesNotMatch(section({}, {}, {}), /aria-label=Warnings/);
  });

  it('offers to set the size of the model where an assumed limit is why it cannot be sent', () => {
    const assumedLimit = { provider: 'house', model: 'large', label: 'Large' };
    assert.match(words(section({ problem: 'Too long.', assumedLimit }, {}, {})), /Too long\. Set its size/);
    assert.doesNotMatch(words(section({ problem: 'Too long.' }, {}, {})), /Set its size/);
    assert.doesNotMatch(words(section({ assumedLimit }, {}, {})), /Set its size/);
  });

  it('names rules that repeat others, and removes them from the chat or turns them off', () => {
    const rule = (name: string): NextRequestView['repeatedRules']['rules'][number] => ({
      ...{ key: `rule:${name}`, name, of: 'AGENTS.md', source: 'AGENTS.md', tokens: 2_030 },
    });
    const one = { repeatedRules: { sections: 1, rules: [rule('CLAUDE.md')], agent: null } };
    const shown = words(section(one, {}, {}));
    assert.match(
      shown,
      /1 repeated section of rules is sent once\. CLAUDE\.md repeats ≈.2,030 tokens of AGENTS\.md\. Compare · Remove from this chat · Turn off in all chats/,
    );
    const template = templateOf(one, {}, { chat: {}, isOpen: true });
    assert.deepEqual(pressed(template, 'Compare'), [{ type: 'compareItem', chatId: 'c', key: 'rule:CLAUDE.md', source: 'AGENTS.md' }]);
    const omit = { type: 'omitRepeats', chatId: 'c', keys: ['rule:CLAUDE.md'] };
    assert.deepEqual(pressed(template, 'Remove from this chat'), [{ ...omit, from: 'chat' }]);
    assert.deepEqual(pressed(template, 'Turn off in all chats'), [{ ...omit, from: 'all' }]);
    const several = (count: number): string =>
      words(section({ repeatedRules: { sections: 0, rules: ['a', 'b', 'c'].slice(0, count).map(rule), agent: 'Clerk' } }, {}, {}));
    assert.match(several(2), /a and b repeat ≈.4,060 tokens of other rules\. Remove from this chat · Turn off for Clerk/);
    assert.match(several(3), /a and 2 more repeat ≈.6,090 tokens/);
    assert.doesNotMatch(several(0), /repeat/);
  });

  it('says what the whole turn will cost where that is known, and only opened', () => {
    const view = (change: Partial<NextRequestView>, isOpen: boolean): string => words(sectionOf(change, {}, { chat: {}, isOpen }));
    assert.match(view({ forecast: FORECAST }, true), /With tool calls, messages like this cost \$0\.051 to \$0\.31\./);
    assert.doesNotMatch(view({ forecast: FORECAST }, false), /With tool calls/);
    assert.doesNotMatch(view({ forecast: { ...FORECAST, turn: null } }, true), /With tool calls/);
  });

  it('says that the price is a lower bound while tools of servers are unknown, with a way to start them', () => {
    const [git, log, db] = ['git', 'log', 'db'].map((name) => ({ name, isStarting: false }));
    assert.ok(git !== undefined && log !== undefined && db !== undefined);
    const one = section({ unknownServers: [git] }, {}, {});
    assert.equal(figures(one), '≥ 1,280 tokens · ≥ $0.0147 + reply');
    assert.match(words(one), /\+ tools of git, size unknown until the server starts with this message · Start now/);
    assert.match(words(section({ unknownServers: [git], newToolsCost: 0.34 }, {}, {})), /cache once: about \$0\.3400 more · Start/);
    assert.match(words(section({ unknownServers: [git, log] }, {}, {})), /of git and log, size unknown until the servers start with/);
    const three = section({ unknownServers: [git, log, db] }, {}, {});
    assert.match(words(three), /\+ tools of git and 2 more, size/);
    assert.match(three, /title=git, log, db/);
    assert.doesNotMatch(section({ unknownServers: [{ ...git, isStarting: true }] }, {}, {}), /Start now/);
    assert.doesNotMatch(section({}, {}, {}), /Start now|≥/);
    const starting = { ...git, isStarting: true };
    assert.deepEqual(
      pressed(templateOf({ unknownServers: [starting, log, db] }, {}, { chat: {}, isOpen: true }), 'Start now'),
      ['log', 'db'].map((server) => ({ type: 'restartServer', server })),
    );
  });

  it('names the servers that failed, also while it is closed, with what the user can do', () => {
    const failedServers = [
      { name: 'git\u202E', problem: 'The server stopped when it started, with code 1.', wantsSignIn: false },
      { name: 'tickets', problem: 'The server wants you to sign in.', wantsSignIn: true },
    ];
    const shown = templateOf({}, { failedServers }, { chat: {}, isOpen: false });
    assert.match(
      words(shown),
      /The MCP server "git U\+202E " failed\. The server stopped when it started, with code 1\. Its tools are not sent\. Show log Start again tickets: The server wants you to sign in\. Until then, its tools are not sent\. Sign in Show log/,
    );
    assert.deepEqual(pressed(shown, 'Start again'), [{ type: 'restartServer', server: 'git\u202E' }]);
    assert.deepEqual(pressed(shown, 'Sign in'), [{ type: 'signInServer', server: 'tickets' }]);
  });

  it('gives no bound where unknown tools add to the price and the cache may take from it', () => {
    const cached = section({ unknownServers: [{ name: 'git', isStarting: false }], mayBeCached: true }, {}, {});
    assert.equal(figures(cached), '≥ 1,280 tokens · ≈ $0.0147 + reply');
  });

  it('shows an unusual price with a sign and its reasons, opened and closed, beside the way to a limit', () => {
    const unusual = '47 times the median of this chat ($0.0098). The cache expired, and app\u202E.log has 24,000 tokens.';
    for (const isOpen of [true, false]) {
      const shown = sectionOf({ unusual }, {}, { chat: {}, isOpen });
      assert.match(shown, /class="figures next-request-total unusual"/);
      assert.match(shown, /codicon-warning[^>]*><\/i> \$0\.0147/);
      assert.match(
        shown,
        /title=Input [^>]*47 times the median of this chat \(\$0\.0098\)\. The cache expired, and app\[U\+202E\]\.log has/s,
      );
      assert.match(
        words(shown),
        /47 times the median of this chat \(\$0\.0098\)\. The cache expired, and app U\+202E \.log has 24,000 tokens\./,
      );
      assert.equal(shown.match(/Limit…/g)?.length, 2, 'in the line, and in a narrow panel after the reasons');
    }
    assert.doesNotMatch(
      section({ unusual }, {}, { running: true }),
      /47 times|codicon-warning/,
      'the price of the next request is not known then',
    );
    const usual = section({}, {}, {});
    assert.doesNotMatch(usual, /unusual|codicon-warning|times/);
    assert.match(words(usual), /Manage context · Limit…/);
    assert.doesNotMatch(section({ inputCost: null }, {}, {}), /Limit…/);
  });

  it('says what the longer lifetime of the cache costs, opened and in the tooltip', () => {
    const view = (longWriteCost: number | null, isOpen: boolean): string => {
      const forecast = { ...FORECAST, longWriteCost, turn: null };
      return sectionOf({ forecast }, {}, { chat: {}, isOpen });
    };
    assert.match(words(view(0.0051, true)), /written for 1 h, \$0\.0051 more than for 5 min/);
    assert.match(view(0.0051, false), /title=[^>]*Written for 1 h, \$0\.0051 more than for 5 min/s);
    assert.match(words(view(0.0051, false)), /written for 1 h/);
    for (const [cost, isOpen] of [0, null].flatMap((each) => [[each, true] as const, [each, false] as const])) {
      assert.doesNotMatch(view(cost, isOpen), /for 1 h/);
    }
  });

  it('tells quietly what the cache did where one looks for it, and at once when that has changed', () => {
    const quiet = {
      text: '1 of 41 breakpoints expired too early, after 3 min 10 s, although 5 min was requested.',
      isAlarm: false,
      isOfPrices: false,
      proofs: [],
    };
    const view = (observation: NextRequestView['observation'], isOpen: boolean): string =>
      sectionOf({ observation }, {}, { chat: {}, isOpen });
    assert.match(words(view(quiet, true)), /1 of 41 breakpoints expired too early, after 3 min 10 s, although 5 min was requested\./);
    assert.doesNotMatch(view(quiet, false), /Caches of/);
    const text = '7 of 12 breakpoints expired too early, the last one after 14 min, although 1 h was requested: $3.10 more today.';
    const alarmed = { text, isAlarm: true, isOfPrices: false, proofs: [{ chatId: 'c', attemptId: 'a' }] };
    const alarm = view(alarmed, false);
    assert.match(alarm, /codicon-warning/);
    assert.ok(words(alarm).includes(`${text} Show the request`));
    assert.doesNotMatch(words(alarm), /Change prices/);
    assert.ok(words(view({ ...alarmed, isOfPrices: true }, false)).includes(`${text} Show the request · Change prices`));
  });

  it('has the price with a typical reply, and says that it is the most where the cache may serve a part', () => {
    const reply = { low: 0.00042, median: 0.0031, high: 0.0043, replies: 8 };
    const first = section({}, {}, {});
    assert.equal(figures(first), '1,280 tokens · $0.0147 + reply');
    // A narrow line hides the word and keeps the sign.
    assert.match(first, /\$0\.0147 \+<span class="next-word"> reply</);
    const all = section({ reply, titleCost: 0.0018 }, {}, {});
    assert.equal(figures(all), '1,280 tokens · ≈ $0.018 with reply');
    assert.match(all, /title=Input \$0\.0147\n\+ reply, typically \$0\.0004 to \$0\.0043\nThe title of the chat costs ≈ \$0\.0018 more\.>/);
    assert.match(all, /reply-price figures">\+ reply, typically \$0\.0004 to \$0\.0043</);
    const cached = section({ reply, forecast: null, mayBeCached: true }, {}, {});
    assert.equal(figures(cached), '1,280 tokens · ≤ $0.018 with reply');
    assert.match(cached, /class="hint">These prices do not include the cache discount\./);
  });

  it('says, opened, what the input costs now and after the cache expires', () => {
    const parts = { read: 1_000, written: 200, fresh: 80 };
    const accuracy = { average: null, of: 0, isWhole: true };
    const known = { parts, rates: null, longWriteCost: null, turn: null, accuracy, correction: 0 };
    const all = section({ forecast: { ...known, expiresAt: 300_000, costAfter: 0.0207 } }, {}, {});
    assert.match(words(all), /input \$0\.0147 , later \$0\.0207/);
  });

  it('marks each figure of estimated tokens: of the input, its parts and its total', () => {
    const rates = { read: 0.000003, written: 0.00001, fresh: 0.00001 };
    const forecast = { ...FORECAST, rates, expiresAt: 300_000, costAfter: 0.0207, longWriteCost: 0.0051 };
    const blocks = [plainRow('System prompt', 'system', 1, 400)];
    const all = section({ basis: 'estimate', forecast }, { nextRequestRows: { ...ROWS, blocks } }, {});
    assert.match(all, /title=Input ≈ \$0\.0147\n.*Written for 1 h, ≈ \$0\.0051 more than for 5 min/s);
    assert.match(
      words(all),
      /· ≈ \$0\.0147 \+ reply .* for 1 h, ≈ \$0\.0051 more .* input ≈ \$0\.0147 , later ≈ \$0\.0207 .*System ≈ 400 ≈ \$0\.0046 .*≈ 1,280 tokens ≈ \$0\.0147/,
    );
  });

  it('says of prices that nobody bills that they are none', () => {
    const all = section({ isPretended: true }, {}, {});
    assert.match(figures(all), /^1,280 tokens · would cost \$0\.0147/);
    assert.match(all, /Free practice model\. Prices are examples\./);
  });

  it('says, opened, how good earlier forecasts were and what they have taught', () => {
    const parts = { read: 1_000, written: 200, fresh: 80 };
    const known = { parts, rates: null, expiresAt: null, costAfter: null, longWriteCost: null, turn: null };
    const accuracy = { average: 0.068, of: 43, isWhole: true };
    const all = section({ forecast: { ...known, accuracy, correction: 0.042 } }, {}, {});
    assert.match(all, /Forecasts in this chat were off by 6\.8% on average\. Loupe now adds 4\.2%, as the provider counts more\./);
    const end = section({ forecast: { ...known, accuracy: { ...accuracy, isWhole: false }, correction: 0 } }, {}, {});
    assert.match(end, /The latest 43 forecasts in this chat were off by 6\.8% on average\.</);
    const fewer = section({ forecast: { ...known, accuracy, correction: -0.2 } }, {}, {});
    assert.match(fewer, /Loupe now subtracts 20%, as the provider counts fewer tokens\./);
    const few = section({ forecast: { ...known, accuracy: { ...accuracy, of: 3 }, correction: 0.001 } }, {}, {});
    assert.doesNotMatch(few, /forecasts|Loupe now/i);
  });

  it('says in one line how sure the size is, and what is known of the price', () => {
    const line = (request: Partial<NextRequestView>): string => foot(section({ ...request, basis: 'estimate' }, {}, {}));
    assert.equal(line({}), 'Estimate.');
    assert.equal(line({ error: 0.004 }), 'Estimate, usually within 1%.');
    assert.equal(
      line({ error: 0.034, forecast: null, mayBeCached: true }),
      'Estimate, usually within 3%. These prices do not include the cache discount.',
    );
  });

  it('says who gets the draft for a count, and turns that on and off', () => {
    const providerCount = { label: 'House AI', isOn: false, switchable: 'house' };
    const line = (request: Partial<NextRequestView>): string => foot(section(request, {}, {}));
    assert.equal(
      line({ providerCount, basis: 'estimate' }),
      'Estimate. House AI can count the tokens exactly, but then gets your draft as you type. Count exactly',
    );
    const on = { ...providerCount, isOn: true };
    assert.equal(line({ providerCount: on, basis: 'providerCount' }), 'Counted by House AI, which gets your draft as you type. Turn off');
    assert.equal(
      line({ providerCount: on, basis: 'estimate' }),
      'Estimate. House AI counts the tokens, and gets your draft as you type. Turn off',
    );
    assert.equal(
      line({ providerCount: { ...on, switchable: null }, basis: 'providerCount' }),
      'Counted by House AI, which gets your draft as you type.',
    );
    assert.equal(line({}), '');
  });

  it('says what a new summary writes to the cache again', () => {
    for (const [rewritten, what] of [
      ['afterSummary', 'the text after the summary goes'],
      ['beginning', 'the beginning of the request and the text after the summary go'],
      ['whole', 'the whole request goes'],
    ] as const) {
      const said = words(section({ rewritten }, {}, {}));
      assert.ok(said.includes(`The next message costs more, once: ${what} into the cache again.`), said);
    }
    assert.doesNotMatch(section({}, {}, {}), /into the cache again/);
  });

  it('names what is in new chats and not in this one: one by its name, more by their kinds', () => {
    const said = (...keys: string[]): string =>
      words(section({ newItems: keys.map((key) => ({ key, name: key.slice(key.indexOf(':') + 1) })) }, {}, {}));
    assert.match(said('rule:Tides'), /Tides was added after this chat began\./);
    assert.match(said('rule:a', 'rule:b'), /\b2 rules were added after this chat began\./);
    assert.match(said('skill:a', 'rule:b', 'rule:c', 'reference:d'), /\b4 rules, references and skills were added after this chat began\./);
  });

  it('says that the beginning of the chat is summarized first where it does not fit', () => {
    assert.match(
      section({ isShortened: true }, {}, {}),
      /The request does not fit\. When you send, Loupe first summarizes the beginning of the chat\./,
    );
    assert.doesNotMatch(section({}, {}, {}), /It does not fit/);
  });

  it('offers to have a message shortened that alone makes it too long, for about so much, and not while that goes on', () => {
    const tooLong = { problem: 'Too long.', shortening: { cost: 0.1043 } };
    assert.match(section(tooLong, {}, {}), /Too long\..*Shorten message \(≈ \$0\.1043\)/s);
    assert.match(section({ ...tooLong, shortening: { cost: null } }, {}, {}), /Shorten message</);
    const running = { kind: 'running', messages: null, startedAt: 1, tokens: 5, mostTokens: 500, isAwaited: false } as const;
    assert.doesNotMatch(section(tooLong, { compaction: running }, {}), /Shorten message/);
    assert.doesNotMatch(section({ ...tooLong, shortening: null }, {}, {}), /Shorten message/);
  });

  it('says that the price is unknown where no prices are set', () => {
    const all = section({ inputCost: null }, {}, {});
    assert.equal(figures(all), '1,280 tokens · price unknown');
    assert.match(words(all), /Price unknown: this model has no prices\. Add prices/);
    assert.deepEqual(pressed(templateOf({ inputCost: null }, {}, { chat: {}, isOpen: true }), 'Add prices'), [{ type: 'showPrices' }]);
    assert.equal(figures(section({ inputCost: null, basis: 'atLeast' }, {}, {})), '≥ 1,280 tokens');
  });

  it('names what will be in the request and is not known yet, instead of a price', () => {
    assert.equal(figures(section({}, {}, { running: true })), '1,280 tokens + this reply');
    const waiting = section({}, { entries: [QUEUED] }, { running: true });
    assert.equal(figures(waiting), '1,280 tokens + this reply + 1 message');
    assert.match(waiting, /class="hint">The model is writing a reply, .* 1 message waits for it\. The next request will contain it too\./);
    const chats = [{ ...LISTED_CHAT, id: 'c', messageCount: 1, updatedAt: 1, running: true }];
    assert.equal(figures(section({}, { chats }, {})), '1,280 tokens + this reply');
  });

  it('says what Restricted Mode switches off and why: opened, and in a chat where nothing was said', () => {
    const said = (changes: Partial<PanelState>, isOpen: boolean): boolean =>
      sectionOf({ isRestricted: true }, { hasFolder: true, ...changes }, { chat: {}, isOpen }).includes(
        'In Restricted Mode, Loupe uses no tools, and no rules',
      );
    assert.deepEqual([said({}, false), said({ entries: [QUEUED] }, true), said({ entries: [QUEUED] }, false)], [true, true, false]);
    assert.equal(said({ hasFolder: false }, true), false);
    assert.doesNotMatch(section({}, { hasFolder: true }, {}), /Restricted/);
  });

  it('says which files of the folder cannot be read as they are meant, and opens them there', () => {
    const remark = { text: 'a.md cannot be read: line 4.', path: 'a.md', line: 4 };
    const rows = (line: number | null): string => section({}, { nextRequestRows: { ...ROWS, remarks: [{ ...remark, line }] } }, {});
    assert.match(words(rows(4)), /a\.md cannot be read: line 4\. Open line 4/);
    assert.match(words(rows(null)), /a\.md cannot be read: line 4\. Open file/);
  });

  it('keeps the total and what explains it out of what scrolls', () => {
    const all = section({}, {}, {});
    const [, scrolled = ''] = /class="next-request-parts"(.*?)<\/div>\s*<div class="block-total/s.exec(all) ?? [];
    assert.match(scrolled, /class="request-groups"/);
    assert.match(words(all), /2 rules \(all always\) Rules 0/, 'the summary comes first');
    assert.doesNotMatch(scrolled, /class="hint"/);
  });
});
