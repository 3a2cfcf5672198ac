import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryPlanRow, SummaryPlanView } from '../../src/protocol/compaction.js';
import { iconButton } from '../shared/buttons.js';
import { post, posting } from '../shared/events.js';
import { counted, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';

const ROLES: Readonly<Record<SummaryPlanRow['role'], string>> = { user: 'You', assistant: 'Assistant', 'tool-results': 'Tools' };

interface OutlineScope {
  readonly chatId: string;
  /** Whether the summary is written already, or is being written: what goes is then decided. */
  readonly isFixed: boolean;
}

/** What goes and what stays: one list that is range and pins. */
export function summaryOutline(plan: SummaryPlanView, scope: OutlineScope): TemplateResult {
  const { earlier, later, rows } = plan;
  const at = rows.findIndex(({ id }) => id === plan.upTo) + 1;
  return html`<div class="summary-draft-head">
      <h3>What goes</h3>
      <span class="figures">${tokens(plan.messages)} of ${counted(plan.of, 'message')}</span>
    </div>
    <ul class="summary-rows" aria-label="What goes">
      ${plan.earlierSummary === null ? nothing : folded('Earlier summary', plan.earlierSummary, true)}
      ${earlier.messages === 0 ? nothing : folded(counted(earlier.messages, 'earlier message'), earlier.tokens, true)}
      ${rows.slice(0, at).map((each) => row(each, scope))} ${cut(plan, scope)} ${rows.slice(at).map((each) => row(each, scope))}
      ${later.messages === 0 ? nothing : folded(`${counted(later.messages, 'later message')} stay`, later.tokens, false)}
    </ul>`;
}

function folded(text: string, size: number, goes: boolean): TemplateResult {
  return html`<li class="summary-row ${goes ? 'goes' : ''}"><span class="summary-row-text">${text}</span><span class="figures">${tokens(size)}</span></li>`;
}

function row({ id, role, text, tokens: size, isPinned, goes }: SummaryPlanRow, { chatId, isFixed }: OutlineScope): TemplateResult {
  return html`<li class="summary-row ${goes ? 'goes' : ''}">
    <span class="summary-row-role">${ROLES[role]}</span>
    <span class="summary-row-text">${visibleText(text)}</span>
    <span class="figures">${tokens(size)}</span>
    ${
      role === 'tool-results'
        ? nothing
        : iconButton({
            label: isPinned ? 'Unpin' : 'Pin',
            icon: isPinned ? 'pinned' : 'pin',
            pressed: isPinned,
            disabled: isFixed,
            onClick: posting({ type: isPinned ? 'unpin' : 'pin', chatId, messageId: id }),
          })
    }
  </li>`;
}

/** The line that what goes ends at. It moves by whole exchanges. */
function cut({ messages, of, shorter, longer }: SummaryPlanView, { chatId, isFixed }: OutlineScope): TemplateResult {
  const move = (from: EventTarget | null, upTo: string | null): void => {
    if (from !== null && upTo !== null && !isFixed) {
      post(from, { type: 'planSummary', chatId, upTo });
    }
  };
  return html`<li
    class="summary-cut"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
        event.preventDefault();
        move(event.currentTarget, event.key === 'ArrowUp' ? shorter : longer);
      }
    }}
  >
    <span
      class="summary-row-text"
      role="slider"
      tabindex="0"
      aria-label="Up to here"
      aria-orientation="vertical"
      aria-valuemin="0"
      aria-valuemax=${of}
      aria-valuenow=${messages}
      aria-valuetext=${`${tokens(messages)} of ${counted(of, 'message')}`}
      aria-disabled=${isFixed}
      >up to here</span
    >
    ${iconButton({
      label: 'One exchange less',
      icon: 'arrow-up',
      disabled: isFixed || shorter === null,
      onClick: ({ currentTarget }) => {
        move(currentTarget, shorter);
      },
    })}
    ${iconButton({
      label: 'One exchange more',
      icon: 'arrow-down',
      disabled: isFixed || longer === null,
      onClick: ({ currentTarget }) => {
        move(currentTarget, longer);
      },
    })}
  </li>`;
}
