import assert from 'node:assert/strict';
import type { SpendQuestionView } from '../../../src/protocol/questions.js';
import type { ReplyPrice } from '../../../src/engine/accounting/usualCosts.js';
import { requestFigures } from '../../../webview/chat/nextRequest/nextRequestFigures.js';
import { announcement } from '../../../webview/chat/shell/announcement.js';
import { spendQuestion } from '../../../webview/chat/questions/spendQuestion.js';
import { NEXT } from '../../../webview/preview/states/parts.js';
import { EMPTY_PANEL } from '../../../webview/preview/views.js';
import { markup, words } from '../../support/webview/markup.js';

const DEAR: SpendQuestionView = {
  id: 'q1',
  about: 'request',
  cost: 0.6214,
  replyCost: 0.0391,
  tokens: 180_134,
  parts: [{ name: 'src/heap.ts', tokens: 118_204, cost: 0.3596 }],
  reason: { kind: 'dear', limit: 0.5 },
};

const OVER_CAP: SpendQuestionView = { ...DEAR, reason: { kind: 'dayCap', limit: 5, spent: 4.98, isAtLeast: true } };

const reply = (median: number): ReplyPrice => ({ low: median, high: median, median, replies: 3 });

const folded = (question: SpendQuestionView, isOpen: boolean): ReturnType<typeof spendQuestion> =>
  spendQuestion(question, { chatId: 'c', onManage: () => undefined, fold: { isOpen, onToggle: () => undefined } });
const shown = (question: SpendQuestionView): ReturnType<typeof spendQuestion> => folded(question, true);

describe('A request that waits for the user', () => {
  it('says what it costs, why that is asked, and what is large in it', () => {
    assert.equal(
      words(shown(DEAR)),
      'This request costs ≈ $0.62 with reply. Send the request? This is above your limit of $0.50 (loupe.spend.askAbove). Limit… ' +
        'src/heap.ts 118,204 tokens $0.36 the reply, typically $0.039 Send Manage context Hide Do not send',
    );
    assert.match(markup(shown(DEAR)), /role="group" aria-label=This request costs ≈ \$0\.62 with reply\. Send the request\?/);
  });

  it('has not sending as its first answer where a limit of the user was reached', () => {
    assert.match(
      words(shown(OVER_CAP)),
      /This workspace has spent at least \$4\.98 today; its cap is \$5\.00\. Some requests have no known price\./,
    );
    assert.match(words(folded(OVER_CAP, false)), /its cap is \$5\.00\. Limit…/);
    assert.match(words(shown(OVER_CAP)), / Do not send Send Manage context Hide$/);
    assert.match(markup(shown(OVER_CAP)), /appearance=primary @click=[^<]*>Do not send</);
    assert.match(markup(shown(DEAR)), /appearance=primary @click=[^<]*>Send</);
  });

  it('is worded as what it is about', () => {
    assert.match(
      words(shown({ ...DEAR, about: 'summary' })),
      /^This summary costs about \$0\.62\. Write the summary\? .* Summarize Hide Do not summarize$/,
    );
    assert.match(words(shown({ ...OVER_CAP, cost: null })), /^This request has 180,134 tokens and an unknown price\. Send the request\?/);
  });

  it('has the price that "Next request" has, also before the first reply', () => {
    for (const [inputCost, replyCost] of [
      [0.00376, null],
      [0.0138, null],
      [0.0138, 0.0391],
    ] as const) {
      const next = words(
        requestFigures({ ...NEXT, basis: 'estimate', inputCost, reply: replyCost === null ? null : reply(replyCost) }, null),
      );
      const asked = /costs (.*)\. Send/.exec(words(shown({ ...DEAR, cost: inputCost + (replyCost ?? 0), replyCost })))?.[1];
      assert.ok(asked !== undefined && next.includes(asked), `${String(asked)} is not in ${next}`);
    }
  });

  it('is announced once', () => {
    const asked = { ...EMPTY_PANEL, spendQuestion: DEAR };
    assert.equal(announcement(EMPTY_PANEL, asked), 'This request costs ≈ $0.62 with reply. Send the request?');
    assert.equal(announcement(asked, asked), null);
    assert.equal(announcement(asked, EMPTY_PANEL), null);
  });
});
