import type { TemplateResult } from 'lit';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';

/** Opens a file at the line with a mistake; null for the whole file. */
export function openLine({ path, line }: { readonly path: string; readonly line: number | null }): TemplateResult {
  return linkButton(line === null ? 'Open file' : `Open line ${String(line)}`, posting({ type: 'openFile', path, line: line ?? 1 }));
}
