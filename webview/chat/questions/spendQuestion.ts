import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../../shared/assertNever.js';
import type { SpendQuestionView, SpendReason } from '../../../src/protocol/questions.js';
import { requestPriceText } from '../../../src/protocol/requestPrice.js';
import { button } from '../../shared/controls/buttons.js';
import { limitButton } from '../../shared/controls/limits.js';
import { posting } from '../../shared/events.js';
import { amount, price, roughPrice, tokens, tokensWithUnit } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { detailsButton, type QuestionFold, questionFrame } from './questionFrame.js';

export interface SpendQuestionOptions {
  readonly chatId: string;
  /** Opens the context pane, where the user can remove content before sending. */
  readonly onManage: () => void;
  readonly fold: QuestionFold;
}

/**
 * Asks the user to approve a request, above the message box. If the request exceeds the cap of the chat or the day, the
 * primary button does not send the request.
 */
export function spendQuestion(question: SpendQuestionView, { chatId, onManage, fold }: SpendQuestionOptions): TemplateResult {
  const { id: questionId, about, reason, parts, replyCost } = question;
  const answer = (isAllowed: boolean) => posting({ type: 'answerSpend', chatId, questionId, isAllowed });
  const isCap = reason.kind !== 'dear';
  const send = button(ANSWERS[about].yes, isCap ? 'secondary' : 'primary', answer(true));
  const doNot = button(ANSWERS[about].no, isCap ? 'primary' : 'secondary', answer(false));
  const manage = html`<span class="spend-manage">${button('Manage context', 'secondary', onManage)}</span>`;
  const largest = html`<ul class="spend-parts figures" aria-label="Largest parts">
    ${parts.map((part) => partRow(part.name, tokensWithUnit(part.tokens, 'exact'), part.cost))}
    ${replyCost === null ? nothing : partRow(about === 'summary' || about === 'shortening' ? 'the summary, at most' : 'the reply, typically', null, replyCost)}
  </ul>`;
  return questionFrame({
    title: spendTitle(question),
    reason: reasonInWords(reason, fold.isOpen),
    link: limitButton(),
    content: fold.isOpen ? largest : nothing,
    isOpen: fold.isOpen,
    answers: html`${isCap ? [doNot, send] : [send]} ${about === 'request' ? manage : nothing} ${detailsButton(fold)}`,
    wayOut: isCap ? nothing : doNot,
  });
}

const ANSWERS: Readonly<Record<SpendQuestionView['about'], { readonly yes: string; readonly no: string }>> = {
  request: { yes: 'Send', no: 'Do not send' },
  summary: { yes: 'Summarize', no: 'Do not summarize' },
  shortening: { yes: 'Shorten', no: 'Do not shorten' },
  title: { yes: 'Request title', no: 'No title' },
};

const SUBJECTS: Readonly<Record<SpendQuestionView['about'], { readonly what: string; readonly question: string }>> = {
  request: { what: 'This request', question: 'Send the request?' },
  summary: { what: 'This summary', question: 'Write the summary?' },
  shortening: { what: 'Shortening your message', question: 'Shorten the message?' },
  title: { what: 'This title', question: 'Request the title?' },
};

/** The question in two sentences. Screen readers announce the same text. */
export function spendTitle(asked: SpendQuestionView): string {
  const { what, question } = SUBJECTS[asked.about];
  return `${what} ${costInWords(asked)}. ${question}`;
}

/** Returns the price of a request as *Next request* shows it. The price of a summary or a title is a rough maximum. */
function costInWords({ about, cost, replyCost, tokens: held }: SpendQuestionView): string {
  if (cost === null) {
    return `has ${tokens(held)} tokens and an unknown price`;
  }
  return about === 'request'
    ? `costs ${requestPriceText({ inputCost: cost - (replyCost ?? 0), replyCost, bound: '≈' }, false)}`
    : `costs about ${roughPrice(cost)}`;
}

/** Returns why Loupe asks. Closed, it fits into two lines. Open, it also says why a cost is a lower bound. */
function reasonInWords(reason: SpendReason, isOpen: boolean): string {
  switch (reason.kind) {
    case 'dear':
      return `This is above your limit of ${amount(reason.limit)} (loupe.spend.askAbove).`;
    case 'chatCap':
      return capInWords('This chat has spent', '', reason, isOpen);
    case 'dayCap':
      return capInWords('This workspace has spent', ' today', reason, isOpen);
    default:
      return assertNever(reason);
  }
}

type CapReason = Exclude<SpendReason, { readonly kind: 'dear' }>;

function capInWords(begin: string, end: string, { spent, limit, isAtLeast }: CapReason, isOpen: boolean): string {
  const sum = `${begin} ${isAtLeast ? 'at least ' : ''}${price(spent)}${end}; its cap is ${amount(limit)}.`;
  return isAtLeast && isOpen ? `${sum} Some requests have no known price.` : sum;
}

function partRow(name: string, size: string | null, cost: number | null): TemplateResult {
  return html`<li class="spend-part">
    <span class="spend-part-name" title=${name}>${visibleText(name)}</span> ${size === null ? nothing : html`<span class="spend-part-size">${size}</span>`}
    <span class="spend-part-cost">${cost === null ? '' : roughPrice(cost)}</span>
  </li>`;
}
