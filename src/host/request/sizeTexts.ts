import type { Adaptations } from '../../engine/request/adaptations.js';
import { SENT_RESULT_BYTES } from '../../engine/request/resultText.js';
import type { RequestSize } from '../../engine/tokens/requestSize.js';

/**
 * A part's tokens, scaled from its counter's count as the size of the request is: what it takes of the budget and of the bill.
 * Lists of parts show them as counted, because this changes with each reply while a part does not.
 */
export function scaledTokens(counted: number, size: RequestSize): number {
  return size.counted === 0 ? counted : Math.round((counted * size.tokens) / size.counted);
}

/** How the request differs in form from the conversation, one sentence for each adaptation. */
export function adaptationSentences(adaptations: Adaptations): string[] {
  const { reasoningLeftOut, reasoningOutdated, imagesLeftOut, resultsCut, resultsMissing, toolPartsAsText, toolsLeftOut } = adaptations;
  const reasoning = counted(reasoningLeftOut, 'reasoning part', 'reasoning parts');
  const outdated = counted(reasoningOutdated, 'earlier reasoning part', 'earlier reasoning parts');
  const images = counted(imagesLeftOut, 'image', 'images');
  const cut = counted(resultsCut, 'tool result', 'tool results');
  const missing = counted(resultsMissing, 'tool result is', 'tool results are');
  const tools = counted(toolPartsAsText, 'tool call or result is', 'tool calls and results are');
  return [
    ...(reasoningLeftOut === 0 ? [] : [`Not sent: ${reasoning} of another model.`]),
    ...(reasoningOutdated === 0 ? [] : [`Not sent: ${outdated}, because something earlier changed.`]),
    ...(imagesLeftOut === 0 ? [] : [`${images} not sent: the model has no image input, or the file is missing.`]),
    ...(resultsCut === 0 ? [] : [`Not sent: the middle of ${cut} over ${String(SENT_RESULT_BYTES / 1024)} KB.`]),
    ...(resultsMissing === 0 ? [] : [`${missing} sent only in part: the file is missing or damaged.`]),
    ...(toolPartsAsText === 0 ? [] : [`${tools} sent as text: the model has no tools.`]),
    ...(toolsLeftOut === undefined ? [] : [`${counted(toolsLeftOut, 'tool is', 'tools are')} not offered: the model has no tools.`]),
  ];
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
