import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryDraftView, SummaryPreviewView } from '../../../src/protocol/panel/compaction.js';
import type { SettingRow } from '../../../src/protocol/panel/view.js';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { checkbox } from '../../shared/controls/checkbox.js';
import { post, posting } from '../../shared/events.js';
import { price } from '../../shared/numbers.js';

interface ActionsScope {
  readonly chatId: string;
  /** The chat's setting "ask before each summary". Null when Loupe makes no automatic summaries. */
  readonly asking: SettingRow | null;
  readonly target: EventTarget;
  readonly onApply: (draft: SummaryDraftView) => void;
  readonly onClose: () => void;
}

/** The price is on the button, because its sentence can be out of sight. */
function writeWithPrice(plan: SummaryPreviewView['plan']): string {
  const known = plan?.price ?? null;
  if (known === null) {
    return 'Write the summary';
  }
  const { cost, isMost, isPretended } = known;
  return `Write the summary (${isPretended ? 'would cost ' : ''}${isMost ? 'at most' : 'about'} ${price(cost)})`;
}

/** The buttons below a summary. After a failure, *Try again* is elsewhere in the pane. */
export function summaryActions(
  { plan, draft, work, hasText }: SummaryPreviewView,
  { chatId, asking, target, onApply, onClose }: ActionsScope,
): TemplateResult {
  return html`<div class="pane-foot">
    ${draft === null && work === null ? button(writeWithPrice(plan), 'primary', posting({ type: 'writeSummary', chatId })) : nothing}
    ${
      draft === null
        ? nothing
        : button('Apply', 'primary', () => {
            onApply(draft);
          })
    }
    ${button('Cancel', 'secondary', onClose)}
    ${draft === null || plan === null ? nothing : linkButton('Change the range', posting({ type: 'planSummary', chatId, upTo: plan.upTo }))}
    ${draft === null && hasText ? linkButton('Back to the text', posting({ type: 'showSummaryText', chatId })) : nothing}
    ${
      asking === null || plan === null
        ? nothing
        : checkbox({
            label: asking.label,
            help: asking.help,
            isChecked: asking.value === 'on',
            onChange: (isOn) => {
              post(target, { type: 'changeSetting', chatId, name: asking.name, value: isOn ? 'on' : 'off' });
            },
          })
    }
  </div>`;
}
