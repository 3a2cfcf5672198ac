import assert from 'node:assert/strict';
import { html } from 'lit';
import type { AssistantEntry, UsageLine } from '../../../src/protocol/panel/entries.js';
import { usageHint } from '../../../webview/chat/rows/hint.js';
import { replyLine, streamingLine } from '../../../webview/chat/entries/usageLine.js';
import { assistantEntry } from '../../../webview/chat/entries/assistantEntry.js';
import { assistantEntry as replyEntry } from '../../../webview/preview/views.js';
import { entryScope } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

const USAGE: UsageLine = {
  inputTokens: 1_234,
  cachedTokens: 1_000,
  writtenTokens: 0,
  outputTokens: 56,
  inputEstimated: false,
  outputEstimated: false,
  cost: 0.0405,
  isAtLeast: false,
  isCharged: false,
  isPretended: false,
  durationMs: 1_500,
  forecast: null,
  inherited: false,
};

const CLOSED = {
  isNewModel: false,
  hasPrice: true,
  context: '1 of 3 used · 2 files',
  isOpen: false,
  onToggle: () => undefined,
  actions: html``,
};

const shownWords = (value: unknown): string => words(value).replace(/^Context used: /, '');

function shown(usage: UsageLine): { readonly texts: string; readonly tooltip: readonly string[] } {
  const line = markup(replyLine({ ...replyEntry('a'), model: null, usage, limits: [] }, CLOSED));
  const tooltip = /title=([^>]*?)\s+aria-expanded=/s.exec(line)?.[1] ?? '';
  return { texts: shownWords(replyLine({ ...replyEntry('a'), model: null, usage, limits: [] }, CLOSED)), tooltip: tooltip.split('\n') };
}

describe('The line below a reply', () => {
  /** In local time, as it is shown. */
  const at = new Date(2026, 10, 21, 14, 2).getTime();
  const reply = { ...replyEntry('a'), model: { label: 'GPT', key: 'house/gpt-4o' }, at, usage: USAGE };
  it('begins with the price, and names the model only where it is another one', () => {
    assert.equal(shownWords(replyLine(reply, CLOSED)), '$0.0405 1,234 in 1,000 cached 56 out 1.5 s');
    assert.equal(shownWords(replyLine(reply, { ...CLOSED, isNewModel: true })), '$0.0405 GPT 1,234 in 1,000 cached 56 out 1.5 s');
    assert.match(
      markup(replyLine(reply, CLOSED)),
      /GPT \(house\/gpt-4o\)\nAsked at 2026-11-21 14:02\n1 of 3 used · 2 files\nShow the context used/,
    );
  });

  it('marks a price of estimated tokens, as after Stop, but not a price that the provider reports', () => {
    const stopped = { ...USAGE, outputEstimated: true };
    assert.match(shown(stopped).texts, /^≈ \$0\.0405 1,234 in .* ≈ 56 out/);
    assert.ok(shown(stopped).tooltip.includes('≈ $0.0405 at the prices of the model'));
    assert.match(shown({ ...stopped, isCharged: true }).texts, /^\$0\.0405 /);
    assert.match(shown({ ...stopped, isAtLeast: true }).texts, /^≥ \$0\.0405 /);
  });

  it('is a button that opens the context of the request', () => {
    assert.match(markup(replyLine(reply, CLOSED)), /Show the context used[^]*aria-expanded=false/);
    assert.match(markup(replyLine(reply, { ...CLOSED, isOpen: true })), /Hide the context used[^]*aria-expanded=true/);
  });

  it('has what was written and the time at the end, which leave first where the line is narrow', () => {
    assert.equal(shown({ ...USAGE, writtenTokens: 7 }).texts, '$0.0405 1,234 in 1,000 cached 56 out 7 written 1.5 s');
  });

  it('says that a price is a lower bound where the provider bills more than tokens', () => {
    const { texts: line, tooltip } = shown({ ...USAGE, isAtLeast: true });
    assert.match(line, /≥ ?\$0\.0405/);
    assert.ok(tooltip.includes('At least $0.0405: the provider bills more than tokens, for example searches'));
  });

  it('has what was forecast beside what was reported', () => {
    const forecast = { read: 1_000, written: 20, fresh: 214, off: 0.016 };
    assert.ok(shown({ ...USAGE, forecast }).tooltip.includes('Forecast: 1,000 read, 20 written, 214 uncached, off by 1.6%'));
    const exact = shown({ ...USAGE, forecast: { ...forecast, off: 0.0002 } }).tooltip;
    assert.ok(exact.includes('Forecast: 1,000 read, 20 written, 214 uncached, exact'));
    assert.ok(shown(USAGE).tooltip.every((line) => !line.startsWith('Forecast')));
  });

  it('says where a price is from', () => {
    assert.ok(shown(USAGE).tooltip.includes('$0.0405 at the prices of the model'));
    assert.ok(shown({ ...USAGE, isCharged: true }).tooltip.includes('$0.0405, reported by the provider'));
  });

  it('has no price in a turn with steps, whose line has the total', () => {
    assert.equal(shownWords(replyLine(reply, { ...CLOSED, hasPrice: false })), '1,234 in 1,000 cached 56 out 1.5 s');
  });

  it('has the price so far, the model and the tokens so far while the reply streams', () => {
    const streaming = { ...reply, usage: null };
    const output = { entryId: 'a', tokens: 12, isEstimate: false, cost: 0.0123, isPretended: false };
    assert.equal(words(streamingLine(streaming, output, false)), '≈ $0.0123 GPT 12 tokens so far');
    assert.equal(words(streamingLine(streaming, { ...output, isPretended: true }, false)), 'would cost ≈ $0.0123 GPT 12 tokens so far');
    assert.equal(words(streamingLine(streaming, { ...output, cost: null }, false)), 'GPT 12 tokens so far');
    assert.equal(words(streamingLine(streaming, null, false)), 'GPT');
    assert.equal(words(streamingLine(streaming, output, true)), '12 tokens so far', 'the line of the steps has the price');
  });

  it('says where the usage is unknown', () => {
    assert.equal(shownWords(replyLine({ ...reply, usage: null }, CLOSED)), 'usage unknown');
  });

  it('ends with the actions', () => {
    const { chatId, isLocked } = { chatId: 'c', isLocked: false };
    const scope = { ...entryScope(), chatId, isLocked };
    const entry = markup(assistantEntry({ ...reply, status: 'done' }, scope));
    const line = entry.slice(entry.indexOf('class="reply-line"'));
    const buttons = [...line.matchAll(/<loupe-(copy|menu)|aria-label=(Retry)\b/g)].map(([, element, name]) => element ?? name);
    assert.deepEqual(buttons, ['copy', 'Retry', 'menu']);
    assert.equal(entry.match(/class="actions"/g)?.length, 1, 'no second row of them over the text');
  });

  it('has no Retry for a reply to no message', () => {
    const entry = markup(assistantEntry({ ...reply, status: 'done' }, { ...entryScope(), userMessageId: null }));
    assert.doesNotMatch(entry, /Retry/);
  });
});

describe('A reply', () => {
  it('that is over and empty says so, and offers another try', () => {
    const scope = entryScope();
    const done = (parts: AssistantEntry['parts']): string =>
      words(assistantEntry({ ...replyEntry('a'), status: 'done', usage: USAGE, parts }, scope));
    const reasoning = { type: 'reasoning', text: 'Hm', ms: null } as const;
    for (const parts of [[], [{ type: 'text', text: ' \n' }], [reasoning], [reasoning, { type: 'text', text: '' }]] as const) {
      assert.match(done(parts), /^(?:Reasoning )?The model sent an empty reply · Retry Context used: \$0/);
    }
    assert.doesNotMatch(done([{ type: 'text', text: 'Hm' }]), /nothing/);
  });

  it('that reached its maximum length offers the rest, or another try if no text arrived', () => {
    const cut = (changes: Partial<AssistantEntry>): string =>
      words(assistantEntry({ ...replyEntry('a'), status: 'cutOff', usage: USAGE, ...changes }, entryScope()));
    const some = [{ type: 'text', text: 'At' }] as const;
    assert.match(cut({ parts: some, canContinue: true }), /The reply reached its maximum length · Continue Context used/);
    assert.match(cut({ parts: some }), /The reply reached its maximum length Context used/);
    assert.match(cut({ parts: [] }), /The reply reached its maximum length before any text arrived · Retry Context used/);
  });
});

describe('The usage of a reply', () => {
  it('ends with its price, where that is known, and its time', () => {
    assert.equal(shown(USAGE).texts, '$0.0405 1,234 in 1,000 cached 56 out 1.5 s');
    assert.equal(shown({ ...USAGE, cost: null }).texts, '1,234 in 1,000 cached 56 out 1.5 s');
    assert.deepEqual(
      [shown(USAGE).tooltip[4], shown({ ...USAGE, cost: null }).tooltip[4]],
      ['$0.0405 at the prices of the model', 'Price unknown'],
    );
  });

  it('has no cache figure where the cache served nothing, and says where that is unknown', () => {
    assert.equal(shown({ ...USAGE, cachedTokens: 0 }).texts, '$0.0405 1,234 in 56 out 1.5 s');
    assert.equal(shown({ ...USAGE, cachedTokens: null }).texts, '$0.0405 1,234 in cache use unknown 56 out 1.5 s');
  });

  it('says of a price that nobody bills that it is none', () => {
    const { texts, tooltip } = shown({ ...USAGE, isPretended: true });
    assert.equal(texts, 'would cost $0.0405 1,234 in 1,000 cached 56 out 1.5 s');
    assert.equal(tooltip[4], 'This model is free. A paid model would cost $0.0405');
  });

  it('is explained to a new user, who paid nothing to the practice model', () => {
    assert.match(markup(usageHint({ ...USAGE, isPretended: true })), /56 came out\. A paid model would cost \$0\.0405; this one is free\./);
    assert.match(markup(usageHint(USAGE)), /56 came out, for \$0\.0405\./);
    const cacheOf = (cachedTokens: number, writtenTokens: number): string => markup(usageHint({ ...USAGE, cachedTokens, writtenTokens }));
    assert.match(cacheOf(0, 1_200), /Next time, the provider reads most of the input from its cache/);
    assert.match(cacheOf(1_200, 6), /The provider read most of the input from its cache/);
    assert.doesNotMatch(cacheOf(0, 0), /cache/);
  });

  it('leaves out a time below a tenth of a second, here and for reasoning', () => {
    const { texts: short, tooltip } = shown({ ...USAGE, durationMs: 99 });
    assert.equal(short, '$0.0405 1,234 in 1,000 cached 56 out');
    assert.equal(tooltip[5], 'The provider reported these figures');
    assert.match(shown({ ...USAGE, durationMs: 100 }).texts, / 100 ms$/);
    const scope = entryScope();
    const reasoned = (ms: number): string =>
      words(assistantEntry({ ...replyEntry('a'), status: 'done', usage: USAGE, parts: [{ type: 'reasoning', text: 'Hm', ms }] }, scope));
    assert.doesNotMatch(reasoned(99), /Reasoning ·/);
    assert.match(reasoned(1_200), /Reasoning · 1\.2 s/);
  });

  it('is inherited, without a price, where a fork took the reply over', () => {
    for (const cost of [0.0405, null]) {
      const { texts, tooltip } = shown({ ...USAGE, cost, inherited: true });
      assert.equal(texts, 'inherited from another chat, which counts this usage 1,234 in 1,000 cached 56 out 1.5 s');
      assert.equal(tooltip[4], 'Copied from the original chat of this fork. The original chat counts this usage');
    }
  });
});
