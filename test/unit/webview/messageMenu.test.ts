import assert from 'node:assert/strict';
import { onOpenSummary } from '../../../webview/chat/rows/opening.js';
import type { AssistantEntry } from '../../../src/protocol/panel/entries.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ShownTurn } from '../../../webview/chat/conversation/shownTurns.js';
import { assistantEntry as assistant } from '../../../webview/chat/entries/assistantEntry.js';
import { stepEntry } from '../../../webview/chat/entries/stepEntry.js';
import { turnFoot } from '../../../webview/chat/entries/turnLine.js';
import { menuItems, messageMenu, pinned } from '../../../webview/chat/entries/messageMenu.js';
import type { MenuItem } from '../../../webview/shared/controls/menu.js';
import { toolCall } from '../../../webview/preview/states/toolCalls.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { userEntry as user } from '../../../webview/chat/entries/userEntry.js';
import { receive } from '../../../webview/shared/events.js';
import { replied, said } from '../../../webview/preview/states/parts.js';
import { entryScope } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

function scope(changes: Partial<EntryScope>): EntryScope {
  return { ...entryScope(), ...changes };
}

describe('The menu of a message', () => {
  function chosen(isPinned: boolean): readonly (readonly [string, ToHost | undefined])[] {
    const from = new EventTarget();
    const posted: ToHost[] = [];
    receive(
      from,
      (message) => void posted.push(message),
      () => undefined,
    );
    onOpenSummary(
      from,
      () => ({ chat: { id: 'c' } }),
      (message) => void posted.push(message),
    );
    return menuItems(
      { id: 'm', isPinned, isTurnExcluded: false, canFork: false },
      scope({ from, userMessageId: 'm', turnExclusion: null }),
    ).map(({ label, onChoose }) => {
      onChoose();
      return [label, posted.at(-1)];
    });
  }

  it('pins it or takes the pin away, and summarizes up to it', () => {
    const summarize = ['Summarize up to here', { type: 'planSummary', chatId: 'c', upTo: 'm' }];
    assert.deepEqual(chosen(false), [['Pin', { type: 'pin', chatId: 'c', messageId: 'm' }], summarize]);
    assert.deepEqual(chosen(true), [['Unpin', { type: 'unpin', chatId: 'c', messageId: 'm' }], summarize]);
  });

  it('only forks a reply while the chat is locked, and is off for a reply that is no message', () => {
    const entry = { id: 'm', isPinned: false, isTurnExcluded: false, canFork: true };
    const labels = (isLocked: boolean): string[] => menuItems(entry, scope({ isLocked, turnExclusion: null })).map(({ label }) => label);
    assert.deepEqual(labels(false), ['Pin', 'Summarize up to here', 'Fork']);
    assert.deepEqual(labels(true), ['Fork']);
    assert.match(markup(messageMenu(menuItems(entry, scope({})))), /isDisabled=false/);
    assert.match(markup(messageMenu(menuItems({ ...entry, canFork: false }, scope({ isLocked: true })))), /isDisabled=true/);
    assert.match(markup(assistant(replied('a', [], { status: 'interrupted' }), scope({}))), /isDisabled=true/);
    assert.match(markup(assistant(replied('a', [], {}), scope({}))), /isDisabled=false/);
  });

  it('is there for a message that was sent, and for no other of the user', () => {
    assert.match(markup(user(said('u', 'Why?', {}), scope({}))), /<loupe-menu/);
    for (const status of ['unsent', 'queued'] as const) {
      assert.doesNotMatch(markup(user(said('u', 'Why?', { status }), scope({}))), /<loupe-menu/);
    }
  });
});

function turnWith(...entries: AssistantEntry[]): ShownTurn {
  const none = { filesRead: 0, filesEdited: 0, filesUndone: 0, commands: 0, servers: [], failed: 0, refused: 0, stopped: 0 };
  const steps = { ...none, id: 'u', steps: entries.length, cost: null, isAtLeast: false, isPretended: false, inherited: false };
  return { steps, entries, reply: null, now: null, asking: null, isOpen: true };
}

/** The markup of a step in an open turn with another step. */
function step(entry: AssistantEntry, changes: Partial<EntryScope>): string {
  const turn = turnWith(entry, replied('other', [toolCall('c9', 'read_file', '{}', {})], {}));
  return markup(stepEntry(entry, turn, scope({ turn, ...changes })));
}

describe('Excluded content', () => {
  const PRICED = { state: 'sent', tokens: 4_210, writtenAgain: 18_204, cost: 0.0628, saving: 0.00126, canWait: false } as const;

  function posted(run: (from: EventTarget) => void): ToHost | undefined {
    const from = new EventTarget();
    const all: ToHost[] = [];
    receive(
      from,
      (message) => void all.push(message),
      () => undefined,
    );
    run(from);
    return all.at(-1);
  }

  const item = (isTurnExcluded: boolean, changes: Partial<EntryScope>): MenuItem | undefined =>
    menuItems({ id: 'a', isPinned: false, isTurnExcluded, canFork: false }, scope(changes)).find(({ label }) =>
      /Exclude|Include again/.test(label),
    );

  it('is chosen in the menu, with what it costs once and saves later', () => {
    const leave = item(false, { turnExclusion: PRICED });
    assert.deepEqual([leave?.label, leave?.note], ['Exclude from requests', '+$0.0628']);
    assert.equal(
      leave?.detail,
      'Excludes your message with its replies and tool calls: +$0.0628 once (18,204 tokens written to the cache again), then $0.0013 less each request',
    );
    assert.deepEqual(
      posted((from) => item(false, { from, turnExclusion: PRICED })?.onChoose()),
      { type: 'exclude', chatId: 'c', messageId: 'u', call: null, leaves: 'later' },
    );
    assert.equal(item(false, { turnExclusion: { ...PRICED, canWait: true } })?.note, 'later, free');
    assert.equal(item(false, { turnExclusion: { ...PRICED, writtenAgain: 0, cost: 0 } })?.note, null);
    assert.equal(item(false, { turnExclusion: null }), undefined);
  });

  it('is included again by the menu, and by the line that says so', () => {
    const message = posted((from) => item(true, { from })?.onChoose());
    assert.deepEqual(message, { type: 'include', chatId: 'c', messageId: 'u', call: null });
    const gone = markup(user(said('u', 'Why?', { isExcluded: true }), scope({})));
    assert.match(gone, /is-left-out.*Excluded by you<.*Include again/s);
    assert.doesNotMatch(gone, /still sent|Now/);
  });

  it('is included again for a price once requests lack it, and for nothing before', () => {
    const out = { ...PRICED, state: 'out', cost: 0.0786 } as const;
    assert.equal(item(true, { turnExclusion: out })?.note, '≈ +$0.0786');
    assert.match(
      item(true, { turnExclusion: out })?.detail ?? '',
      /≈ \+\$0\.0786 once \(22,414 tokens written to the cache\), then \$0\.0013 more each request$/,
    );
    assert.equal(item(true, { turnExclusion: { ...PRICED, state: 'leaving' } })?.note, null);
    const line = (exclusion: typeof out | null): string => markup(user(said('u', 'Why?', { isExcluded: true }), scope({ exclusion })));
    assert.match(line(out), /Include again, ≈ \+\$0\.0786/);
    assert.doesNotMatch(line(null), /Include again,/);
  });

  it('says what it costs not to wait, while it is sent still', () => {
    const waits = markup(
      user(said('u', 'Why?', { isExcluded: true }), scope({ exclusion: { ...PRICED, canWait: true, state: 'leaving' } })),
    );
    assert.match(waits, /Excluded by you, still sent for now/);
    assert.match(waits, /title="?Exclude now: \+\$0\.0628 once \(18,204 tokens written to the cache again\).*Exclude now, \+\$0\.0628/s);
    assert.doesNotMatch(markup(user(said('u', 'Why?', { isExcluded: true }), scope({ isLocked: true }))), /Include again/);
    const before = markup(user(said('u', 'Why?', { isExcluded: true }), scope({ exclusion: PRICED })));
    assert.doesNotMatch(before, /still sent/, 'the next request is not known yet');
  });

  it('may be the calls of a reply: offered where they are open', () => {
    const entry = replied('a', [toolCall('c1', 'read_file', '{}', {})], {});
    const open = { isOpen: (part: string) => part === 'tools-0-0', exclusion: { ...PRICED, calls: {} } };
    assert.match(step(entry, open), /Exclude from requests/);
    assert.doesNotMatch(step(entry, { exclusion: { ...PRICED, calls: {} } }), /Exclude from requests/);
    assert.match(step({ ...entry, excluded: 'calls' }, {}), /calls-left-out.*Excluded by you.*Include again/s);
    assert.match(step({ ...entry, excluded: 'turn' }, {}), /assistant step-entry[^>]*is-left-out/);
  });

  it('may be the calls of all steps: offered below the rows, and included again there', () => {
    const entry = replied('a', [toolCall('c1', 'read_file', '{}', {})], {});
    const foot = (excluded: AssistantEntry['excluded'], changes: Partial<EntryScope>): string =>
      words(turnFoot(turnWith({ ...entry, excluded }), scope(changes)));
    const free = { ...PRICED, canWait: true, calls: {} };
    assert.equal(foot(null, { exclusion: free }), 'Stop sending these results');
    assert.equal(foot(null, { exclusion: { ...PRICED, calls: {} } }), 'Stop sending these results (+$0.0628)');
    assert.equal(foot(null, { exclusion: null }), '');
    assert.equal(foot('calls', {}), 'Results not sent Send these results again');
    assert.equal(foot('turn', {}), '');
    assert.equal(foot('calls', { isLocked: true }), '');
  });

  it('may be one of several calls: each is offered where its row is open, and included again by its own line', () => {
    const [first, second] = ['c1', 'c2'].map((id) => toolCall(id, `read_${id}`, '{}', {}));
    const entry = replied('a', [first!, second!], {});
    const exclusion = { ...PRICED, calls: { c1: { ...PRICED, cost: 0.01 }, c2: { ...PRICED, state: 'out', cost: 0.02 } as const } };
    const shown = (excluded: AssistantEntry['excluded'], ...parts: readonly string[]): string =>
      step({ ...entry, excluded }, { exclusion, isOpen: (part: string) => parts.includes(part) });
    const offered = shown(null, 'tools-0-0');
    assert.match(offered, /Exclude from requests<span class="sr-only"> read_c1<\/span>.*\+\$0\.0100/s);
    assert.doesNotMatch(offered, /Exclude from requests<span class="sr-only"> read_c2/);
    const gone = shown({ callIds: ['c2'] }, 'tools-0-0');
    assert.match(gone, /call-left-out.*Excluded by you.*Include again, ≈ \+\$0\.0200<span class="sr-only"> read_c2/s);
    assert.equal(gone.match(/call-left-out/g)?.length, 1);
    assert.match(gone, /Excludes all calls of this message.*Exclude all calls/s);
    assert.equal(shown('calls', 'tools-0-1').match(/Include again/g)?.length, 4, 'the open row, and all, each with its tooltip');
    assert.doesNotMatch(shown('turn', 'tools-0-0'), /Exclude from requests<span/);
  });
});

describe('A pinned message', () => {
  it('shows the pin, as a button that is pressed', () => {
    assert.equal(markup(pinned({ id: 'm', isPinned: false }, scope({}))), '');
    for (const entry of [
      user(said('u', 'Why?', { isPinned: true }), scope({})),
      assistant(replied('a', [], { isPinned: true }), scope({})),
    ]) {
      assert.match(markup(entry), /class="pin".*aria-label=Pinned.*aria-pressed=true/s);
    }
  });
});
