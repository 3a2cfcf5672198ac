import { html, nothing, type TemplateResult } from 'lit';
import type { UsageQuota } from '../../src/protocol/usage/usage.js';
import { visibleText } from '../shared/visibleText.js';

/** The rate limits that providers reported, by provider. Nothing without a limit that applies now. */
export function quotas(all: readonly UsageQuota[]): TemplateResult | typeof nothing {
  if (all.length === 0) {
    return nothing;
  }
  const providers = new Map(all.map(({ provider, providerLabel }) => [provider, providerLabel]));
  return html`<section class="quotas" aria-labelledby="quotas">
    <h2 id="quotas">Rate limits</h2>
    ${[...providers].map(
      ([provider, label]) => html`<h3>${visibleText(label)}</h3>
        <ul>
          ${all
            .filter((quota) => quota.provider === provider)
            .map(
              ({ model, text }) => html`<li><span class="quota-model">${visibleText(model)}</span> <span class="hint">${text}</span></li>`,
            )}
        </ul>`,
    )}
  </section>`;
}
