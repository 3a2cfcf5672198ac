import type { Adaptations } from '../../engine/record/adaptations.js';
import { SENT_RESULT_BYTES } from '../../engine/request/resultText.js';
import { countedAs } from '../../protocol/numbers.js';

/** Describes how the request differs from the chat because of the model's abilities and size, in a sentence each. */
export function adaptationSentences(adaptations: Adaptations, model: string): string[] {
  const { reasoningLeftOut, reasoningOutdated, imagesLeftOut, imagesTooLarge, resultsCut, resultsMissing, toolPartsAsText, editorDropped } =
    adaptations;
  const reasoning = countedAs(reasoningLeftOut, 'reasoning part', 'reasoning parts');
  const outdated = countedAs(reasoningOutdated, 'earlier reasoning part', 'earlier reasoning parts');
  const images = countedAs(imagesLeftOut, 'image', 'images');
  const cut = countedAs(resultsCut, 'tool result', 'tool results');
  const missing = countedAs(resultsMissing, 'tool result is', 'tool results are');
  const tools = countedAs(toolPartsAsText, 'tool call or result is', 'tool calls and results are');
  return [
    ...(reasoningLeftOut === 0 ? [] : [`Not sent: ${reasoning}, written by another model.`]),
    ...(reasoningOutdated === 0 ? [] : [`Not sent: ${outdated}, because earlier content has changed.`]),
    ...(imagesLeftOut === 0 ? [] : [`Not sent: ${images}. The model does not accept them, or the image file is missing.`]),
    ...(imagesTooLarge === undefined ? [] : [`Not sent: ${countedAs(imagesTooLarge, 'image', 'images')}, larger than ${model} accepts.`]),
    ...(resultsCut === 0 ? [] : [`Not sent: the middle of ${cut} with more than ${String(SENT_RESULT_BYTES / 1024)} KB.`]),
    ...(resultsMissing === 0 ? [] : [`${missing} sent only in part: the file with the full text is missing or damaged.`]),
    ...(toolPartsAsText === 0 ? [] : [`${tools} sent as text, because ${model} takes no tools.`]),
    ...(editorDropped === undefined ? [] : [`Not sent: the editor state (${editorDropped.join(', ')}). The request has no room for it.`]),
    ...toolsSentence(adaptations, model),
  ];
}

/** Returns a sentence when the request offers no tools, because the model does not support tools. */
export function toolsSentence({ toolsLeftOut }: Pick<Adaptations, 'toolsLeftOut'>, model: string): readonly string[] {
  return toolsLeftOut === undefined ? [] : [`${countedAs(toolsLeftOut, 'tool is', 'tools are')} not offered, because ${model} takes none.`];
}
