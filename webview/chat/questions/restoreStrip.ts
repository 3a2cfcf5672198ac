import { html, nothing, type TemplateResult } from 'lit';
import type { RestoreOfferView } from '../../../src/protocol/panel/toolCalls.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { checkbox } from '../../shared/controls/checkbox.js';
import { posting } from '../../shared/events.js';
import { counted } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** Offers to restore the files that tools changed after the message, together with an edit. Lists these files. */
export function restoreStrip(offer: RestoreOfferView, chatId: string, send: (message: ToHost) => void): TemplateResult {
  return html`<div class="restore-strip" role="group" aria-label="Files written since this message">
    ${restoreChoice(offer, chatId, send)} ${restorableFiles(offer, chatId)}
  </div>`;
}

/** A check box that decides whether the files are restored. Nothing if no file can be restored. */
export function restoreChoice(
  { files, isOn }: RestoreOfferView,
  chatId: string,
  send: (message: ToHost) => void,
): TemplateResult | typeof nothing {
  const restorable = files.filter(({ action }) => action !== null);
  return restorable.length === 0
    ? nothing
    : checkbox({
        label: `Also restore ${counted(restorable.length, 'file')}`,
        help: 'Loupe restores the text that the files had before this message. You can undo the change in the editor.',
        isChecked: isOn,
        onChange: (isChecked) => {
          send({ type: 'setRestoring', chatId, isOn: isChecked });
        },
      });
}

/** Lists the files that tools changed after the message. A file that cannot be restored shows the reason. */
export function restorableFiles({ messageId, files }: RestoreOfferView, chatId: string): TemplateResult {
  return html`<ul aria-label="Files written since this message">
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
  </ul>`;
}
