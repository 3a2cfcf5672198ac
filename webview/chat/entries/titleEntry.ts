import { html, nothing, type TemplateResult } from 'lit';
import type { TitleEntry } from '../../../src/protocol/noteEntries.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { visibleText } from '../../shared/visibleText.js';
import { ownRequests } from './ownRequests.js';
import type { EntryScope } from './scope.js';

/** The title that a model wrote, or why there is none. Neither the request for it nor the title is sent to a model again. */
export function titleEntry(entry: TitleEntry, scope: EntryScope): TemplateResult {
  const { status, requests } = entry;
  return html`<div class="entry title-entry ${status}" role="note" aria-label="Title" title="Never sent to a model again. The context window stays as it was.">
    <span class="title-words">${words(entry)}</span>
    <span class="title-actions">${action(entry, scope)}</span>
    ${ownRequests(requests, scope)}
  </div>`;
}

function words({ status, title, isFirst, text }: TitleEntry): TemplateResult {
  switch (status) {
    case 'running':
      return html`Writing a title…`;
    case 'done':
      return html`${isFirst ? 'Title' : 'New title'}: <em>${visibleText(title ?? '')}</em>`;
    case 'stopped':
      return html`No title: it was stopped, or the chat was named meanwhile.`;
    case 'failed':
      return html`No title. ${visibleText(text ?? '')}`;
  }
}

function action({ status }: TitleEntry, { chatId, isLocked }: EntryScope): TemplateResult | typeof nothing {
  if (status === 'running') {
    return linkButton('Cancel', posting({ type: 'stopTitle', chatId }));
  }
  if (isLocked) {
    return nothing;
  }
  return status === 'done'
    ? linkButton('Rename', posting({ type: 'askTitle', chatId }))
    : linkButton('Try again', posting({ type: 'generateTitle', chatId }));
}
