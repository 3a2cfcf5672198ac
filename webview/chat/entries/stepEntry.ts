import { html, nothing, type TemplateResult } from 'lit';
import type { AssistantEntry, EntryView, PartView } from '../../../src/protocol/panel/entries.js';
import type { ToolCallView, WrittenFileView } from '../../../src/protocol/panel/toolCalls.js';
import { callsOf, hasVisibleContent, isAlwaysVisible, isStep } from '../../../src/protocol/panel/turnSteps.js';
import type { ShownTurn } from '../conversation/shownTurns.js';
import { callLine, callsLine, isExcludedAlone } from '../request/exclusion.js';
import { repeatLine } from '../request/repeats.js';
import type { EntryScope } from '../request/scope.js';
import { answeredBy, ending, footer, groupParts, type PartGroup, groupView, replyExtras, splitOff } from './assistantEntry.js';
import { filesWritten } from './filesWritten.js';
import { pinned } from './messageMenu.js';
import { requestPrice } from './stepRow.js';
import { callPart, toolCalls, type CallExtras } from './toolCalls.js';
import { areCallsExcluded, turnFoot, turnLine } from './turnLine.js';

interface Step {
  readonly entry: AssistantEntry;
  readonly turn: ShownTurn;
  readonly scope: EntryScope;
}

type CallGroup = Extract<PartGroup, { readonly type: 'calls' }>;

/**
 * Whether an entry is visible. A closed turn hides steps without text, and a reply before its first text.
 * `noted`: the ids of the replies with a note below that says how they ended.
 */
export function isShown(entry: EntryView, turn: ShownTurn | null, noted: ReadonlySet<string>): boolean {
  if (entry.kind !== 'assistant' || turn === null || turn.isOpen || turn.entries[0]?.id === entry.id) {
    return true;
  }
  const { status, id } = entry;
  return hasVisibleContent(entry) || (status === 'done' ? !isStep(entry) : status !== 'streaming' && !noted.has(id));
}

/**
 * A reply with tool calls. Its texts are always visible, its calls only while the turn is open or while a call waits
 * for the user. The first step has the line of the turn.
 */
export function stepEntry(entry: AssistantEntry, turn: ShownTurn, scope: EntryScope): TemplateResult {
  const isHead = turn.entries[0]?.id === entry.id;
  const groups = groupParts(entry.parts);
  return html`<article
    tabindex="-1"
    class="entry assistant step-entry ${isHead ? '' : 'in-turn'} ${entry.excluded === 'turn' ? 'is-left-out' : ''}"
    data-turn=${turn.steps.id}
    aria-label="Assistant"
    aria-busy=${entry.status === 'streaming'}
  >
    ${contents(groups, isHead, { entry, turn, scope })} ${answeredBy(entry)} ${replyExtras(entry.extras)} ${ending(entry, scope)}
    ${turn.isOpen ? opened(groups, { entry, turn, scope }) : pinOf(entry, scope)}
  </article>`;
}

/** The visible parts of a reply. The line of the turn is above the first calls of the first step. */
function contents(groups: readonly PartGroup[], isHead: boolean, step: Step): readonly TemplateResult[] {
  const line = isHead ? groups.findIndex(({ type }) => type === 'calls') : -1;
  const isVisible = (group: PartGroup): boolean => step.turn.isOpen || partsOf(group).some(isAlwaysVisible);
  return groups.map(
    (group, at) => html`${at === line ? turnLine(step.turn, step.scope) : nothing}${isVisible(group) ? content(group, step) : nothing}`,
  );
}

function partsOf(group: PartGroup): readonly PartView[] {
  return group.type === 'calls' ? group.calls : group.type === 'images' ? group.images : [group.part];
}

/** What follows the rows of a step in an open turn. The figures of its request appear when a row is open. */
function opened(groups: readonly PartGroup[], { entry, turn, scope }: Step): TemplateResult {
  const isAnyRowOpen = groups.some((group) => group.type === 'calls' && isRowOpen(group, scope));
  return html`${splitOff(entry)} ${filesWritten(filesWithoutRow(entry), scope)}
    ${isAnyRowOpen && entry.status !== 'streaming' ? footer(entry, scope) : pinOf(entry, scope)}
    ${turn.entries.at(-1)?.id === entry.id ? turnFoot(turn, scope) : nothing}`;
}

function pinOf(entry: AssistantEntry, scope: EntryScope): TemplateResult | typeof nothing {
  return entry.isPinned ? html`<div class="reply-line"><div class="actions">${pinned(entry, scope)}</div></div>` : nothing;
}

function isRowOpen({ index, calls }: CallGroup, scope: EntryScope): boolean {
  return calls.some((_, at) => scope.isOpen(callPart(index, at)));
}

function content(group: PartGroup, { entry, turn, scope }: Step): TemplateResult | typeof nothing {
  if (group.type !== 'calls') {
    return groupView(group, { entry, scope });
  }
  const { calls, index } = group;
  const beside = callExtras(entry, scope);
  const rows = toolCalls(calls, index, { scope, beside, attemptId: entry.id, isOpen: turn.isOpen });
  // One line below the rows says so when all calls of the turn are excluded.
  const hasLine = entry.status !== 'streaming' && turn.isOpen && !areCallsExcluded(turn);
  return html`<div class="calls ${entry.excluded === 'calls' ? 'calls-left-out' : ''}">
    ${rows} ${hasLine ? callsLine(entry, isRowOpen(group, scope), scope) : nothing}
  </div>`;
}

/** Returns a reply's additions to its tool calls: changed files, and lines about excluded calls. */
function callExtras(entry: AssistantEntry, scope: EntryScope): CallExtras {
  const [first] = callsOf(entry);
  return {
    below: (call, isOpen) =>
      html`${isOpen ? filesWritten(filesOf(call, entry), scope) : nothing} ${repeatLine(scope.repeats[call.callId])}
      ${entry.status === 'streaming' ? nothing : callLine(call, { entry, isOpen, scope })}`,
    isDimmed: (call) => isExcludedAlone(call, entry),
    lines: (call) => filesOf(call, entry).map(changedLines).join(' '),
    price: (call) => (call.callId === first?.callId ? requestPrice(entry) : ''),
  };
}

function changedLines(file: WrittenFileView): string {
  if (file.kind === 'unapplied') {
    return '';
  }
  const { added, removed, state } = file;
  const lines = added === null || removed === null ? 'changed' : `+${String(added)} −${String(removed)}`;
  return state === 'undone' ? `${lines} undone` : lines;
}

/** Returns the files that the row of a call shows. Of two edits of a file in one step, the first row shows the file. */
function filesOf({ callId, subject }: ToolCallView, entry: AssistantEntry): readonly WrittenFileView[] {
  return entry.files.filter((file) =>
    file.kind === 'unapplied'
      ? file.callId === callId
      : callsOf(entry).find((call) => call.subject === file.path)?.callId === callId && subject === file.path,
  );
}

/** Returns the changed files that no row of a call names. */
function filesWithoutRow(entry: AssistantEntry): readonly WrittenFileView[] {
  const named = new Set(callsOf(entry).flatMap((call) => filesOf(call, entry)));
  return entry.files.filter((file) => !named.has(file));
}
