import { html, type TemplateResult } from 'lit';
import type { TurnVersions } from '../../../src/protocol/userEntry.js';
import { iconButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import type { EntryScope } from './scope.js';

/** Which version of a message and its reply is on show, with the ways to those before and after it. */
export function versionsOf({ number, count, earlier, later }: TurnVersions, scope: EntryScope): TemplateResult {
  const words = `Version ${String(number)} of ${String(count)}`;
  return html`<div class="versions" role="group" aria-label=${words}>
    ${step('Earlier version', 'chevron-left', earlier, scope)}
    <span class="figures" aria-hidden="true" title=${`${words} of this message and its reply`}>${number}/${count}</span>
    ${step('Later version', 'chevron-right', later, scope)}
  </div>`;
}

function step(label: string, icon: string, rewindId: string | null, { chatId, isLocked }: EntryScope): TemplateResult {
  return iconButton({
    label,
    icon,
    disabled: isLocked || rewindId === null,
    onClick: rewindId === null ? () => undefined : posting({ type: 'showVersion', chatId, rewindId }),
  });
}
