import { setImmediate } from 'node:timers/promises';
import { type InspectedBlock, MOST_OF_LINE } from '../../protocol/inspector/inspector.js';
import { blockText } from './blockText.js';
import { changedLines } from './inspectorDetail.js';
import type { RequestDetails } from './inspected.js';
import type { InspectorView } from './inspectorView.js';
import { countsInWords, Redaction, type SecretCounts, type KnownSecrets } from './redaction.js';
import { type ExportedRequest, requestHtml } from './requestHtml.js';

/** Maximum number of characters of a line in the payload. A large tool result is a line of several megabytes. */
const MOST_OF_PAYLOAD_LINE = 10 * MOST_OF_LINE;

/** Returns the HTML file, with the number of redacted values of each kind. */
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
    chart: chart === null ? null : { ...chart, chat: cleanCut(chart.chat, clean) },
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

/** Maximum time of work without a pause, in ms. Users do not notice such a short delay. */
const MOST_AT_ONCE = 20;

/** Maps items one after another. Pauses regularly, so that the extension host can do other work. */
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

/** Redacts a line, then cuts it. First removes long Base64 data, which may already make the line short enough. */
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

/** Redacts a name that may be cut off. Drops an incomplete last word, because it may be a part of a secret. */
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
  // Redacts whole texts, because a key can have several lines.
  const lines = changedLines(clean(blockText(before.part)), clean(blockText(block.part)));
  return lines === null ? null : { block: at, lines };
}
