import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { ReceiverPorts } from '../window/receiver.js';
import { askForExportFile, reportExport, writeExport } from '../window/exportFile.js';
import type { InspectorView } from './inspectorView.js';
import { exportedHtml } from './exportedHtml.js';
import { countsInWords } from './redaction.js';

export interface ExportPorts extends Pick<ReceiverPorts, 'fail'> {
  readonly knownKeys: () => Promise<readonly string[]>;
  /** Returns the passwords and other secrets that MCP servers receive, so that they can be redacted. */
  readonly serverSecrets: () => Promise<readonly string[]>;
}

const EXPORT = 'Export';

/**
 * Exports the shown request as one HTML file. Without `target`, shows what will be redacted and asks for a file.
 * Returns the file, or null when the user cancels.
 */
export async function exportRequest(view: InspectorView, target: unknown, ports: ExportPorts): Promise<vscode.Uri | null> {
  const inspected = view.inspected;
  if (inspected === null) {
    throw failure('request.noneShown');
  }
  const [keys, servers] = await Promise.all([ports.knownKeys(), ports.serverSecrets()]);
  const secrets = { keys, servers, homes: [homedir()] };
  const { html, counts } = await exportedHtml(inspected, view, secrets);
  const file = target instanceof vscode.Uri ? target : await askForFile(countsInWords(counts), inspected.request.number);
  if (file === undefined) {
    return null;
  }
  await writeExport(file, Buffer.from(html));
  reportExport('The request was', file, [], ports);
  return file;
}

async function askForFile(redactions: string, number: number | null): Promise<vscode.Uri | undefined> {
  const detail = `${redactions} The file contains the rest of the request unchanged. Check it before you share it.`;
  const answer = await vscode.window.showInformationMessage('Export this request?', { modal: true, detail }, EXPORT);
  const name = number === null ? 'next-request.html' : `request-${String(number)}.html`;
  return answer === EXPORT ? askForExportFile({ title: 'Export Request', name, filters: { HTML: ['html'] } }) : undefined;
}
