import { setImmediate } from 'node:timers/promises';
import { type InspectedBlock, type InspectorChart, MOST_OF_LINE } from '../../protocol/inspector/inspector.js';
import { blockText } from './blockText.js';
import { changedLines } from './changes.js';
import type { RequestDetails } from './inspected.js';
import type { InspectorView } from './inspectorView.js';
import { countsInWords, Redaction, type SecretCounts, type KnownSecrets } from './redaction.js';
import { type ExportedRequest, requestHtml } from './requestHtml.js';

/** Maximum number of characters of a payload line. A large tool result is one line of several megabytes. */
const MOST_OF_PAYLOAD_LINE = 10 * MOST_OF_LINE;

/** Returns the HTML file, and how many values of each kind were redacted in it. */
export async function exportedHtml(
  inspected: RequestDetails,
  { chart, verdict, hint }: Pick<InspectorView, 'chart' | 'verdict' | 'hint'>,
  secrets: KnownSecrets,
): Promise<{ readonly html: string; readonly counts: SecretCounts }> {
  const redaction = new Redaction(secrets);
  const clean = redaction.clean.bind(redaction);
  const { request, blocks } = inspected;
  const payload = await inspected.payload();
  const lines = 'problem' in payload ? null : payload.lines.read(0, payload.lines.count, Infinity);
  const exported: Omit<ExportedRequest, 'redactions'> = {
    request: { ...cleanNames(request, clean), blocks: request.blocks.map((block) => cleanBlock(block, clean)) },
    chart: chart === null ? null : cleanChart(chart, clean),
    verdict:
      verdict === null
        ? null
        : { ...verdict, reason: clean(verdict.reason), providerSays: verdict.providerSays === null ? null : clean(verdict.providerSays) },
    hint: hint?.text ?? null,
    texts: await withPauses(blocks, ({ part }) => (part === null ? null : clean(blockText(part)))),
    payload: lines === null ? null : await withPauses(lines, ({ text }) => cleanLine(text, redaction)),
    change: await changeOf(inspected, clean),
    when: new Date(request.at ?? Date.now()).toISOString(),
  };
  return { html: requestHtml({ ...exported, redactions: countsInWords(redaction.counts) }), counts: redaction.counts };
}

type CleanText = (text: string) => string;

/** Maximum time to work without a pause, in ms. The user does not notice shorter blocks. */
const MOST_AT_ONCE = 20;

/** Maps items one after another. Pauses regularly, so that VS Code's extension host is not blocked. */
async function withPauses<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let since = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - since > MOST_AT_ONCE) {
      await setImmediate();
      since = performance.now();
    }
  }
  return results;
}

/** Redacts and cuts a long line. Removes Base64 data first, because the rest may be short enough. */
function cleanLine(line: string, redaction: Redaction): string {
  const text = redaction.withoutData(line);
  const cut = text.length - MOST_OF_PAYLOAD_LINE;
  return cut <= 0 ? redaction.clean(text) : `${redaction.clean(text.slice(0, MOST_OF_PAYLOAD_LINE))}${cutNote(cut)}`;
}

function cutNote(cut: number): string {
  return ` … ${cut.toLocaleString('en-US')} more characters`;
}

function cleanNames(request: RequestDetails['request'], clean: CleanText): RequestDetails['request'] {
  const first = request.notSelected.first.map((item) => ({
    ...item,
    name: clean(item.name),
    leftOut: clean(item.notSelectedReason ?? ''),
  }));
  return { ...request, model: clean(request.model), notes: request.notes.map(clean), notSelected: { ...request.notSelected, first } };
}

function cleanBlock(block: InspectedBlock, clean: CleanText): InspectedBlock {
  const { problem } = block;
  return { ...block, name: cleanCut(block.name, clean), why: clean(block.why), problem: problem === null ? null : clean(problem) };
}

function cleanChart(chart: InspectorChart, clean: CleanText): InspectorChart {
  return { ...chart, chat: cleanCut(chart.chat, clean) };
}

/** Redacts a name that may be cut. Drops the last word if it is cut: a part of a secret would not be recognised. */
function cleanCut(name: string, clean: CleanText): string {
  return clean(name.replace(/\S+…$/, '…'));
}

async function changeOf(inspected: RequestDetails, clean: CleanText): Promise<ExportedRequest['change']> {
  const { request, blocks } = inspected;
  const at = request.differsAt;
  const block = at === null ? undefined : blocks[at];
  const before = (await inspected.compared())?.blocks.find(({ key }) => key === block?.key);
  if (at === null || block === undefined || before === undefined || block.part === null || before.part === null) {
    return null;
  }
  // Redact the whole text and not single lines, because a key may have several lines.
  const lines = changedLines(clean(blockText(before.part)), clean(blockText(block.part)));
  return lines === null ? null : { block: at, lines };
}
