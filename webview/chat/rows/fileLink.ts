import { type TemplateResult, html, nothing } from 'lit';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { splitName } from '../../shared/paths.js';
import { visibleText } from '../../shared/visibleText.js';
import { linkButton } from '../../shared/controls/buttons.js';

export interface FileLink {
  readonly chatId: string;
  readonly key: string;
  readonly path: string;
  /** Whether to show the folders. False when another element of the row shows them. */
  readonly hasFolders: boolean;
  /** Text after the path that only screen readers read. */
  readonly note: string;
  /** Whether Tab reaches the link. False in a row with another tab stop. */
  readonly isTabStop: boolean;
}

/** A path as a button that opens the file. A narrow line hides the folders first, never the file name. */
export function fileLink({ chatId, key, path, hasFolders, note, isTabStop }: FileLink): TemplateResult {
  const { folders, name } = splitName(path);
  const whole = revealHidden(path);
  return html`<button
    type="button"
    class="file-link"
    title=${whole}
    tabindex=${isTabStop ? nothing : -1}
    aria-label="${whole}${note}"
    @click=${posting({ type: 'openContextItem', chatId, key })}
  >
    ${
      hasFolders
        ? html`<span class="file-folders">${visibleText(folders)}</span><span class="file-name">${visibleText(name)}</span>`
        : html`<span class="file-name">${visibleText(name.replace(/^\//, ''))}</span>`
    }
  </button>`;
}

/** The button that opens a file at the line of an error. `line` is null for an error in the whole file. */
export function openLine({ path, line }: { readonly path: string; readonly line: number | null }): TemplateResult {
  return linkButton(line === null ? 'Open file' : `Open line ${String(line)}`, posting({ type: 'openFile', path, line: line ?? 1 }));
}
