import type { Adaptations } from '../../engine/request/adaptations.js';
import { SENT_RESULT_BYTES } from '../../engine/request/resultText.js';
import type { RequestSize } from '../../engine/tokens/requestSize.js';

/**
 * A part's tokens in the measure of the whole request: what its counter says, corrected as the total is. Parts are
 * rounded, so their sum may be off by some tokens; whoever shows them gives the rest to the framing.
 */
export function scaledTokens(counted: number, size: RequestSize): number {
  return size.counted === 0 ? counted : Math.round((counted * size.tokens) / size.counted);
}

/** What the model gets in another form than it was said, a sentence each. */
export function adaptationSentences(adaptations: Adaptations): string[] {
  const { reasoningLeftOut, reasoningOutdated, imagesLeftOut, resultsCut, resultsMissing, toolPartsAsText } = adaptations;
  const reasoning = counted(reasoningLeftOut, 'part', 'parts');
  const outdated = counted(reasoningOutdated, 'part', 'parts');
  const images = counted(imagesLeftOut, 'image is', 'images are');
  const cut = counted(resultsCut, 'tool result', 'tool results');
  const missing = counted(resultsMissing, 'tool result is', 'tool results are');
  const tools = counted(toolPartsAsText, 'tool call or result is', 'tool calls and results are');
  return [
    ...(reasoningLeftOut === 0 ? [] : [`Left out: ${reasoning} of another model's reasoning.`]),
    ...(reasoningOutdated === 0 ? [] : [`Left out: ${outdated} of earlier reasoning, because something before it has changed.`]),
    ...(imagesLeftOut === 0 ? [] : [`${images} replaced by a note: this model takes none, or the file is missing.`]),
    ...(resultsCut === 0 ? [] : [`Left out: the middle of ${cut} of more than ${String(SENT_RESULT_BYTES / 1024)} KB.`]),
    ...(resultsMissing === 0 ? [] : [`${missing} replaced by a note and the first lines: the file is missing or damaged.`]),
    ...(toolPartsAsText === 0 ? [] : [`${tools} sent as text: this model takes no tools.`]),
  ];
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
