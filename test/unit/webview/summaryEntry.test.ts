import assert from 'node:assert/strict';
import type { LostFactsView } from '../../../src/protocol/panel/compaction.js';
import type { OwnRequest, SummaryEntry } from '../../../src/protocol/panel/entries.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { summaryEntry } from '../../../webview/chat/notes/summaryEntry.js';
import { SUMMARY } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

const WRITTEN: OwnRequest = {
  ...{ attemptId: 's1', purpose: 'summary', asked: 'Summarize the conversation.', model: 'large' },
  ...{ inputTokens: 9_500, outputTokens: 612, cost: 0.0157, isAtLeast: false, isPretended: false },
};
const TOPIC: OwnRequest = {
  ...{ ...WRITTEN, attemptId: 't1', purpose: 'topic', asked: null, model: 'small' },
  ...{ inputTokens: 9_000, outputTokens: 40, cost: 0.0134 },
};

function scope(open: readonly string[], isLocked: boolean): EntryScope {
  return { chatId: 'c', isLocked, neededAgain: null, isOpen: (part: string) => open.includes(part) } as unknown as EntryScope;
}

const FREE = scope([], false);

describe('A checkpoint', () => {
  it('says what became of what, how much stayed word for word, and its price', () => {
    assert.equal(
      words(summaryEntry({ ...SUMMARY, pins: 1, lines: 12, requests: [WRITTEN], cost: 0.0313 }, FREE)),
      'Conversation summary 34 messages (31,866 tokens) became 612 tokens. Kept word for word: 1 pin, 12 lines. Show Edit Undo $0.0313 · 1 request',
    );
    assert.equal(
      words(summaryEntry({ ...SUMMARY, messages: null, lines: 1 }, FREE)),
      'Conversation summary 31,866 tokens became 612 tokens. Kept word for word: 1 line. Show Edit Undo',
      'of messages that are not loaded, without a known price',
    );
  });

  it('shows its text when it is opened', () => {
    assert.doesNotMatch(markup(summaryEntry(SUMMARY, FREE)), /<loupe-markdown/);
    const open = summaryEntry(SUMMARY, scope(['text'], false));
    assert.match(markup(open), /<loupe-markdown .text=Goal: \*\*tides\*\*/);
    assert.match(words(open), /Hide/);
  });

  it('tells the context window after it when it is opened: itself, and what stayed beside it', () => {
    const said = (window: SummaryEntry['window'], open: readonly string[]): string =>
      words(summaryEntry({ ...SUMMARY, window }, scope(open, false)));
    const window = { summary: 612, kept: 1_204 };
    assert.match(said(window, ['text']), /Context window after this summary: 1,816 tokens \(612 summary, 1,204 in kept messages\)/);
    assert.match(
      said({ ...window, kept: null }, ['text']),
      /Context window after this summary: unknown \(612 summary, kept messages unknown\)/,
    );
    assert.doesNotMatch(said(window, []), /Context window/);
    assert.doesNotMatch(said(null, ['text']), /Context window/);
  });

  it('cannot be undone once a later one stands for it, or while the chat is locked', () => {
    assert.match(words(summaryEntry({ ...SUMMARY, status: 'replaced' }, FREE)), /A later summary replaced this summary\. Show$/);
    assert.match(words(summaryEntry(SUMMARY, scope([], true))), /became 612 tokens\. Show$/);
  });

  it('lists the facts that it lost, and counts those it kept', () => {
    const kept = [
      { label: 'Constraints', kept: 9, all: 9, lost: [] },
      { label: 'File paths', kept: 11, all: 14, lost: ['src/old.ts', 'src/a\u202Eb.ts'] },
    ];
    const closed = summaryEntry({ ...SUMMARY, kept }, FREE);
    assert.match(words(closed), /Constraints kept 9 of 9 File paths kept 11 of 14 Show/);
    assert.match(markup(closed), /all-kept">9 of 9/);
    assert.equal(markup(closed).match(/class="disclosure"/g)?.length, 1, 'nothing opens where nothing was lost');
    const open = summaryEntry({ ...SUMMARY, kept }, scope(['kept-File paths'], false));
    assert.match(markup(open), /<s>src\/old\.ts<\/s>/);
    assert.match(markup(open), /<s>src\/a <span class="hidden-character">.*<\/span> b\.ts<\/s>/s);
    assert.match(words(open), /1 more/);
  });

  it('brings a lost fact back, unless a later one stands for it or the chat is locked', () => {
    const kept = [{ label: 'File paths', kept: 11, all: 12, lost: ['src/old.ts'] }];
    const open = ['kept-File paths'];
    assert.match(markup(summaryEntry({ ...SUMMARY, kept }, scope(open, false))), /aria-label=Restore src\/old\.ts/);
    assert.doesNotMatch(words(summaryEntry({ ...SUMMARY, kept }, scope(open, true))), /Restore/);
    assert.doesNotMatch(words(summaryEntry({ ...SUMMARY, kept, status: 'replaced' }, scope(open, false))), /Restore/);
  });

  it('says what was needed again, when it was', () => {
    const said = (again: LostFactsView): string => words(summaryEntry(SUMMARY, { ...FREE, neededAgain: again }));
    assert.match(
      said({ paths: 1, identifiers: 0, tokens: 1_204, cost: 0.004515 }),
      /Later messages needed 1 path that the summary dropped \(1,204 tokens, \$0\.0045\)\. Show/,
    );
    assert.match(
      said({ paths: 0, identifiers: 2, tokens: 0, cost: null }),
      /Later messages needed 2 names in code that the summary dropped\./,
    );
    assert.doesNotMatch(words(summaryEntry(SUMMARY, FREE)), /Later messages needed/);
  });

  it('has its requests, each closed, with model, figures and a button for the exact request, when they are opened', () => {
    const entry = { ...SUMMARY, requests: [TOPIC, WRITTEN], paidRequests: 2, cost: 0.0291 };
    assert.match(words(summaryEntry(entry, FREE)), /\$0\.0291 · 2 requests$/);
    assert.match(words(summaryEntry({ ...entry, cost: null }, FREE)), /Undo 2 requests$/);
    const open = summaryEntry(entry, scope(['requests'], false));
    assert.match(words(open), /Search for a topic change small 9,000 in ?40 out ?\$0\.0134/);
    assert.match(words(open), /Request for a summary large 9,500 in ?612 out ?\$0\.0157/);
    assert.equal(markup(open).match(/Show this request/g)?.length, 4, 'name and tooltip of two buttons');
    assert.doesNotMatch(words(open), /Summarize the conversation/);
    assert.match(words(summaryEntry(entry, scope(['requests', 's1'], false))), /Summarize the conversation/);
    assert.doesNotMatch(words(summaryEntry(SUMMARY, FREE)), /request/);
  });

  it('keeps its requests when it is undone, and says that a price is the least', () => {
    const entry = { ...SUMMARY, status: 'undone', requests: [WRITTEN], paidRequests: 1, cost: 0.0157, isAtLeast: true } as const;
    assert.match(words(summaryEntry(entry, scope(['requests'], false))), /Summary undone.*≥\s?\$0\.0157.*Request for a summary/);
  });

  it('says that the messages were dropped without a summary', () => {
    assert.match(
      words(summaryEntry({ ...SUMMARY, form: 'leftOut' }, FREE)),
      /became 612 tokens\. Loupe dropped these messages without a summary\./,
    );
  });

  it('that was undone says what is back, and can be made again', () => {
    const undone: SummaryEntry = { ...SUMMARY, status: 'undone', requests: [WRITTEN], cost: 0.0313 };
    assert.equal(
      words(summaryEntry(undone, FREE)),
      'Summary undone. Requests contain the messages again: 31,254 tokens more. Summarize again $0.0313 · 1 request',
    );
    assert.equal(
      words(summaryEntry(undone, scope([], true))),
      'Summary undone. Requests contain the messages again: 31,254 tokens more. $0.0313 · 1 request',
    );
    assert.match(words(summaryEntry({ ...undone, tokens: { before: 5, after: 9 } }, FREE)), /^Summary undone\. Summarize again/);
  });
});
