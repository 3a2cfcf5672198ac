import assert from 'node:assert/strict';
import { ordinal, summaryInWords, summaryPriceInWords } from '../../../webview/chat/summary/summaryInWords.js';
import { nearestCut, summaryOutline } from '../../../webview/chat/summary/summaryOutline.js';
import { summaryActions } from '../../../webview/chat/summary/summaryActions.js';
import type { SummaryPlanView, SummaryPreviewView } from '../../../src/protocol/panel/compaction.js';
import type { SettingRow } from '../../../src/protocol/panel/view.js';
import { markup, words } from '../../support/webview/markup.js';

const PLAN: SummaryPlanView = {
  upTo: 'b',
  messages: 3,
  of: 6,
  tokens: 900,
  earlierSummary: null,
  summaryTokens: 500,
  requestTokens: 1_500,
  basis: 'exact',
  rows: [
    { id: 'a', role: 'user', text: 'Pinned', tokens: 40, isPinned: true, isReplaced: false, endsTurn: false },
    { id: 'b', role: 'assistant', text: 'Goes', tokens: 60, isPinned: false, isReplaced: true, endsTurn: true },
    { id: 'c', role: 'tool-results', text: 'read', tokens: 70, isPinned: false, isReplaced: false, endsTurn: true },
  ],
  earlier: { messages: 2, tokens: 800, rows: null },
  later: { messages: 1, tokens: 30, rows: null },
  shorter: null,
  longer: 'c',
  price: null,
};

describe('What can be done about a summary that is looked at', () => {
  const DRAFT = { written: 'x', text: 'x', tokens: 5, mostTokens: 500, kept: [], keptHeading: 'Kept:' };
  const FAILED = { kind: 'failed', text: 'No.', detail: null, upTo: null, attemptId: null, failedAttempts: [] } as const;
  const actions = (change: Partial<SummaryPreviewView>, asking: SettingRow | null): string =>
    words(
      summaryActions(
        { plan: PLAN, draft: null, hasText: false, work: null, ...change },
        { chatId: 'x', asking, target: new EventTarget(), onApply: () => undefined, onClose: () => undefined },
      ),
    );

  it('goes to its text, and back to it when the line is moved; a failure has its own button', () => {
    assert.equal(actions({}, null), 'Write the summary Cancel');
    assert.equal(actions({ draft: DRAFT }, null), 'Apply Cancel Change the range');
    assert.equal(actions({ draft: DRAFT, plan: null }, null), 'Apply Cancel');
    assert.equal(actions({ hasText: true }, null), 'Write the summary Cancel Back to the text');
    assert.equal(actions({ hasText: true, work: FAILED }, null), 'Cancel Back to the text');
  });

  it('has the price of writing the summary on its button', () => {
    const known = { cost: 0.016, rewriting: 0, saving: 0.01, paysFrom: 2, isMost: true, isPretended: false };
    const first = (change: Partial<typeof known>): string => actions({ plan: { ...PLAN, price: { ...known, ...change } } }, null);
    assert.equal(first({}), 'Write the summary (at most $0.0160) Cancel');
    assert.equal(first({ isMost: false }), 'Write the summary (about $0.0160) Cancel');
    assert.equal(first({ isPretended: true }), 'Write the summary (would cost at most $0.0160) Cancel');
  });

  it('has the setting to ask each time, where a summary is written by itself', () => {
    const asking: SettingRow = {
      name: 'summaryAsk',
      group: null,
      label: 'Ask each time',
      help: 'Help',
      value: 'on',
      isChanged: true,
      control: { kind: 'choice', options: [] },
    };
    assert.equal(actions({}, asking), 'Write the summary Cancel Ask each time');
    assert.equal(actions({ draft: DRAFT, plan: null }, asking), 'Apply Cancel');
  });
});

describe('What a summary replaces', () => {
  it('becomes so many tokens, with the earlier summary where there is one', () => {
    const draft = { written: 'x', text: 'x', tokens: 480, mostTokens: 500, kept: [], keptHeading: 'Kept:' };
    const end = 'The messages stay in the log.';
    assert.equal(words(summaryInWords(PLAN, null)), `900 tokens (3 messages) become 500 tokens at most. ${end} now 1,500 then ≈ 1,100`);
    const estimated = { ...PLAN, basis: 'estimate' } as const;
    assert.match(words(summaryInWords(estimated, null)), /^≈ 900 tokens .* become 500 tokens at most\..* now ≈ 1,500 then ≈ 1,100$/);
    assert.match(words(summaryInWords(estimated, draft)), /become ≈ 480 tokens\./);
    const later = { ...PLAN, earlierSummary: 610, tokens: 1_510, requestTokens: 2_110 };
    assert.equal(
      words(summaryInWords(later, draft)),
      `1,510 tokens (3 messages and the earlier summary) become 480 tokens. ${end} now 2,110 then ≈ 1,080`,
    );
    assert.match(
      words(summaryOutline(later, { chatId: 'x', isFixed: false })),
      /^To summarize 3 of 6 messages Earlier summary 610 2 earlier/,
    );
  });

  it('is told row by row, with the line that it ends at', () => {
    assert.equal(
      words(summaryOutline(PLAN, { chatId: 'x', isFixed: false })),
      'To summarize 3 of 6 messages 2 earlier messages 800 You Pinned 40 Assistant Goes 60 up to here Tools read 70 1 later message stay 30',
    );
  });

  it('tints what goes, and lets no button move the line or a pin once the summary is written', () => {
    const open = markup(summaryOutline(PLAN, { chatId: 'x', isFixed: false }));
    assert.equal(open.split('summary-row goes').length - 1, 2);
    assert.match(open, /aria-label=One turn less[^>]*disabled=true/s);
    assert.match(open, /aria-label=One turn more[^>]*disabled=false/s);
    const fixed = markup(summaryOutline(PLAN, { chatId: 'x', isFixed: true }));
    assert.doesNotMatch(fixed, /disabled=false/);
  });

  it('has a line that goes to the nearest end of an exchange, as far as it is dragged', () => {
    assert.deepEqual(markup(summaryOutline(PLAN, { chatId: 'x', isFixed: false })).match(/data-cut=\w+/g), ['data-cut=b', 'data-cut=c']);
    const places = [-60, 0, 24, 96].map((offset) => ({ upTo: String(offset), offset }));
    const at = (offset: number): string | undefined => nearestCut(places, offset)?.upTo;
    assert.deepEqual([-400, -31, -29, 0, 11, 13, 59, 61, 900].map(at), [
      '-60',
      '-60',
      undefined,
      undefined,
      undefined,
      '24',
      '24',
      '96',
      '96',
    ]);
  });

  it('opens what it folds: the rows nearest to the line, and how many more there are', () => {
    const closed = markup(summaryOutline(PLAN, { chatId: 'x', isFixed: true }));
    assert.deepEqual(closed.match(/aria-expanded=\w+/g), ['aria-expanded=false', 'aria-expanded=false']);
    const rows = [{ id: 'z', role: 'user', text: 'First', tokens: 300, isPinned: false, isReplaced: true, endsTurn: false }] as const;
    const opened = summaryOutline({ ...PLAN, earlier: { ...PLAN.earlier, rows } }, { chatId: 'x', isFixed: true });
    assert.match(words(opened), /^To summarize 3 of 6 messages 2 earlier messages 800 1 more You First 300 You Pinned 40/);
    assert.deepEqual(markup(opened).match(/aria-expanded=\w+/g), ['aria-expanded=true', 'aria-expanded=false']);
  });

  it('has a price, and says when it pays', () => {
    const of = (price: SummaryPlanView['price']): string => words(summaryPriceInWords({ price }));
    assert.equal(
      of({ cost: 0.0313, isMost: true, isPretended: false, rewriting: 0.0661, saving: 0.009376, paysFrom: 11 }),
      'Costs at most $0.0313 now and $0.0661 with the next request. Saves $0.0094 on each later request. Pays off from the 11th on.',
    );
    assert.equal(
      of({ cost: 0.0313, isMost: false, isPretended: false, rewriting: 0, saving: 0, paysFrom: null }),
      'Costs $0.0313 now. It saves nothing.',
    );
    assert.equal(of(null), 'Price unknown: the model has no prices.');
    assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112, 1_002].map(ordinal), [
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '112th',
      '1,002nd',
    ]);
  });
});
