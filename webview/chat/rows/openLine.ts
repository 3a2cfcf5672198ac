import type { TemplateResult } from 'lit';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';

/** Opens a file at a line that something is wrong with; null for the file as a whole. */
export function openLine({ path, line }: { readonly path: string; readonly line: number | null }): TemplateResult {
  return linkButton(line === null ? 'Open file' : `Open line ${String(line)}`, posting({ type: 'openFile', path, line: line ?? 1 }));
}
