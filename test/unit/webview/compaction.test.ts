import assert from 'node:assert/strict';
import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { announcement } from '../../../webview/chat/shell/announcement.js';
import { awaitedStrip } from '../../../webview/chat/composer/awaitedStrip.js';
import { compactionBlock } from '../../../webview/chat/conversation/compactionBlock.js';
import { chat } from '../../../webview/preview/states/parts.js';
import { EMPTY_PANEL, userEntry } from '../../../webview/preview/views.js';
import { SUMMARY } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

const RUNNING = { kind: 'running', messages: 34, startedAt: 1_000, tokens: 240, mostTokens: 637, isAwaited: false } as const;
const FAILED: Extract<CompactionView, { readonly kind: 'failed' }> = {
  kind: 'failed',
  text: 'The model sent an empty summary.',
  detail: 'stop: end_turn',
  upTo: 'm',
  attemptId: null,
  failedAttempts: [],
};

const SCOPE = { chatId: 'c', isLocked: false, isPreview: false, isDetailOpen: false, onToggleDetail: () => undefined };

describe('A summary that is being written', () => {
  it('shows after half a second how long it has taken and how far it is', () => {
    assert.equal(words(compactionBlock(RUNNING, 1_499, SCOPE)), '');
    const shown = compactionBlock(RUNNING, 9_999, SCOPE);
    assert.equal(
      words(shown),
      'Summarizing 34 messages 8 s · ≈ 240 of 637 tokens You can send messages meanwhile. Requests still contain the whole conversation. Cancel',
    );
    assert.match(markup(shown), /width:37\.6\d*%/);
  });

  it('has a full bar, and no more, when more arrives than it may have', () => {
    assert.match(markup(compactionBlock({ ...RUNNING, tokens: 800 }, 9_999, SCOPE)), /width:100%/);
  });
});

describe('A summary that failed', () => {
  it('says why, that nothing was lost, and what can be done', () => {
    assert.equal(
      words(compactionBlock(FAILED, 0, SCOPE)),
      'The model sent an empty summary. The conversation is unchanged. Try again Choose another model Details',
    );
    assert.match(words(compactionBlock(FAILED, 0, { ...SCOPE, isDetailOpen: true })), /Details stop: end_turn$/);
    assert.doesNotMatch(words(compactionBlock({ ...FAILED, detail: null }, 0, SCOPE)), /Details/);
  });

  it('shows the request that it came to nothing with', () => {
    const shown = compactionBlock({ ...FAILED, detail: null, attemptId: 'a' }, 0, SCOPE);
    assert.match(words(shown), /Try again Choose another model Show request$/);
  });

  it('shows each request that failed before, with a button that opens it, above what it came to nothing with', () => {
    const attempt = {
      id: 'first',
      text: 'Overloaded.',
      status: 529,
      at: 0,
      durationMs: 1_200,
      waitMs: 2_000,
      ...{ isUnbilled: true, cost: null, isAtLeast: false, isPretended: false },
    } as const;
    const shown = compactionBlock({ ...FAILED, detail: null, attemptId: 'a', failedAttempts: [attempt] }, 0, SCOPE);
    assert.match(words(shown), /^HTTP 529 · Overloaded\. .* not billed The model sent an empty summary\. .* Show request$/);
    assert.match(markup(shown), /title=Sent at [^>]*, and again after 2\.0 s/);
    assert.match(markup(shown), /aria-label="?1 failed request[^]*Show this request[^]*aria-label="Summary failed"/);
  });

  it('is left with the buttons of the pane while the user looks at it: to dismiss it would drop what is kept', () => {
    const dismiss = /aria-label=Dismiss/;
    assert.match(markup(compactionBlock(FAILED, 0, SCOPE)), dismiss);
    assert.doesNotMatch(markup(compactionBlock(FAILED, 0, { ...SCOPE, isPreview: true })), dismiss);
  });

  it('is not tried again while the chat is locked', () => {
    assert.equal(
      words(compactionBlock({ ...FAILED, detail: null }, 0, { ...SCOPE, isLocked: true })),
      'The model sent an empty summary. The conversation is unchanged.',
    );
  });
});

describe('A summary that a message waits for', () => {
  it('does not say that a message would be sent now; the message box says when it is sent', () => {
    assert.doesNotMatch(words(compactionBlock({ ...RUNNING, isAwaited: true }, 9_999, SCOPE)), /You can send messages/);
    assert.match(
      words(compactionBlock({ ...RUNNING, messages: null }, 9_200, SCOPE)),
      /^Shortening your message 8 s · ≈ 240 of 637 tokens Cancel$/,
    );
    assert.equal(words(awaitedStrip('c')), 'Loupe sends your message when the summary is ready Cancel');
  });
});

describe('A summary that was cancelled', () => {
  it('says so without an alarm, until it is dismissed', () => {
    const shown = compactionBlock({ kind: 'cancelled' }, 0, SCOPE);
    assert.equal(words(shown), 'Cancelled. The conversation is unchanged.');
    assert.match(markup(shown), /aria-label=Dismiss/);
    assert.doesNotMatch(markup(shown), /failed|error/);
  });
});

describe('A preview that a change has closed', () => {
  it('says why, and leads to a new one', () => {
    for (const [madeRoom, why] of [
      [false, 'The messages that the summary would replace have changed, so Loupe closed the preview. Loupe summarized nothing.'],
      [true, 'Loupe summarized the conversation, because your message needed room. So Loupe closed the preview of your summary.'],
    ] as const) {
      const outdated = { kind: 'outdated', madeRoom } as const;
      const shown = compactionBlock(outdated, 0, SCOPE);
      assert.equal(words(shown), `${why} Summarize…`);
      assert.match(markup(shown), /aria-label=Dismiss/);
      assert.equal(words(compactionBlock(outdated, 0, { ...SCOPE, isLocked: true })), why);
      const before = { ...EMPTY_PANEL, chat: chat({}) };
      assert.equal(announcement(before, { ...before, compaction: outdated }), why);
    }
  });
});

describe('Screen readers are told of a summary', () => {
  const SAID = userEntry('u', 'Question');

  function state(compaction: CompactionView | null, ...entries: EntryView[]): PanelState {
    return { ...EMPTY_PANEL, chat: chat({}), compaction, entries };
  }

  it('once when it begins, when it comes and when it fails', () => {
    assert.equal(announcement(state(null), state(RUNNING)), 'Summarizing 34 messages');
    assert.equal(announcement(state(RUNNING), state({ ...RUNNING, tokens: 300 })), null);
    assert.equal(announcement(state(RUNNING, SAID), state(RUNNING, SAID, SUMMARY)), 'Summarized: 31,866 tokens became 612');
    assert.equal(announcement(state(RUNNING, SUMMARY), state(null, SUMMARY)), null);
    assert.equal(announcement(state(RUNNING), state(FAILED)), 'The model sent an empty summary. The conversation is unchanged.');
    assert.equal(announcement(state(FAILED), state(FAILED)), null);
  });

  it('that a message waits for, that was cancelled, and that dropped messages without a summary', () => {
    const awaited = 'Summarizing 34 messages. Loupe sends your message when the summary is ready';
    assert.equal(announcement(state(null), state({ ...RUNNING, isAwaited: true })), awaited);
    assert.equal(announcement(state(RUNNING), state({ kind: 'cancelled' })), 'Cancelled. The conversation is unchanged.');
    const left = announcement(state(null, SAID), state(null, SAID, { ...SUMMARY, form: 'leftOut' }));
    assert.equal(left, 'Messages dropped without a summary: 31,866 tokens became 612');
  });

  it('but not of one that comes with an earlier part of the chat', () => {
    assert.equal(announcement(state(null, SAID), state(null, SUMMARY, SAID)), null);
    const inPart = { ...state(null, SAID), chat: chat({ laterMessages: 9 }) };
    assert.equal(announcement(inPart, { ...state(null, SAID, SUMMARY), chat: chat({ laterMessages: 4 }) }), null);
  });

  it('that is under way in a chat that is opened', () => {
    const other = { ...state(RUNNING), chat: chat({ id: 'other' }) };
    assert.equal(announcement(state(RUNNING), other), 'Summarizing 34 messages');
  });

  it('that is due says what it would do, and is looked at or put off', () => {
    const due = { kind: 'due', upTo: 'm', messages: 34, tokens: 31_866, summaryTokens: 637, why: null } as const;
    const said = 'A summary (about 637 tokens) would replace 34 messages (31,866 tokens).';
    assert.equal(words(compactionBlock(due, 0, SCOPE)), `${said} Summarize… Not now`);
    assert.equal(words(compactionBlock(due, 0, { ...SCOPE, isLocked: true })), said);
  });
});
