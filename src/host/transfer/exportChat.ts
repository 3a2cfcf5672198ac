import * as vscode from 'vscode';
import type { ChatSession } from '../chat/chatSession.js';
import { chatTitle } from '../../engine/chat/message/opening.js';
import { isObject } from '../../engine/json.js';
import { exportContent, EXPORT_FILTERS, exportFormat, exportName, type ExportFormat } from './exportContent.js';
import type { ExportContentPorts } from './exportTarget.js';
import type { Banners } from '../window/banners.js';
import { showCopyProgress } from '../window/copyProgress.js';
import { askForExportFile, type ExportDialog, reportExport, writeExportPieces } from '../window/exportFile.js';

export interface ExportPorts extends ExportContentPorts {
  readonly banners: Pick<Banners, 'fail'>;
}

/** The file and options from a keybinding or another extension. Loupe asks the user for missing values. */
export interface ExportWish {
  readonly target: unknown;
  /** Options of an OpenTelemetry export. `{ texts: true }` includes the texts of requests and replies. */
  readonly options: unknown;
}

/** An export without arguments. Loupe asks the user for the file and the options. */
export const ASK_FOR_EXPORT: ExportWish = { target: undefined, options: undefined };

/** Exports a chat in the format of the file extension. Returns the file, null without a choice. Throws `cancelled`. */
export async function exportChat(session: ChatSession, { target, options }: ExportWish, ports: ExportPorts): Promise<vscode.Uri | null> {
  const isNamed = target instanceof vscode.Uri;
  const file = isNamed ? target : await askForExportFile(dialogOf(session));
  if (file === undefined) {
    return null;
  }
  const found = exportFormat(file.path);
  const format = found !== 'openTelemetry' ? found : isNamed ? spansAsWished(options) : await askForTexts();
  if (format === null) {
    return null;
  }
  const missing = await showCopyProgress('Exporting the chat', (watch) =>
    writeExportPieces(file, (write) => exportContent(session, format, ports, { write, watch })),
  );
  reportExport('the chat', file, missing, ports.banners);
  return file;
}

/** Copies a chat to the clipboard as Markdown. Throws `cancelled`. */
export async function copyChat(session: ChatSession, ports: ExportContentPorts): Promise<void> {
  const pieces: Uint8Array[] = [];
  const write = (piece: Uint8Array): Promise<void> => {
    pieces.push(piece);
    return Promise.resolve();
  };
  const missing = await showCopyProgress('Copying the chat', (watch) => exportContent(session, 'markdown', ports, { write, watch }));
  await vscode.env.clipboard.writeText(Buffer.concat(pieces).toString('utf8'));
  void vscode.window.showInformationMessage(['Loupe copied the chat to the clipboard as Markdown.', ...missing].join(' '));
}

function dialogOf({ state }: ChatSession): ExportDialog {
  return { title: 'Export Chat', name: exportName(chatTitle(state)), filters: EXPORT_FILTERS };
}

function spansAsWished(options: unknown): ExportFormat {
  return isObject(options) && options['texts'] === true ? 'openTelemetryWithTexts' : 'openTelemetry';
}

/** Asks whether to include texts, because users often send such a file to an external server. Null after a cancel. */
async function askForTexts(): Promise<ExportFormat | null> {
  const choices: readonly (vscode.QuickPickItem & { readonly format: ExportFormat })[] = [
    { label: 'Without texts', detail: 'Only models, tokens, cost, times and failures of each request.', format: 'openTelemetry' },
    { label: 'With texts', detail: 'Also the text of all requests and replies, with files and rules.', format: 'openTelemetryWithTexts' },
  ];
  // After VS Code's file dialog closes, the focus moves. Without `ignoreFocusOut`, this would close the question.
  const options = { placeHolder: 'Choose whether the export contains texts', ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.format ?? null;
}
