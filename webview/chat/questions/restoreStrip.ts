import { html, nothing, type TemplateResult } from 'lit';
import type { RestoreOfferView } from '../../../src/protocol/panel/toolCalls.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { checkbox } from '../../shared/controls/checkbox.js';
import { posting } from '../../shared/events.js';
import { counted } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/**
 * Lists the files that tools changed after the message. The user can restore the files together with an edit or retry.
 * A file that cannot be restored shows the reason.
 */
export function restoreStrip(
  { messageId, files, isOn }: RestoreOfferView,
  chatId: string,
  send: (message: ToHost) => void,
): TemplateResult {
  const restorable = files.filter(({ action }) => action !== null);
  const label = `Also restore ${counted(restorable.length, 'file')}`;
  return html`<div class="restore-strip" role="group" aria-label="Files written since this message">
    ${
      restorable.length === 0
        ? nothing
        : checkbox({
            label,
            help: 'Loupe restores the text that the files had before this message. You can undo the change in the editor.',
            isChecked: isOn,
            onChange: (isChecked) => {
              send({ type: 'setRestoring', chatId, isOn: isChecked });
            },
          })
    }
    <ul>
      ${files.map(
        ({ path, action, problem, added, removed, isChangedSince }) =>
          html`<li>
            ${
              action === null
                ? html`<span class="restore-name">${visibleText(problem ?? '')}</span>`
                : html`<span class="restore-name" title=${path}>${visibleText(path)}</span> <span class="figures">+${added} −${removed}</span>
                    ${isChangedSince ? html`<span class="restore-changed">changed since then</span>` : nothing}
                    ${linkButton('Compare', posting({ type: 'compareRestored', chatId, messageId, path }))}`
            }
          </li>`,
      )}
    </ul>
  </div>`;
}
