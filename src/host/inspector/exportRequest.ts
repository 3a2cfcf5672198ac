import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { type InspectedBlock, type InspectorChart, MOST_OF_LINE } from '../../protocol/inspector.js';
import type { ReceiverPorts } from '../window/receiver.js';
import { askForExportFile, tellExported, writeExport } from '../window/exportFile.js';
import { blockText } from './blockText.js';
import { changedLines } from './changes.js';
import type { HeldBlock } from './heldRequest.js';
import type { Inspected } from './inspected.js';
import type { InspectorView } from './inspectorView.js';
import { countsInWords, Redaction, type SecretCounts, type Secrets } from './redaction.js';
import { type ExportedRequest, requestHtml } from './requestHtml.js';

export interface ExportPorts extends Pick<ReceiverPorts, 'fail'> {
  /** The keys that Loupe stores. */
  readonly knownKeys: () => Promise<readonly string[]>;
}

/** An image is a line of megabytes that nobody reads. */
const MOST_OF_PAYLOAD_LINE = 10 * MOST_OF_LINE;

const EXPORT = 'Export';

/**
 * Writes the request on show as one HTML file, to `target` or to a file that the user is asked for, who is told first what was blacked
 * out. Returns the file; null when the user chose none.
 */
export async function exportRequest(view: InspectorView, target: unknown, ports: ExportPorts): Promise<vscode.Uri | null> {
  const inspected = view.inspected;
  if (inspected === null) {
    throw failure('request.noneShown');
  }
  const secrets = { keys: await ports.knownKeys(), homes: [homedir()] };
  const { html, counts } = await exportedHtml(inspected, view, secrets);
  const file = target instanceof vscode.Uri ? target : await askForFile(countsInWords(counts), inspected.request.number);
  if (file === undefined) {
    return null;
  }
  await writeExport(file, Buffer.from(html));
  tellExported('The request was', file, [], ports);
  return file;
}

async function askForFile(redactions: string, number: number | null): Promise<vscode.Uri | undefined> {
  const detail = `${redactions} The file holds all else of the request as it is: look through it before you pass it on.`;
  const answer = await vscode.window.showInformationMessage('Export this request?', { modal: true, detail }, EXPORT);
  const name = number === null ? 'next-request.html' : `request-${String(number)}.html`;
  return answer === EXPORT ? askForExportFile({ title: 'Export Request', name, filters: { HTML: ['html'] } }) : undefined;
}

/** The file, and what was blacked out in it. */
export async function exportedHtml(
  inspected: Inspected,
  { chart, verdict }: Pick<InspectorView, 'chart' | 'verdict'>,
  secrets: Secrets,
): Promise<{ readonly html: string; readonly counts: SecretCounts }> {
  const redaction = new Redaction(secrets);
  const clean = redaction.clean.bind(redaction);
  const { request, blocks } = inspected;
  const payload = await inspected.payload();
  const lines = 'problem' in payload ? null : payload.lines.read(0, payload.lines.count, MOST_OF_PAYLOAD_LINE);
  const exported: Omit<ExportedRequest, 'redactions'> = {
    request: { ...cleanNames(request, clean), blocks: request.blocks.map((block) => cleanBlock(block, clean)) },
    chart: chart === null ? null : cleanChart(chart, clean),
    verdict: verdict === null ? null : { ...verdict, reason: clean(verdict.reason) },
    texts: blocks.map(({ part }) => (part === null ? null : clean(blockText(part)))),
    payload: lines?.map(({ text, cut }) => `${clean(text)}${cut === 0 ? '' : ` … ${cut.toLocaleString('en-US')} more characters`}`) ?? null,
    change: await changeOf(inspected, clean),
    when: new Date(request.at ?? Date.now()).toISOString(),
  };
  return { html: requestHtml({ ...exported, redactions: countsInWords(redaction.counts) }), counts: redaction.counts };
}

type Clean = (text: string) => string;

function cleanNames(request: Inspected['request'], clean: Clean): Inspected['request'] {
  const first = request.leftOut.first.map((item) => ({ ...item, name: clean(item.name), leftOut: clean(item.leftOut ?? '') }));
  return { ...request, model: clean(request.model), notes: request.notes.map(clean), leftOut: { ...request.leftOut, first } };
}

function cleanBlock(block: InspectedBlock, clean: Clean): InspectedBlock {
  const { problem } = block;
  return { ...block, name: clean(block.name), why: clean(block.why), problem: problem === null ? null : clean(problem) };
}

function cleanChart(chart: InspectorChart, clean: Clean): InspectorChart {
  return { ...chart, chat: clean(chart.chat) };
}

async function changeOf({ request, blocks, compared }: InspectedLike, clean: Clean): Promise<ExportedRequest['change']> {
  const at = request.differsAt;
  const block = at === null ? undefined : blocks[at];
  const before = (await compared())?.blocks.find(({ key }) => key === block?.key);
  if (at === null || block === undefined || before === undefined || block.part === null || before.part === null) {
    return null;
  }
  // A key of several lines is known only as a whole.
  const lines = changedLines(clean(blockText(before.part)), clean(blockText(block.part)));
  return lines === null ? null : { block: at, lines };
}

interface InspectedLike extends Pick<Inspected, 'request'> {
  readonly blocks: readonly HeldBlock[];
  readonly compared: Inspected['compared'];
}
