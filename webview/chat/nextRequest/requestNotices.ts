import { type TemplateResult, html, nothing } from 'lit';
import type { ObservationView } from '../../../src/protocol/forecast.js';
import type { FailedServer, NextRequestView, RepeatedRulesView, UnusedServer } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { counted, markedPrice, price, tokens } from '../../shared/numbers.js';
import { observationLine } from '../../shared/observationLine.js';
import { visibleText } from '../../shared/visibleText.js';
import { restrictedNotice } from '../notices/banners.js';
import { adaptations, warnings } from '../rows/adaptations.js';
import type { RowsScope } from '../rows/blockRows.js';
import { openSummary } from '../rows/opening.js';
import { failedServerButtons } from '../rows/serverActions.js';
import { setLimitButton } from './meter.js';

interface NoticesScope {
  readonly chatId: string;
  /** Whether the details of the next request are open. */
  readonly isOpen: boolean;
  readonly onSettings: () => void;
  /** Which notices the user has dismissed, among the open parts of the section. */
  readonly groups: Pick<RowsScope, 'isOpen' | 'toggle'>;
}

/** Notices about the next request that are visible even while its details are closed. */
export function requestNotices(view: PanelState, { chatId, isOpen, onSettings, groups }: NoticesScope): TemplateResult {
  const { nextRequest: request, failedServers, compaction } = view;
  const way = request === null || compaction?.kind === 'running' ? nothing : shortening(request, chatId);
  return html`<div class="next-request-notices" tabindex="0" role="group" aria-label="Notices about the next request">
    ${restricted(view, isOpen)}
    ${request === null ? nothing : html`${observation(request.observation, isOpen)} ${newItems(request, chatId)} ${failed(failedServers, isOpen, groups)} ${remarks(request, way, onSettings)}`}
  </div>`;
}

/** Notes about content that the user may want to remove: unused items and servers, and repeated rules. */
export function removableNotes(request: NextRequestView, chatId: string): TemplateResult {
  return html`${unused(request, chatId)} ${request.unusedServers.map((server) => unusedServer(server, request, chatId))}
  ${repeated(request.repeatedRules, chatId)}`;
}

/** Names the rules that repeat other rules, with buttons to remove them, and the sections that are sent once. */
function repeated({ sections, rules, agent }: RepeatedRulesView, chatId: string): TemplateResult {
  const once =
    sections === 0 ? nothing : note(html`${counted(sections, 'repeated section')} of rules ${sections === 1 ? 'is' : 'are'} sent once.`);
  const [first, second] = rules;
  if (first === undefined) {
    return html`${once}`;
  }
  const size = `≈\u00A0${tokens(rules.reduce((sum, rule) => sum + rule.tokens, 0))}`;
  const names = rules.map(({ name }) => revealHidden(name));
  const turnOff = agent === null ? 'Turn off in all chats' : `Turn off for ${revealHidden(agent)}`;
  const what =
    second === undefined
      ? html`${visibleText(first.name)} repeats ${size} tokens of ${visibleText(first.of)}.`
      : html`${shortList(names)} repeat ${size} tokens of other rules.`;
  const compare =
    second === undefined
      ? html`${linkButton('Compare', posting({ type: 'compareItem', chatId, key: first.key, source: first.source }))} ·`
      : nothing;
  const omit = (from: 'chat' | 'all'): ((event: Event) => void) =>
    posting({ type: 'omitRepeats', chatId, keys: rules.map(({ key }) => key), from });
  return html`${once}
  <p class="rewritten" title=${rules.map(({ name, of }) => `${revealHidden(name)}: ${revealHidden(of)}`).join('\n')}>
    ${icon('info')}<span
      >${what} ${compare} ${linkButton('Remove from this chat', omit('chat'))} · ${linkButton(turnOff, omit('all'))}</span
    >
  </p>`;
}

function note(text: TemplateResult): TemplateResult {
  return html`<p class="rewritten">${icon('info')}<span>${text}</span></p>`;
}

/** Returns the names, or the first one and the number of the others. */
function shortList(names: readonly string[]): string {
  return names.length > MOST_NAMES ? `${names[0] ?? ''} and ${tokens(names.length - 1)} more` : names.join(' and ');
}

/** Lists items that no recent reply has used, with a button to remove the items. */
function unused({ unused: { keys, tokens: size, replies } }: NextRequestView, chatId: string): TemplateResult | typeof nothing {
  if (keys.length === 0) {
    return nothing;
  }
  const them = keys.length === 1 ? 'it' : 'them';
  return html`<p class="rewritten">
    ${icon('info')}<span
      >The last ${replies} replies did not use ${counted(keys.length, 'item')} (${tokens(size)} tokens in each request).
      ${linkButton(`Remove ${them}`, posting({ type: 'removeItems', chatId, keys: [...keys] }))}</span
    >
  </p>`;
}

/** Names a server whose tools the model has not called for a long time, with a button to remove the server. */
function unusedServer({ name, tokens: size }: UnusedServer, { unused: { replies } }: NextRequestView, chatId: string): TemplateResult {
  return html`<p class="rewritten">
    ${icon('info')}<span
      >The last ${replies} replies called no tool of ${visibleText(name)} (${tokens(size)} tokens in each request).
      ${linkButton('Remove it', posting({ type: 'removeServer', chatId, server: name }))}</span
    >
  </p>`;
}

/** The notice about Restricted Mode, in an empty chat and in open details. Nothing without a workspace folder. */
function restricted({ nextRequest: request, hasFolder, entries }: PanelState, isOpen: boolean): TemplateResult | typeof nothing {
  const isTold = hasFolder && (isOpen || entries.length === 0);
  return isTold && request?.isRestricted === true ? restrictedNotice() : nothing;
}

/** Explains why the request cannot be sent, with buttons to settings or a summary that can solve the problem. */
function problem(
  { problem: text, isOwnLimit, assumedLimit, offersSummary }: NextRequestView,
  way: ProblemAction,
  onSettings: () => void,
): TemplateResult | typeof nothing {
  return text === null
    ? nothing
    : html`<div class="problem">
        ${icon('warning')}<span>${visibleText(text)} ${way} ${offersSummary ? linkButton('Summarize…', summarize) : nothing} ${isOwnLimit ? linkButton('Open chat settings', onSettings) : nothing} ${assumedLimit === null ? nothing : setLimitButton(assumedLimit, 'Set its size')}</span>
      </div>`;
}

const MOST_NAMES = 2;

function summarize({ currentTarget }: Event): void {
  if (currentTarget !== null) {
    openSummary(currentTarget, null);
  }
}

/** A button next to the text of a problem. A click can solve the problem. */
type ProblemAction = TemplateResult | typeof nothing;

/** Offers to let the model shorten a message that is too long even without other content. Does not send the message. */
function shortening({ shortening: offered }: NextRequestView, chatId: string): ProblemAction {
  const priced = offered?.cost === null || offered === null ? '' : ` (${markedPrice('≈', price(offered.cost))})`;
  return offered === null ? nothing : linkButton(`Shorten message${priced}`, posting({ type: 'shortenMessage', chatId }));
}

/** Lists servers with tools of unknown size. *Start now* asks first when a workspace server needs approval. */
function startingServers({ unknownServers, newToolsCost, isPretended }: NextRequestView): TemplateResult | typeof nothing {
  if (unknownServers.length === 0) {
    return nothing;
  }
  const stopped = unknownServers.filter(({ isStarting }) => !isStarting);
  const start = (event: Event): void => {
    for (const { name } of stopped) {
      posting({ type: 'restartServer', server: name })(event);
    }
  };
  const more =
    newToolsCost === null
      ? ''
      : `. ${isPretended ? 'This would rebuild' : 'This rebuilds'} the cache once: about ${price(newToolsCost)} more`;
  const names = unknownServers.map(({ name }) => revealHidden(name));
  return html`<p class="rewritten" title=${names.join(', ')}>
    ${icon('tools')}<span
      >+ tools of ${shortList(names)}, size unknown until ${names.length === 1 ? 'the server starts' : 'the servers start'} with this message${more}
      ${stopped.length === 0 ? nothing : html`· ${linkButton('Start now', start)}`}</span
    >
  </p>`;
}

const REWRITTEN: Readonly<Record<NonNullable<NextRequestView['rewritten']>, string>> = {
  afterSummary: 'the text after the summary goes',
  beginning: 'the beginning of the request and the text after the summary go',
  whole: 'the whole request goes',
};

/** Shows problems, changes to the conversation for this model, and the cache writes after a new summary. */
function remarks(request: NextRequestView, way: ProblemAction, onSettings: () => void): TemplateResult {
  const shortened = html`<p class="rewritten">${icon('info')}<span>The request does not fit. When you send, Loupe first summarizes the beginning of the chat.</span></p>`;
  return html`${problem(request, way, onSettings)} ${request.isShortened ? shortened : nothing} ${startingServers(request)} ${warnings(request.warnings)} ${adaptations(request.adaptations)}
    ${request.rewritten === null ? nothing : html`<p class="rewritten">${icon('info')}<span>The next message costs more, once: ${REWRITTEN[request.rewritten]} into the cache again.</span></p>`}`;
}

/** Names the failed servers that the chat uses, with the reason and what the user can do. */
function failed(all: readonly FailedServer[], isOpen: boolean, groups: NoticesScope['groups']): TemplateResult | typeof nothing {
  const servers = all.filter((server) => isOpen || !groups.isOpen(dismissedPart(server)));
  return servers.length === 0
    ? nothing
    : html`<ul class="adaptations warning" aria-label="Failed servers">
        ${servers.map((server) => html`<li>${icon(server.wantsSignIn ? 'account' : 'warning')}<span>${visibleText(failedText(server))} ${failedServerButtons(server)}</span>${isOpen ? nothing : dismissButton(server, groups)}</li>`)}
      </ul>`;
}

/** Hides a server while the details are closed, until it fails for another reason. */
function dismissButton(server: FailedServer, groups: NoticesScope['groups']): TemplateResult {
  return iconButton({
    label: `Dismiss ${revealHidden(server.name)}`,
    icon: 'close',
    onClick: () => {
      groups.toggle(dismissedPart(server));
    },
  });
}

function dismissedPart({ name, problem }: FailedServer): string {
  return `dismissed:${name}:${problem}`;
}

function failedText({ name, problem, wantsSignIn }: FailedServer): string {
  return wantsSignIn
    ? `${name}: ${problem} Until then, its tools are not sent.`
    : [`The MCP server "${name}" failed.`, problem, 'Its tools are not sent.'].filter((text) => text !== '').join(' ');
}

/** Offers to add the catalog items that are newer than the chat. */
function newItems({ newItems: items }: NextRequestView, chatId: string): TemplateResult | typeof nothing {
  const [first] = items;
  if (first === undefined) {
    return nothing;
  }
  const keys = items.map(({ key }) => key);
  const what = items.length === 1 ? html`${visibleText(first.name)} was` : html`${tokens(items.length)} ${kindsOf(keys)} were`;
  return html`<p class="rewritten new-items">
    ${icon('info')}<span
      >${what} added after this chat began. ${linkButton('Use here', posting({ type: 'addCatalogItems', chatId, keys }))}
      · ${linkButton('Do not use', posting({ type: 'leaveOutItems', chatId, keys }))}</span
    >
  </p>`;
}

/** Returns the kinds of the items with these keys: `rules`, `rules and skills`. */
function kindsOf(keys: readonly string[]): string {
  const kinds = ['rule', 'reference', 'skill'].filter((kind) => keys.some((key) => key.startsWith(`${kind}:`))).map((kind) => `${kind}s`);
  return [kinds.slice(0, -1).join(', '), ...kinds.slice(-1)].filter((words) => words !== '').join(' and ');
}

/** What Loupe observed about the cache. While the section is closed, only alarms are shown. */
function observation(view: ObservationView | null, isOpen: boolean): TemplateResult | typeof nothing {
  return view === null || !(isOpen || view.isAlarm)
    ? nothing
    : observationLine(view, {
        showRequest: ({ chatId, attemptId }) => posting({ type: 'showRequest', chatId, messageId: attemptId }),
        showPrices: posting({ type: 'showPrices' }),
      });
}
