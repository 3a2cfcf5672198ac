import type { TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import type { EntryScope } from '../request/scope.js';

export function showRequest(attemptId: string, { chatId }: Pick<EntryScope, 'chatId'>): ToHost {
  return { type: 'showRequest', chatId, messageId: attemptId };
}

export function showRequestButton(attemptId: string, scope: Pick<EntryScope, 'chatId'>): TemplateResult {
  return iconButton({
    label: 'Show this request',
    icon: 'inspect',
    disabled: false,
    onClick: posting(showRequest(attemptId, scope)),
  });
}
