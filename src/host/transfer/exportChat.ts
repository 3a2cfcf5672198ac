import * as vscode from 'vscode';
import type { ChatSession } from '../chat/chatSession.js';
import { chatTitle } from '../../engine/chat/opening.js';
import { exportContent, type ExportContentPorts } from './exportContent.js';
import { EXPORT_FILTERS, exportFormat, exportName } from './exportName.js';
import type { Banners } from '../window/banners.js';
import { showCopyProgress } from '../window/copyProgress.js';
import { askForExportFile, type ExportDialog, tellExported, writeExport } from '../window/exportFile.js';

export interface ExportPorts extends ExportContentPorts {
  readonly banners: Pick<Banners, 'fail'>;
}

/**
 * Writes a chat to `target`, or asks the user for a file; the file's extension decides the format. Returns the file;
 * null when the user chose none. Throws `cancelled`.
 */
export async function exportChat(session: ChatSession, target: unknown, ports: ExportPorts): Promise<vscode.Uri | null> {
  const file = target instanceof vscode.Uri ? target : await askForExportFile(dialogOf(session));
  if (file === undefined) {
    return null;
  }
  const content = await showCopyProgress('Exporting the chat', (watch) => exportContent(session, exportFormat(file.path), ports, watch));
  await writeExport(file, content.bytes);
  tellExported('The chat was', file, content.missing, ports.banners);
  return file;
}

/** Copies a chat as Markdown to the clipboard. Throws `cancelled`. */
export async function copyChat(session: ChatSession, ports: ExportContentPorts): Promise<void> {
  const content = await showCopyProgress('Copying the chat', (watch) => exportContent(session, 'markdown', ports, watch));
  await vscode.env.clipboard.writeText(Buffer.from(content.bytes).toString('utf8'));
  void vscode.window.showInformationMessage(['The chat was copied as Markdown.', ...content.missing].join(' '));
}

function dialogOf({ state }: ChatSession): ExportDialog {
  return { title: 'Export Chat', name: exportName(chatTitle(state)), filters: EXPORT_FILTERS };
}
