import type { Adaptations } from '../../engine/record/adaptations.js';
import { SENT_RESULT_BYTES } from '../../engine/request/resultText.js';
import { countedAs } from '../../protocol/numbers.js';
import { UNKNOWN_INPUT_LIMIT } from '../../engine/budget/budget.js';
import type { Excess } from '../../engine/request/request.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import type { Model } from '../../engine/model/model.js';
import type { BudgetCheck } from '../../engine/next/inputs.js';
import { messageOf } from '../../engine/next/room.js';
import type { ContextRecord, FileCut } from '../../engine/record/manifest.js';

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
    ...toolSentences(adaptations, model),
  ];
}

/** Describes which tools the provider does not accept, and which it gets in another form. */
function toolSentences(
  { toolSchemasChanged, toolsRefused, toolsRefusedEarlier, toolsAboveLimit }: Adaptations,
  model: string,
): readonly string[] {
  const forms = (toolsRefused ?? []).filter(({ argument }) => argument === null).map(({ name }) => name);
  const named = (toolsRefused ?? []).flatMap(({ name, argument }) => (argument === null ? [] : [{ name, argument }]));
  const [first] = named;
  return [
    ...(toolSchemasChanged === undefined
      ? []
      : [`Sent in another form: the input schema of ${countedAs(toolSchemasChanged, 'tool', 'tools')}.`]),
    ...(forms.length === 0 ? [] : [`Not offered: ${toolList(forms)}. ${model} does not accept the input schema.`]),
    ...(first === undefined
      ? []
      : [
          `Not offered: ${toolList(named.map(({ name }) => name))}. ${model} does not accept names of arguments such as "${first.argument}".`,
        ]),
    ...(toolsRefusedEarlier === undefined
      ? []
      : [`Not offered: ${toolList(toolsRefusedEarlier)}. ${model} refused a request with it. Loupe tries again an hour later.`]),
    ...(toolsAboveLimit === undefined
      ? []
      : [
          `Not offered: ${countedAs(toolsAboveLimit.tools, 'tool', 'tools')}. ${model} accepts at most ${String(toolsAboveLimit.most)}. ` +
            'Choose the tools of this chat in Manage context.',
        ]),
  ];
}

function toolList(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${countedAs(more, 'more tool', 'more tools')}`;
}

/** Returns a sentence when the request offers no tools, because the model does not support tools. */
export function toolsSentence({ toolsLeftOut }: Pick<Adaptations, 'toolsLeftOut'>, model: string): readonly string[] {
  return toolsLeftOut === undefined ? [] : [`${countedAs(toolsLeftOut, 'tool is', 'tools are')} not offered, because ${model} takes none.`];
}

const SET_SIZE = "set the model's context size";

/** Returns a text with the reason why the request is too long and its largest parts. Null when the request fits. */
export function overBudget(check: BudgetCheck): string | null {
  const { excess, isPartial, isLimitAssumed, model } = check;
  if (excess === null) {
    return null;
  }
  const [cause, way] = isLimitAssumed ? [assumed(model), SET_SIZE] : ['', 'choose a model with a larger context'];
  if (excess.budget === 0) {
    return (
      `Loupe cannot send a request: the tokens kept free for the reply fill the whole context limit. ${cause}` +
      `Lower "Kept free for the reply" in the chat settings, or ${way}.`
    );
  }
  const total = excess.tokens.toLocaleString('en-US');
  const limit = excess.budget.toLocaleString('en-US');
  if (isPartial) {
    // All known parts are at the end of the conversation, and none alone is too long, so the text names no part.
    return `The request is too long: over ${total} tokens, limit ${limit}. ${cause}Start a new chat, fork this chat at an earlier reply, or ${way}.`;
  }
  const largest = excess.largest.map(({ key, tokens }) => `${blockName(key, check)} ${tokens.toLocaleString('en-US')}`);
  const parts = largest.length > 0 ? `Largest parts: ${largest.join(', ')}.` : `All ${String(excess.parts)} parts are small.`;
  return `The request is too long: ${total} tokens, limit ${limit}. ${parts} ${remedy(excess, check)}`;
}

/** Returns a text that says where the limit comes from and how to make room. Loupe has already dropped files. */
function remedy(excess: Excess, check: BudgetCheck): string {
  const { isLimitLearned, isLimitAssumed, model } = check;
  const room = makesRoom(excess, check);
  if (isLimitLearned) {
    return `The server accepts fewer tokens than expected. Loupe uses this lower limit for an hour. ${room}, or choose another model.`;
  }
  if (isLimitAssumed) {
    return `${assumed(model)}${room}, or ${SET_SIZE}.`;
  }
  const isOwn = model.maxInputTokens === null || excess.tokens <= model.maxInputTokens;
  return isOwn
    ? `This limit is set in the chat settings. ${room}, or raise the limit there.`
    : `This is the limit of the model. ${room}, or choose a model with a larger context.`;
}

function assumed({ label }: Pick<Model, 'label'>): string {
  return `The context size of ${label} is unknown: Loupe assumes ${UNKNOWN_INPUT_LIMIT.toLocaleString('en-US')} tokens. `;
}

function makesRoom({ tokens, budget, largest }: Excess, { prompt, pinned, answered }: BudgetCheck): string {
  const first = largest[0]?.key ?? '';
  if (messageOf(first) === answered && answered !== null) {
    return 'Shorten your message';
  }
  const kept = promptBlocks(prompt).filter(({ key }) => pinned.has(messageOf(key) ?? ''));
  if (kept.reduce((sum, block) => sum + block.tokens, 0) >= tokens - budget) {
    return 'Unpin messages, shorten your message';
  }
  return first.startsWith('system:') ? 'Shorten the system prompt' : 'Summarize the conversation, start a new chat';
}

function blockName(key: string, { pinned, answered }: BudgetCheck): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'message': {
      const id = messageOf(key) ?? '';
      return id === answered ? 'your message' : pinned.has(id) ? 'pinned message' : 'message';
    }
    case 'retiredTool':
      return `tool ${rest.join(':')}`;
    case 'system':
      return 'system prompt';
    case 'summary':
      return 'summary';
    default:
      return key;
  }
}

/** Maximum number of sentences about files. Users do not read more warnings before they send a message. */
const MOST_NAMED = 3;

/** Returns one sentence for each of the first files that were dropped or cut to fit the budget. */
export function droppedSentences(records: readonly ContextRecord[]): string[] {
  const sentences = records.flatMap(({ item, leftOut, cut }) => {
    if (leftOut?.code === 'noRoom') {
      return [droppedWholeSentence(item.name, leftOut.tokens)];
    }
    return cut === undefined ? [] : [cutSentence(item.name, cut)];
  });
  const more = sentences.length - MOST_NAMED;
  return more > 0 ? [...sentences.slice(0, MOST_NAMED), `Loupe cut or dropped ${countedAs(more, 'more file', 'more files')}.`] : sentences;
}

export function droppedSentence(name: string, cut: FileCut): string {
  return cut.lines === 0 ? droppedWholeSentence(name, cut.ofTokens) : cutSentence(name, cut);
}

function droppedWholeSentence(name: string, tokens: number): string {
  return `Loupe dropped ${name}: the request has no room for its ${figure(tokens)} tokens.`;
}

function cutSentence(name: string, { tokens, ofTokens }: FileCut): string {
  return `Loupe cut ${name} to fit: ${figure(tokens)} of its ${figure(ofTokens)} tokens remain.`;
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
