import { type TemplateResult, html, nothing } from 'lit';
import type { UsageFigures, UsageFormat, UsagePeriod, UsageQuery } from '../../src/protocol/usage/usage.js';
import { iconButton } from '../shared/controls/buttons.js';
import { revealHidden } from '../shared/hidden.js';
import { icon } from '../shared/controls/icon.js';
import { periodName } from './periodWords.js';
import { type QueryHandler, segments } from './usageLists.js';
import { DELETED_CHAT } from './usageWords.js';

export interface HeadPorts {
  readonly ask: QueryHandler;
  readonly exportUsage: (format: UsageFormat) => void;
  readonly isEmpty: boolean;
  /** Whether the view can show the turns of the selected chat. */
  readonly hasTurns: boolean;
}

/** The turns and the periods have other filters, so a change between them removes all filters. */
const NO_FILTERS = { model: null, part: null, bar: null, turn: null, onlyLosses: false, text: '' } as const;

/** The head of the view: the choice of period and chat, and the export. */
export function usageHead(
  { period, chatTitles }: UsageFigures,
  query: UsageQuery,
  { ask, exportUsage, isEmpty, hasTurns }: HeadPorts,
): TemplateResult {
  const { unit, to, isCurrent } = period;
  return html`${segments({
    label: 'Period',
    name: 'unit',
    value: query.byTurn ? 'turns' : unit,
    choices: [['day', 'Day'], ['week', 'Week'], ['month', 'Month'], ...(hasTurns ? [['turns', 'Turns'] as const] : [])],
    onChoose: (next) => {
      if (next === 'turns') {
        ask({ byTurn: true, ...NO_FILTERS });
        return;
      }
      // For a shorter new period, shows the end of the old period, because the latest requests are there.
      ask({ unit: next, from: isCurrent ? null : to - 1, byTurn: false, ...NO_FILTERS });
    },
  })}
    ${query.byTurn ? nothing : arrows(period, ask)} ${chatChoice(chatTitles, query, ask)}
    <span class="exports">
      <button type="button" class="framed" ?disabled=${isEmpty} @click=${() => {
        exportUsage('csv');
      }}>${icon('export')}Export CSV</button>
      ${iconButton({
        label: 'Export JSON',
        icon: 'json',
        disabled: isEmpty,
        onClick: () => {
          exportUsage('json');
        },
      })}
    </span>`;
}

function arrows(period: UsagePeriod, ask: QueryHandler): TemplateResult {
  const { unit, from, to, isCurrent, hasEarlier } = period;
  const before = iconButton({
    label: `The ${unit} before`,
    icon: 'chevron-left',
    disabled: !hasEarlier,
    onClick: () => {
      ask({ from: from - 1, bar: null });
    },
  });
  const after = iconButton({
    label: `The ${unit} after`,
    icon: 'chevron-right',
    disabled: isCurrent,
    onClick: () => {
      ask({ from: to, bar: null });
    },
  });
  return html`<div class="period" role="group" aria-label="Which period">
    ${before}<span class="period-name" role="status">${periodName(period)}</span>${after}
  </div>`;
}

/** The choices for more than one chat. */
const ALL: Readonly<Record<UsageQuery['extent'], string>> = { workspace: 'All chats', computer: 'All workspaces' };

function isExtent(value: string): value is UsageQuery['extent'] {
  return value === 'workspace' || value === 'computer';
}

function chatChoice(titles: UsageFigures['chatTitles'], { chatId, extent }: UsageQuery, ask: QueryHandler): TemplateResult {
  return html`<span class="select">
    <select
      aria-label="Chat"
      @change=${({ currentTarget }: Event) => {
        const { value } = currentTarget as HTMLSelectElement;
        ask(isExtent(value) ? { extent: value, chatId: null, byTurn: false } : { chatId: value, turn: null });
      }}
    >
      ${Object.entries(ALL).map(
        ([value, name]) => html`<option value=${value} .selected=${chatId === null && value === extent}>${name}</option>`,
      )}
      ${Object.entries(titles).map(
        ([id, title]) =>
          html`<option value=${id} .selected=${id === chatId}>${title === null ? DELETED_CHAT : revealHidden(title)}</option>`,
      )}
    </select>
    ${icon('chevron-down')}
  </span>`;
}
