import { html, nothing, type TemplateResult } from 'lit';
import type { LostFactsView } from '../../../src/protocol/panel/compaction.js';
import type { SummaryEntry } from '../../../src/protocol/panel/entries.js';
import { disclosure, linkButton, linkDisclosure } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, markedPrice, price, priceInWords, tokens as figure } from '../../shared/numbers.js';
import { openSummary } from '../rows/opening.js';
import { keptFacts } from '../entries/keptFacts.js';
import { ownRequests } from './ownRequests.js';
import type { EntryScope } from '../request/scope.js';

/** A summary, which requests contain in place of the messages above. An undone summary is only one line. */
export function summaryEntry(entry: SummaryEntry, scope: EntryScope): TemplateResult {
  return entry.status === 'undone' ? undone(entry, scope) : checkpoint(entry, scope);
}

function checkpoint(entry: SummaryEntry, scope: EntryScope): TemplateResult {
  const { status, text } = entry;
  const isOpen = scope.isOpen('text');
  return html`<article tabindex="-1" class="entry" aria-label="Summary">
    <div class="checkpoint ${status}">
      <h2>Conversation summary</h2>
      <p>${sentences(entry)}</p>
      ${entry.kept.length === 0 ? nothing : keptFacts(entry.kept, scope, status === 'active' && !scope.isLocked ? restoreFact(entry, scope) : null)}
      ${scope.neededAgain === null ? nothing : html`<p class="figures">${neededAgain(scope.neededAgain)}</p>`}
      <div class="checkpoint-actions">
        ${linkDisclosure(isOpen, () => {
          scope.toggle('text');
        })}
        ${status !== 'active' || scope.isLocked ? nothing : linkButton('Edit', posting({ type: 'editSummary', chatId: scope.chatId, summaryId: entry.id }))}
        ${status === 'replaced' || scope.isLocked ? nothing : linkButton('Undo', posting({ type: 'undoSummary', chatId: scope.chatId }))}
        ${paid(entry, scope)}
        ${isOpen ? html`${window(entry)}<loupe-markdown .text=${text} .streaming=${false}></loupe-markdown>` : nothing}
      </div>
      ${scope.isOpen('requests') ? ownRequests(entry.requests, scope) : nothing}
    </div>
  </article>`;
}

/** Returns a handler that restores a fact. Focuses the entry, because the button disappears. */
function restoreFact({ id: summaryId }: SummaryEntry, { chatId, from }: EntryScope): (fact: string) => (event: Event) => void {
  return (fact) =>
    ({ currentTarget }) => {
      post(from, { type: 'bringBackFact', chatId, summaryId, fact });
      (currentTarget as Element).closest('article')?.focus({ preventScroll: true });
    };
}

/** Says how many lost facts later messages contained again, with the tokens and the price of this content. */
function neededAgain({ paths, identifiers: names, tokens, cost }: LostFactsView): string {
  const facts = [...(paths === 0 ? [] : [counted(paths, 'path')]), ...(names === 0 ? [] : [`${counted(names, 'name')} in code`])];
  const size = [...(tokens === 0 ? [] : [counted(tokens, 'token')]), ...(cost === null ? [] : [price(cost)])].join(', ');
  return `Later messages needed ${facts.join(' and ')} that the summary dropped${size === '' ? '' : ` (${size})`}.`;
}

/** Describes the sizes before and after the summary, kept messages, and whether a later summary replaced this one. */
function sentences(entry: SummaryEntry): string {
  const { messages, tokens, pins, lines } = entry;
  const before = counted(tokens.before, 'token');
  const became = `${messages === null ? before : `${counted(messages, 'message')} (${before})`} became ${counted(tokens.after, 'token')}.`;
  const beside = [...(pins === 0 ? [] : [counted(pins, 'pin')]), ...(lines === 0 ? [] : [counted(lines, 'line')])];
  return [
    became,
    ...(beside.length === 0 ? [] : [`Kept word for word: ${beside.join(', ')}.`]),
    ...(entry.form === 'leftOut' ? ['Loupe dropped these messages without a summary.'] : []),
    ...(entry.status === 'replaced' ? ['A later summary replaced this summary.'] : []),
  ].join(' ');
}

/** Shows the content of the context window after the summary: the summary, and the messages that stay word for word. */
function window({ window: after }: SummaryEntry): TemplateResult | typeof nothing {
  if (after === null) {
    return nothing;
  }
  const { summary, kept } = after;
  const sum = kept === null ? 'unknown' : counted(summary + kept, 'token');
  const beside = kept === null ? 'kept messages unknown' : `${figure(kept)} in kept messages`;
  return html`<p class="figures summary-window">Context window after this summary: ${sum} (${figure(summary)} summary, ${beside})</p>`;
}

function undone(entry: SummaryEntry, scope: EntryScope): TemplateResult {
  const { before, after } = entry.tokens;
  const back = before - after;
  return html`<article tabindex="-1" class="entry" aria-label="Summary">
    <div class="summary-undone">
      <span>${icon('discard')} Summary undone.${back > 0 ? ` Requests contain the messages again: ${counted(back, 'token')} more.` : nothing}</span>
      ${
        scope.isLocked
          ? nothing
          : linkButton('Summarize again', () => {
              openSummary(scope.from, null);
            })
      }
      ${paid(entry, scope)}
    </div>
    ${scope.isOpen('requests') ? ownRequests(entry.requests, scope) : nothing}
  </article>`;
}

/** The price of the summary, which opens its requests. The price stays when the user undoes the summary. */
function paid({ requests, cost, isAtLeast, isPretended }: SummaryEntry, scope: EntryScope): TemplateResult | typeof nothing {
  if (requests.length === 0) {
    return nothing;
  }
  const words = cost === null ? [] : [priceInWords(isAtLeast ? markedPrice('≥', price(cost)) : price(cost), isPretended)];
  return html`<span class="figures paid" title="Requests of the summary">
    ${disclosure([...words, counted(requests.length, 'request')].join(' · '), scope.isOpen('requests'), () => {
      scope.toggle('requests');
    })}
  </span>`;
}
