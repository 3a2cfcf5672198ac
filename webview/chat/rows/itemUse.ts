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

/** The end of the tooltip's line: `2 of 5 used`. Names tools only if the request has nothing else. */
export function briefUse({ items, tools, uses }: ReplyUses): string {
  const called = toolsIn(uses);
  return items === 0 ? `${tokens(called)} of ${counted(tools, 'tool')} used` : `${tokens(countIn(uses) - called)} of ${tokens(items)} used`;
}

/** The unused items that can be removed, with their size and a link to manage them. Then the numbers of used items. */
export function useSummary({ items, tools, uses }: ReplyUses, groups: readonly ContextGroup[]): TemplateResult {
  const called = toolsIn(uses);
  const parts = [
    ...(items === 0 ? [] : [`${tokens(countIn(uses) - called)} of ${counted(items, 'item')}`]),
    ...(tools === 0 ? [] : [`${tokens(called)} of ${counted(tools, 'tool')}`]),
  ];
  const unused = groups.map(({ type, items: all }) => ({ type, items: all.filter((item) => isUnused(item, uses)) }));
  const hasRule = unused.some(({ type, items: rules }) => type === 'rule' && rules.length > 0);
  return html`${unusedItems(unused)}
    <p class="context-summary" title=${WHAT_COUNTS}>
      Used: ${parts.join(', ')}.${hasRule ? ' Rules can work without a quote.' : ''}
    </p>`;
}

function isUnused({ notSelectedReason, file }: ContextItemView, uses: ReplyUses['uses']): boolean {
  return notSelectedReason === null && (file === null || uses[file] === undefined);
}

/** The size of unused items. Ignores rules, which can work without a use, and tools, which the model may call later. */
function unusedItems(unused: readonly ContextGroup[]): TemplateResult | typeof nothing {
  const others = unused.filter(({ type }) => type !== 'tool' && type !== 'rule').flatMap(({ items }) => items);
  if (others.length === 0) {
    return nothing;
  }
  const manage = ({ currentTarget }: Event): void => {
    if (currentTarget !== null) {
      openManager(currentTarget, null);
    }
  };
  return html`<p class="unused-items" title=${WHAT_COUNTS}>
    Not used in this turn: ${counted(others.length, 'item')} with ${counted(sumOf(others), 'token')}. ${linkButton('Manage context', manage)}
  </p>`;
}

function sumOf(items: readonly ContextItemView[]): number {
  return items.reduce((sum, { tokens: size }) => sum + (size ?? 0), 0);
}

function countIn(uses: ReplyUses['uses']): number {
  return Object.keys(uses).length;
}

function toolsIn(uses: ReplyUses['uses']): number {
  return Object.keys(uses).filter((key) => key.startsWith('tool:')).length;
}
