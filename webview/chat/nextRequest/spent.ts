import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { SpentInPeriod, SpentSums } from '../../../src/protocol/panel/toWebview.js';
import type { ChatUsageView, OwnCost } from '../../../src/protocol/panel/view.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { basisMark, counted, markedPrice, price, tokens } from '../../shared/numbers.js';

/** The cost of the chat. Its tooltip adds the cost of all chats today and this week. A click opens the usage. */
export class SpentElement extends LightElement {
  static override properties = reactive(['chatId', 'spent'], ['sums']);
  declare chatId: string;
  declare spent: ChatUsageView;
  /** Null until the host has computed the sums. */
  declare private sums: SpentSums | null;

  constructor() {
    super();
    this.sums = null;
    // Another window of the same workspace may have sent requests.
    this.addEventListener('pointerenter', this.#ask);
    this.addEventListener('focusin', this.#ask);
  }

  summed(sums: SpentSums): void {
    this.sums = sums;
  }

  protected override render(): TemplateResult {
    return spentButton(this.spent, this.sums, posting({ type: 'showUsage', chatId: this.chatId }));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { cost, unknownRequests } = this.spent;
    const before = changed.get('spent');
    if (changed.has('spent') && (before?.cost !== cost || before.unknownRequests !== unknownRequests)) {
      this.#ask();
    }
  }

  readonly #ask = (): void => {
    post(this, { type: 'sumSpending' });
  };
}

export function spentButton(spent: ChatUsageView, sums: SpentSums | null, onClick: (event: Event) => void): TemplateResult {
  const lines = [sumsInWords(spent, sums), ...ownInWords(spent), tokensInWords(spent)];
  return html`<button
    type="button"
    class="figures spent ${spent.cost === null ? 'no-price' : ''}"
    title=${[...lines, 'Show usage'].join('\n')}
    aria-label="${lines.join(' ')} Show usage"
    @click=${onClick}
  >
    ${figures(spent)}
  </button>`;
}

function figures({ cost, unknownRequests, inputTokens, outputTokens, inputEstimated, outputEstimated }: ChatUsageView): string {
  if (cost === null) {
    return `${basisMark(inputEstimated ? 'estimate' : 'exact')}${tokens(inputTokens)} in, ${basisMark(outputEstimated ? 'estimate' : 'exact')}${tokens(outputTokens)} out`;
  }
  if (unknownRequests > 0) {
    return markedPrice('≥', price(cost));
  }
  return chatPrice(cost, inputEstimated || outputEstimated);
}

function chatPrice(cost: number, isEstimate: boolean): string {
  return isEstimate ? markedPrice('≈', price(cost)) : price(cost);
}

/** Returns the cost of the chat, of the day and of the week: `This chat $0.5554, today $0.8120, this week $3.81.` */
function sumsInWords(spent: ChatUsageView, sums: SpentSums | null): string {
  const parts = [
    `This chat ${costInWords(spent, spent.inputEstimated || spent.outputEstimated)}`,
    ...(sums === null ? [] : [`today ${costInWords(sums.day, false)}`, `this week ${costInWords(sums.week, false)}`]),
  ];
  return `${parts.join(', ')}.`;
}

const OWN_WORDS: Readonly<Record<OwnCost['purpose'], string>> = {
  title: 'the title',
  summary: 'summaries',
  topic: 'finding the topic',
  keepWarm: 'keeping the cache warm',
  embedding: 'comparing by meaning',
  count: 'counting tokens',
};

/** Returns the costs besides replies: `Of this chat, $0.0022 for the title, $0.0300 for summaries.` */
function ownInWords({ own }: ChatUsageView): readonly string[] {
  const parts = own.map(({ purpose, cost }) => `${price(cost)} for ${OWN_WORDS[purpose]}`);
  return parts.length === 0 ? [] : [`Of this chat, ${parts.join(', ')}.`];
}

function costInWords({ cost, unknownRequests }: SpentInPeriod, isEstimate: boolean): string {
  if (unknownRequests === 0) {
    return cost === null ? 'not billed' : chatPrice(cost, isEstimate);
  }
  const unknown = counted(unknownRequests, 'request');
  return cost === null ? `unknown price (${unknown})` : `at least ${price(cost)} (${unknown} of unknown cost)`;
}

function tokensInWords({ inputTokens, outputTokens, inputEstimated, outputEstimated }: ChatUsageView): string {
  const [input, output] = [inputEstimated, outputEstimated].map((isEstimate) => basisMark(isEstimate ? 'estimate' : 'exact'));
  return `${input ?? ''}${tokens(inputTokens)} tokens in, ${output ?? ''}${tokens(outputTokens)} out, replies on other branches included.`;
}
