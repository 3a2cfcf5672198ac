import { html, nothing, type TemplateResult } from 'lit';
import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { ReplyExtra } from '../../../src/protocol/panel/view.js';
import type { AssistantEntry, ImageView, PartView, SizeBasis } from '../../../src/protocol/panel/entries.js';
import { disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { copyButton, copyText } from '../../shared/controls/copyButton.js';
import { post, posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { counted, duration, isNotable, fileSize } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { contextInBrief, contextUsed } from '../request/contextUsed.js';
import { contextHint, usageHint } from '../rows/hint.js';
import type { RowsScope } from '../rows/blockRows.js';
import { CONTEXT_USED, entryPart } from './rowsToShow.js';
import { replyLine, streamingLine } from './usageLine.js';
import type { EntryScope } from '../request/scope.js';
import { menuItems, messageMenu, pinned } from './messageMenu.js';
import { showRequestButton } from './showRequestButton.js';
import { failedAttempts } from '../notes/failedAttempts.js';
import { thumbnails } from './thumbnails.js';

/** Statuses of replies from which the user can fork the chat. Replies that broke off are not in the conversation. */
const FORKABLE: ReadonlySet<AssistantEntry['status']> = new Set(['done', 'stopped', 'cutOff', 'refused', 'endedEarly']);

const ENDINGS = {
  cutOff: 'The reply reached its maximum length',
  refused: "The provider's content filter blocked the reply",
  endedEarly: 'Ended early',
  stopped: 'Stopped',
  incomplete: 'Incomplete',
  interrupted: 'Interrupted',
} as const;

/** A reply without tool calls. Shows no price in a turn with steps, because the line of the steps has the total. */
export function assistantEntry(entry: AssistantEntry, scope: EntryScope): TemplateResult {
  const isStreaming = entry.status === 'streaming';
  const isInTurn = scope.turn !== null;
  return html`<article tabindex="-1" class="entry assistant ${entry.excluded === 'turn' ? 'is-left-out' : ''} ${isInTurn ? 'in-turn' : ''} ${scope.isNewest ? '' : 'older'}" aria-label="Assistant" aria-busy=${isStreaming}>
    ${groupParts(entry.parts).map((group) => (group.type === 'calls' ? nothing : groupView(group, { entry, scope })))}
    ${answeredBy(entry)} ${replyExtras(entry.extras)}
    ${isStreaming ? html`${waiting(entry)}${streamingLine(entry, scope.output, isInTurn)}` : html`${ending(entry, scope)}${footer(entry, scope)}`}
  </article>`;
}

export function groupView(
  group: Exclude<PartGroup, { readonly type: 'calls' }>,
  at: { entry: AssistantEntry; scope: EntryScope },
): TemplateResult | typeof nothing {
  return group.type === 'images'
    ? thumbnails({ chatId: at.scope.chatId, images: group.images, more: 0, onMore: null }, 'reply-images')
    : writtenPart(group.part, group.index, at);
}

type WrittenPart = Extract<PartView, { readonly type: 'text' | 'reasoning' }>;

function writtenPart(part: WrittenPart, index: number, at: { entry: AssistantEntry; scope: EntryScope }): TemplateResult {
  const isGrowing = at.entry.status === 'streaming' && index === at.entry.parts.length - 1;
  return part.type === 'text'
    ? html`<loupe-markdown .text=${part.text} .streaming=${isGrowing}></loupe-markdown>`
    : reasoning(part, index, { isGrowing, scope: at.scope });
}

/** A text or reasoning, or tool calls or images that follow each other directly. `index` is that of the first part. */
export type PartGroup =
  | { readonly type: 'written'; readonly index: number; readonly part: WrittenPart }
  | { readonly type: 'calls'; readonly index: number; readonly calls: ToolCallView[] }
  | { readonly type: 'images'; readonly index: number; readonly images: ImageView[] };

export function groupParts(parts: readonly PartView[]): readonly PartGroup[] {
  const groups: PartGroup[] = [];
  for (const [index, part] of parts.entries()) {
    const open = groups.at(-1);
    if (part.type === 'toolCall' && open?.type === 'calls') {
      open.calls.push(part);
    } else if (part.type === 'image' && open?.type === 'images') {
      open.images.push(part);
    } else {
      groups.push(groupOf(part, index));
    }
  }
  return groups;
}

function groupOf(part: PartView, index: number): PartGroup {
  switch (part.type) {
    case 'toolCall':
      return { type: 'calls', index, calls: [part] };
    case 'image':
      return { type: 'images', index, images: [part] };
    case 'text':
    case 'reasoning':
      return { type: 'written', index, part };
  }
}

/** Returns the name of a reasoning. `index`: its index in the parts of the reply. */
export function reasoningPart(index: number): string {
  return `reasoning-${String(index)}`;
}

function reasoning(
  { text, ms }: Extract<PartView, { readonly type: 'reasoning' }>,
  index: number,
  at: { isGrowing: boolean; scope: EntryScope },
): TemplateResult {
  const name = reasoningPart(index);
  const isOpen = at.scope.isOpen(name);
  return html`<div class="reasoning" data-part=${name}>
    ${disclosure(ms === null || !isNotable(ms) ? 'Reasoning' : `Reasoning · ${duration(ms)}`, isOpen, () => {
      at.scope.toggle(name);
    })}
    ${isOpen ? reasoningText(text, at.isGrowing) : nothing}
  </div>`;
}

function reasoningText(text: string, isGrowing: boolean): TemplateResult {
  return text === ''
    ? html`<p class="hint">Loupe cannot show the reasoning: the provider sent it encrypted or empty.</p>`
    : html`<loupe-markdown .text=${text} .streaming=${isGrowing}></loupe-markdown>`;
}

/** Shows that the model is working, while no text arrives. */
function waiting(entry: AssistantEntry): TemplateResult | typeof nothing {
  const last = entry.parts.at(-1);
  if (last?.type === 'text') {
    return nothing;
  }
  const words = last === undefined ? 'Waiting for the model' : 'Working';
  return html`<div class="waiting"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${words}</div>`;
}

/** Describes how a reply ended. Nothing after a normal end with content. */
export function ending(entry: AssistantEntry, scope: EntryScope): TemplateResult | typeof nothing {
  const end = endingInWords(entry, scope);
  return end === null ? nothing : html`<div class="ending">${icon('circle-slash')}<span>${end}</span></div>`;
}

function endingInWords(entry: AssistantEntry, scope: EntryScope): TemplateResult | null {
  const { status } = entry;
  if (status === 'done') {
    return saysNothing(entry) ? html`The model sent an empty reply${retryOfEmpty(scope)}` : null;
  }
  if (status === 'streaming' || scope.isEndNoted) {
    return null;
  }
  const isEmpty = (status === 'cutOff' || status === 'endedEarly') && saysNothing(entry);
  return html`${ENDINGS[status]}${isEmpty ? ' before any text arrived' : nothing}${because(entry)}${isEmpty ? retryOfEmpty(scope) : continuing(entry, scope)}`;
}

/** Offers to ask the model for the rest of a reply that the provider ended early. */
function continuing({ canContinue }: AssistantEntry, { isLocked, chatId }: EntryScope): TemplateResult | typeof nothing {
  return canContinue && !isLocked ? html` · ${linkButton('Continue', posting({ type: 'continue', chatId }))}` : nothing;
}

/** Whether a reply has no content except reasoning. */
function saysNothing({ parts, extras }: AssistantEntry): boolean {
  return extras.length === 0 && parts.every((part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''));
}

function retryOfEmpty(scope: EntryScope): TemplateResult | typeof nothing {
  const retry = retryIn(scope);
  return retry === null || scope.isLocked ? nothing : html` · ${linkButton('Retry', retry)}`;
}

/** Returns what gets a new reply to the same message, or null for a reply to no message. */
function retryIn({ userMessageId, from, chatId }: EntryScope): (() => void) | null {
  return userMessageId === null
    ? null
    : () => {
        post(from, { type: 'retry', chatId, messageId: userMessageId });
      };
}

/** The figures, buttons and context of the request of a reply. */
export function footer(entry: AssistantEntry, scope: EntryScope): TemplateResult {
  const context = entry.contextUsed === null ? null : contextInBrief(entry.contextUsed, scope.replyUses);
  const isOpen = scope.isOpen(CONTEXT_USED);
  const onToggle = (): void => {
    scope.toggle(CONTEXT_USED);
  };
  const hasPrice = scope.turn === null;
  return html`${replyLine(entry, { isNewModel: scope.isNewModel, hasPrice, context, isOpen, onToggle, actions: actions(entry, scope) })}
    ${scope.introduction === 'usage' && entry.usage !== null ? usageHint(entry.usage) : nothing}
    ${contextUsed({
      context: entry.contextUsed,
      rows: scope.contextRows,
      uses: scope.replyUses,
      isOpen,
      scope: contextScope(scope, entry.contextUsed?.basis ?? 'estimate'),
    })}
    ${isOpen && entry.failures.length > 0 ? failedBefore(entry, scope) : nothing}
    ${scope.introduction === 'contextUsed' ? contextHint() : nothing}`;
}

/** Lists the requests that failed before this reply. */
function failedBefore({ failures }: AssistantEntry, scope: EntryScope): TemplateResult {
  return html`<div class="failed-before">
    <div class="failed-before-head">${`${counted(failures.length, 'request')} failed before this reply`}</div>
    ${failedAttempts(failures, scope)}
  </div>`;
}

/** Names the model that replied, if the provider used another model than Loupe requested. */
export function answeredBy({ answeredBy: id }: AssistantEntry): TemplateResult | typeof nothing {
  return id === null
    ? nothing
    : html`<div class="ending">${icon('arrow-swap')}<span>${visibleText(id)} replied instead of the requested model.</span></div>`;
}

/** Shows the number of tool calls that the model wrote inside the arguments of other calls. */
export function splitOff({ parts }: AssistantEntry): TemplateResult | typeof nothing {
  const count = parts.filter((part) => part.type === 'toolCall' && part.isSplitOff).length;
  const own = count === 1 ? 'it as a separate call' : 'them as separate calls';
  return count === 0
    ? nothing
    : html`<div class="ending">
        ${icon('split-horizontal')}<span>The model wrote ${counted(count, 'call')} into the arguments of another call. Loupe runs ${own}.</span>
      </div>`;
}

function because({ finishReason }: AssistantEntry): TemplateResult | typeof nothing {
  return finishReason === null ? nothing : html`. Reason from the provider: ${visibleText(finishReason)}`;
}

function contextScope(scope: EntryScope, basis: SizeBasis): RowsScope {
  return {
    chatId: scope.chatId,
    hasSwitches: false,
    prices: null,
    basis,
    isOpen: (group) => scope.isOpen(entryPart(CONTEXT_USED, group)),
    toggle: (group) => {
      scope.toggle(entryPart(CONTEXT_USED, group));
    },
  };
}

/** A narrow panel has *Copy* and *Retry* in the menu, if the reply has a menu. */
function actions(entry: AssistantEntry, scope: EntryScope): TemplateResult {
  const isMessage = FORKABLE.has(entry.status);
  const text = (): string =>
    entry.parts
      .filter((part) => part.type === 'text')
      .map((part) => part.text)
      .join('\n\n');
  const { from, isLocked } = scope;
  const retry = retryIn(scope);
  const copy = (): void => {
    copyText(from, text());
  };
  const item = (label: string, detail: string, onChoose: () => void): MenuItem => ({ label, detail, note: null, onChoose, below: 340 });
  const items = [
    item('Copy', 'Copies the text of the reply', copy),
    ...(retry === null || isLocked ? [] : [item('Retry', 'Gets a new reply to the same message', retry)]),
    ...menuItems({ ...entry, isTurnExcluded: entry.excluded === 'turn', canFork: true }, scope),
  ];
  return html`${pinned(entry, scope)}${entry.contextUsed === null ? nothing : showRequestButton(entry.id, scope)}
  <span class="copy-retry ${isMessage ? 'above-340' : ''}">
    ${copyButton(text)}${retry === null ? nothing : iconButton({ label: 'Retry', icon: 'refresh', disabled: isLocked, onClick: retry })}
  </span>
  ${messageMenu(isMessage ? items : [])}`;
}

/** Shows the sources of a reply. Loupe does not fetch them. A click opens a source in the browser. */
export function replyExtras(extras: readonly ReplyExtra[]): TemplateResult | typeof nothing {
  return extras.length === 0
    ? nothing
    : html`<ul class="reply-extras" aria-label="Sources of the reply">
        ${extras.map((extra) => html`<li>${extraLine(extra)}</li>`)}
      </ul>`;
}

function extraLine(extra: ReplyExtra): TemplateResult {
  if (extra.type === 'image') {
    return html`Image (${visibleText(extra.mimeType)}, ${fileSize(extra.bytes)}). Loupe could not save it.`;
  }
  const { url, title } = extra;
  const words = visibleText(title === '' ? url : title);
  return html`Source: ${/^https?:\/\//i.test(url) ? html`<a href=${url} title=${url}>${words}</a>` : words}`;
}
