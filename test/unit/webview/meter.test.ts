import assert from 'node:assert/strict';
import type { TemplateResult } from 'lit';
import { EMPTY_PANEL } from '../../../src/protocol/panel/state.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { SummaryForecast } from '../../../src/protocol/panel/compaction.js';
import { assumedLimit, contextMeter } from '../../../webview/chat/nextRequest/meter.js';
import { meterBar, meterInWords } from '../../../webview/chat/nextRequest/meterBar.js';
import { historyCard } from '../../../webview/chat/nextRequest/historyCard.js';
import { summaryPart } from '../../../webview/chat/summary/summaryPart.js';
import { SMALL_REQUEST } from '../../../webview/preview/views.js';
import { markup, words } from '../../support/webview/markup.js';

const NOW = { upTo: 'a9', messages: 34, tokens: 31_866, summaryTokens: 612 } as const;
const ACTIONS = { onSummarize: () => undefined, onSettings: () => undefined };
const CHAT = { id: 'c', spent: null } as ChatView;
function meter(nextRequest: NextRequestView, chat: ChatView): TemplateResult {
  return contextMeter({ ...EMPTY_PANEL, nextRequest, chat }, () => undefined);
}

describe('The meter', () => {
  it('tells where its limit comes from', () => {
    assert.match(markup(meter(SMALL_REQUEST, CHAT)), /<loupe-history-card/);
    assert.match(
      meterInWords(SMALL_REQUEST),
      /\n1% of 127,488: 128,000 limit minus 512 kept for the reply\nLoupe summarizes the chat at 152,000 tokens$/,
    );
  });

  it('says that its limit is assumed where the size of the model is unknown, with a way to set it', () => {
    const request = { ...SMALL_REQUEST, limit: 8_192, assumedLimit: { provider: 'house', model: 'large', label: 'Large' } };
    const all = markup(assumedLimit({ ...EMPTY_PANEL, nextRequest: request }));
    assert.match(words(assumedLimit({ ...EMPTY_PANEL, nextRequest: request })), /8,192 assumed · Set it/);
    assert.match(meterInWords(request), /8,192 assumed limit \(the context size of Large is unknown\) minus 512 kept for the reply/);
    assert.match(all, /title="Set the context size of Large"\s+aria-label="Set it: the context size of Large"/);
    assert.equal(markup(assumedLimit({ ...EMPTY_PANEL, nextRequest: SMALL_REQUEST })), '');
  });

  it('names in words what makes the parts add up to a size that is corrected', () => {
    const shares = [{ category: 'system', tokens: 1_200 }] as const;
    const request = { ...SMALL_REQUEST, shares, basis: 'estimate' } as const;
    assert.match(meterInWords(request), /^≈ 1,280 of 127,488 tokens: System 1,200, Correction of Loupe’s count 80/);
    // The bar has the length of the size, whatever the parts are.
    const [segment = '', ...others] = markup(meterBar(request))
      .split(/class="share"/)
      .slice(1);
    assert.match(segment, new RegExp(`^[^>]*width:${((1_280 / 127_488) * 100).toFixed(3)}`));
    assert.deepEqual(others, []);
  });

  it('marks where a summary happens by itself, if that is at so many tokens', () => {
    const marked = (trigger: SummaryForecast['trigger']): RegExpExecArray | null =>
      /class="meter-mark"[^>]*left:([0-9.]+)%/s.exec(markup(meterBar({ ...SMALL_REQUEST, summary: { trigger, now: null } })));
    assert.equal(marked({ unit: 'tokens', at: 63_744, left: 62_464, then: 'summarized' })?.[1], '50');
    assert.equal(marked({ unit: 'messages', at: 81, left: 12, then: 'summarized' }), null);
    assert.equal(marked({ unit: 'tokens', at: 63_744, left: 62_464, then: 'putOff' }), null);
    assert.equal(marked(null), null);
  });
});

describe('The card of the context window', () => {
  const card = (history: Partial<NextRequestView['history']>, changes: Partial<NextRequestView>): string =>
    words(historyCard({ ...SMALL_REQUEST, ...changes, history: { ...SMALL_REQUEST.history, ...history } }, ACTIONS));
  const ROWS = 'Conversation 900 Everything else 380 Left 126,208 Input limit of the model 128,000';

  it('says that the limit of the model is unknown', () => {
    assert.match(card({ maxInputTokens: null }, {}), /Input limit of the model unknown/);
  });

  it('says how the conversation shares the window, and how far it is from a summary', () => {
    assert.equal(card({}, {}), `${ROWS} Loupe summarizes the conversation at 95,000 tokens. The conversation has reached 1% of this.`);
    const compaction = { enabled: true, trigger: 0, percent: 85 };
    const messages = { trigger: { unit: 'messages', at: 81, left: 12, then: 'summarized' }, now: null } as const;
    assert.equal(
      card({ compaction }, { summary: messages }),
      `${ROWS} Loupe summarizes the conversation at 81 messages. The conversation has reached 85% of this.`,
    );
  });

  it('says that a summary is due, asked for, put off, or only made by hand', () => {
    assert.equal(card({ needsSummary: true }, {}), `${ROWS} Loupe summarizes the conversation after the next reply.`);
    const compaction = { enabled: false, trigger: 0, percent: 0 };
    const said = (trigger: SummaryForecast['trigger']): string => card({ compaction }, { summary: { trigger, now: null } });
    const asked = { unit: 'tokens', at: 79_800, left: 8_596, then: 'asked' } as const;
    assert.equal(said(asked), `${ROWS} Loupe asks you to summarize when the next request has 79,800 tokens.`);
    assert.equal(
      said({ ...asked, unit: 'messages', at: 81 }),
      `${ROWS} Loupe asks you to summarize when the conversation has 81 messages.`,
    );
    assert.equal(said({ ...asked, then: 'putOff' }), `${ROWS} You have postponed the summary. Loupe asks again after your next summary.`);
    assert.equal(said(null), `${ROWS} Loupe summarizes this chat only when you ask.`);
  });

  it('offers a summary that can be made now', () => {
    const shown = card({}, { summary: { trigger: null, now: NOW } });
    assert.match(shown, /Summarizing turns 34 messages \(31,866 tokens\) into about 612 tokens\. .* Summarize… Chat settings$/);
  });

  it('marks what is not exact', () => {
    assert.match(card({}, { basis: 'estimate' }), /^Conversation ≈ 900 Everything else ≈ 380 /);
  });
});

describe('The part about a summary in the card', () => {
  const card = (trigger: SummaryForecast['trigger']): string => words(summaryPart({ trigger, now: NOW }, NOW, ACTIONS));
  const WHAT = 'Summarizing turns 34 messages (31,866 tokens) into about 612 tokens.';

  it('says what it would do, when it happens by itself, and what can be done', () => {
    assert.equal(
      card({ unit: 'tokens', at: 79_800, left: 8_596, then: 'summarized' }),
      `${WHAT} Loupe summarizes automatically at 79,800 tokens, 8,596 more than now. Summarize… Chat settings`,
    );
    assert.equal(
      card({ unit: 'messages', at: 81, left: 12, then: 'summarized' }),
      `${WHAT} Loupe summarizes automatically at 81 messages, 12 more than now. Summarize… Chat settings`,
    );
  });

  it('says that it is due, or that it happens only by hand', () => {
    assert.match(
      card({ unit: 'tokens', at: 79_800, left: -20, then: 'summarized' }),
      /Loupe summarizes automatically after the next reply\./,
    );
    assert.match(card(null), /Loupe summarizes this chat only when you ask\./);
  });

  it('says where the user is asked each time, and that they have put it off', () => {
    const asked = { unit: 'tokens', at: 79_800, left: 8_596, then: 'asked' } as const;
    assert.equal(card(asked), `${WHAT} Loupe asks you at 79,800 tokens, 8,596 more than now. Summarize… Chat settings`);
    assert.match(card({ ...asked, left: 0 }), /Loupe asks you after the next reply\./);
    assert.match(
      card({ ...asked, left: 0, then: 'putOff' }),
      /You have postponed the summary\. Loupe asks again after your next summary\./,
    );
  });
});
