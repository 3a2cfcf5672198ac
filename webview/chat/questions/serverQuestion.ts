import { html, nothing, type TemplateResult } from 'lit';
import type { ServerQuestionView } from '../../../src/protocol/questions.js';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { icon } from '../../shared/controls/icon.js';
import { counted } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

export function serverTitle({ name }: ServerQuestionView): string {
  return `Start the server "${revealHidden(name)}"?`;
}

/**
 * Asks whether a server of the workspace may start. Shows the exact command, with hidden characters made visible,
 * because another person may have written the configuration.
 */
export function serverQuestion(question: ServerQuestionView): TemplateResult {
  const { id, place, type, line, cwd, given } = question;
  const answer = (isAllowed: boolean) => posting({ type: 'answerServer', question: id, isAllowed });
  return html`<section class="spend-question" role="group" aria-label=${serverTitle(question)}>
    <div class="spend-told">
      <div class="spend-title">${icon('shield')}<strong>${serverTitle(question)}</strong></div>
      <p class="spend-reason">
        ${type === 'stdio' ? 'This server comes with the workspace, and runs a command on your computer:' : 'This server comes with the workspace, and connects to an address:'}
      </p>
      <pre class="server-line" tabindex="0" aria-label=${type === 'stdio' ? 'Command' : 'Address'}>${visibleText(line)}</pre>
      ${cwd === null ? nothing : html`<p class="spend-reason">Folder: ${visibleText(cwd)}</p>`} ${givenLines(type === 'stdio' ? 'Environment' : 'Headers', given)}
    </div>
    <div class="spend-actions">
      ${button('Start', 'primary', answer(true))} ${button('Do not start', 'secondary', answer(false))}
      <span class="spend-way-out">${linkButton(`Open ${revealHidden(place)}`, posting({ type: 'openServers', place, line: 1 }))}</span>
    </div>
  </section>`;
}

function givenLines(name: string, given: readonly string[]): TemplateResult | typeof nothing {
  return given.length === 0
    ? nothing
    : html`<p class="spend-reason">${name}:</p>
        <pre class="server-line" tabindex="0" aria-label=${name}>${visibleText(given.join('\n'))}</pre>`;
}

/** Returns a sentence that names the servers a message waits for: for their start, or for their resources. */
export function startingTitle(names: readonly string[]): string {
  const [first = ''] = names;
  return `Waiting for ${names.length === 1 ? revealHidden(first) : counted(names.length, 'server')}…`;
}

/** Shows above the message box that a message waits for servers, or for the user's approval of a server. */
export function startingStrip(names: readonly string[], chatId: string, isAsked: boolean): TemplateResult {
  return html`<div class="strip" title=${revealHidden(names.join(', '))}>
    ${icon(isAsked ? 'clock' : 'loading')}<span>${isAsked ? 'Your message waits for your answer' : startingTitle(names)}</span> ${linkButton('Send without waiting', posting({ type: 'sendWithoutServers', chatId }))}
  </div>`;
}
