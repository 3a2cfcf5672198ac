import { html, nothing, type TemplateResult } from 'lit';
import type { ContextGroup, ContextItemView, ItemUse, ReplyUses } from '../../../src/protocol/panel/requestRows.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { revealHidden } from '../../shared/hidden.js';
import { counted, tokens } from '../../shared/numbers.js';
import { openManager } from './opening.js';

const WHAT_COUNTS =
  'An item is used if the texts or tool calls of the turn name, cite, quote or call it, or if a tool edits it. Other items can also have had an effect.';

/** How a turn used the item of a row. Tooltip and screen readers have all uses with their words. Nothing if unused. */
export function itemUse(uses: readonly ItemUse[]): TemplateResult | typeof nothing {
  const [first] = uses;
  if (first === undefined) {
    return nothing;
  }
  const words = uses.map(({ how, where }) => `${how}: ${revealHidden(where)}`);
  return html`<span class="item-use" title=${words.join('\n')}
    ><span aria-hidden="true">${first.how}</span><span class="sr-only">${words.join(', ')}</span></span
  >`;
}

/** The beginning of the closed line: `2 of 5 used`. Names tools only if the request has nothing else. */
export function briefUse({ items, tools, uses }: ReplyUses): string {
  const called = toolsIn(uses);
  return items === 0 ? `${tokens(called)} of ${counted(tools, 'tool')} used` : `${tokens(countIn(uses) - called)} of ${tokens(items)} used`;
}

/** The sentence `Used in this turn: 2 of 5 items, 1 of 12 tools.`, the size of other items, and a link to manage. */
export function useSummary({ items, tools, uses }: ReplyUses, groups: readonly ContextGroup[]): TemplateResult {
  const called = toolsIn(uses);
  const parts = [
    ...(items === 0 ? [] : [`${tokens(countIn(uses) - called)} of ${counted(items, 'item')}`]),
    ...(tools === 0 ? [] : [`${tokens(called)} of ${counted(tools, 'tool')}`]),
  ];
  return html`<p class="context-summary" title=${WHAT_COUNTS}>
    Used in this turn: ${parts.join(', ')}. ${otherItems(uses, groups)}
  </p>`;
}

function otherItems(uses: ReplyUses['uses'], groups: readonly ContextGroup[]): TemplateResult {
  const unusedOf = ({ items }: ContextGroup): readonly ContextItemView[] =>
    items.filter(({ notSelectedReason, file }) => notSelectedReason === null && (file === null || uses[file] === undefined));
  const others = groups.filter(({ type }) => type !== 'tool' && type !== 'rule').flatMap(unusedOf);
  const hasRule = groups.some((group) => group.type === 'rule' && unusedOf(group).length > 0);
  const size = others.reduce((sum, item) => sum + (item.tokens ?? 0), 0);
  const manage = ({ currentTarget }: Event): void => {
    if (currentTarget !== null) {
      openManager(currentTarget, null);
    }
  };
  return html`${hasRule ? 'Rules can work without a quote.' : nothing} ${
    others.length === 0
      ? nothing
      : html`The other ${counted(others.length, 'item')} took ${counted(size, 'token')}. ${linkButton('Manage context', manage)}`
  }`;
}

function countIn(uses: ReplyUses['uses']): number {
  return Object.keys(uses).length;
}

function toolsIn(uses: ReplyUses['uses']): number {
  return Object.keys(uses).filter((key) => key.startsWith('tool:')).length;
}
