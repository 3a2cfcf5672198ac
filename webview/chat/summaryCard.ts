import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryForecast } from '../../src/protocol/compaction.js';
import { linkButton } from '../shared/buttons.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import { counted, thousands, tokens } from '../shared/numbers.js';
import { openSummary } from './openSummary.js';

type Now = NonNullable<SummaryForecast['now']>;

/** `would free 31k`, below the bar of the meter. It opens a card that says what a summary would do now, and when it happens by itself. */
export class SummaryCardElement extends LightElement {
  static override properties = reactive(['forecast', 'onSettings'], ['isOpen']);
  declare forecast: SummaryForecast;
  declare onSettings: () => void;
  declare private isOpen: boolean;

  constructor() {
    super();
    this.isOpen = false;
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.isOpen) {
        event.preventDefault();
        this.#leave();
      }
    });
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) {
        this.#close();
      }
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { forecast, isOpen } = this;
    const { now } = forecast;
    return now === null
      ? nothing
      : html`<button
            type="button"
            class="link-button figures"
            aria-label=${`Summarizing ${wouldFree(now)} tokens`}
            aria-expanded=${isOpen}
            @click=${this.#toggle}
          >
            ${wouldFree(now)}
          </button>
          ${
            isOpen
              ? summaryCard(forecast, now, {
                  onSummarize: () => {
                    this.#leave();
                    openSummary(this, null);
                  },
                  onSettings: () => {
                    this.#leave();
                    this.onSettings();
                  },
                })
              : nothing
          }`;
  }

  /** The focus goes to the button, as not all browsers do by themselves: it closes the card when it leaves. */
  readonly #toggle = (): void => {
    this.isOpen = !this.isOpen;
    this.querySelector('button')?.focus();
  };

  #close(): void {
    this.isOpen = false;
  }

  /** The focus goes back to the button, before that of the card goes. */
  #leave(): void {
    this.querySelector('button')?.focus();
    this.#close();
  }
}

export function wouldFree({ tokens: replaced, summaryTokens }: Now): string {
  return `would free ${thousands(replaced - summaryTokens)}`;
}

/** What a summary would do now. A `tabindex`, so that a click into the card does not close it. */
export function summaryCard(
  { trigger }: SummaryForecast,
  now: Now,
  on: { readonly onSummarize: () => void; readonly onSettings: () => void },
): TemplateResult {
  return html`<div class="summary-card" role="group" aria-label="Summary" tabindex="-1">
    <p>
      <strong>Summarizing</strong> turns ${counted(now.messages, 'message')}, ${counted(now.tokens, 'token')}, into about
      ${tokens(now.summaryTokens)}.
    </p>
    <p class="hint">${whenInWords(trigger)}</p>
    <div class="summary-card-actions">${linkButton('Summarize…', on.onSummarize)} ${linkButton('Chat settings', on.onSettings)}</div>
  </div>`;
}

function whenInWords(trigger: SummaryForecast['trigger']): string {
  if (trigger === null) {
    return 'In this chat it happens only by hand.';
  }
  if (trigger.then === 'putOff') {
    return 'You have put it off: you are asked again after a summary.';
  }
  const what = trigger.then === 'asked' ? 'You are asked' : 'It happens by itself';
  if (trigger.left <= 0) {
    return `${what} after the next reply.`;
  }
  return `${what} at ${counted(trigger.at, trigger.unit === 'tokens' ? 'token' : 'message')}, ${tokens(trigger.left)} from here.`;
}
