import { html, nothing, type TemplateResult } from 'lit';
import { INTRODUCTION_STEPS, type IntroductionStep } from '../../../src/protocol/panel/view.js';
import type { UsageLine } from '../../../src/protocol/panel/entries.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { post } from '../../shared/events.js';
import { price, tokens } from '../../shared/numbers.js';

const HINTS = INTRODUCTION_STEPS.slice(1);

/** A hint below the element that the hint explains. A button sends the next step of the introduction to the host. */
function hint(step: IntroductionStep, title: string, text: string): TemplateResult {
  const number = HINTS.indexOf(step) + 1;
  const next = HINTS[number] ?? 'over';
  const goTo = (to: IntroductionStep | 'over') => (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) {
      keepFocus(event.currentTarget);
      post(event.currentTarget, { type: 'goToHint', step: to });
    }
  };
  return html`<div class="introduction-hint" role="note" aria-label="Hint" tabindex="-1">
    <strong>${title}</strong>
    <p>${text}</p>
    <div class="introduction-hint-actions">
      ${linkButton(next === 'over' ? 'Done' : 'Next', goTo(next))} <span class="figures">${number} of ${HINTS.length}</span>
      ${next === 'over' ? nothing : linkButton('No more hints', goTo('over'))}
    </div>
  </div>`;
}

/** Focuses the next hint, because the current hint disappears. After the last hint, focuses the message box. */
function keepFocus(chosen: HTMLElement): void {
  const panel = chosen.closest('loupe-chat');
  const left = chosen.closest('.introduction-hint');
  const moved = new MutationObserver(() => {
    const here = panel?.querySelector<HTMLElement>('.introduction-hint') ?? null;
    if (here !== left) {
      moved.disconnect();
      (here ?? panel?.querySelector('loupe-composer'))?.focus();
    }
  });
  moved.observe(document.body, { childList: true, subtree: true });
}

export function usageHint({ inputTokens, outputTokens, cost, isPretended, cachedTokens, writtenTokens }: UsageLine): TemplateResult {
  return hint(
    'usage',
    'Usage of this reply',
    `${tokens(inputTokens)} tokens went in and ${tokens(outputTokens)} came out${charge(cost, isPretended)}.${cacheInWords({ cachedTokens, writtenTokens })}`,
  );
}

/** Explains the cache. Empty for a reply without reported cache use. */
function cacheInWords({ cachedTokens, writtenTokens }: Pick<UsageLine, 'cachedTokens' | 'writtenTokens'>): string {
  if (cachedTokens === null || writtenTokens === null || cachedTokens + writtenTokens === 0) {
    return '';
  }
  return cachedTokens > writtenTokens
    ? ' The provider read most of the input from its cache, at a lower price.'
    : ' Next time, the provider reads most of the input from its cache, at a lower price.';
}

function charge(cost: number | null, isPretended: boolean): string {
  if (cost === null) {
    return '';
  }
  return isPretended ? `. A paid model would cost ${price(cost)}; this one is free` : `, for ${price(cost)}`;
}

export function contextHint(): TemplateResult {
  return hint(
    'contextUsed',
    'Context used',
    'Click the figures to see the content of the request, and the reason for each item: always, or added by you. The first button shows the exact request.',
  );
}

export function nextRequestHint(): TemplateResult {
  return hint('nextRequest', 'Next request', 'The request that Send would send now. Open this section to see each part with its tokens.');
}
