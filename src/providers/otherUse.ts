import { member } from './json.js';

/*
 * Servers list all their models, those for other uses than chat among them. Some say what a model is for: Together
 * (`type`), Mistral (`capabilities.completion_chat`) and OpenRouter (`architecture.output_modalities`). For the others,
 * such as OpenAI, Groq and Gemini, only names tell.
 */

/** What a model of a list is for when that is not chat, in words; null for a chat model and for one that nothing tells of. */
export function otherUse(id: string, entry: unknown): string | null {
  return toldUse(entry) ?? namedUse(id);
}

/** The types of models at Together that do not chat. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set(['embedding', 'image', 'audio', 'video', 'transcribe', 'moderation', 'rerank']);

function toldUse(entry: unknown): string | null {
  const type = member(entry, 'type');
  if (typeof type === 'string' && OTHER_TYPES.has(type)) {
    return `Not for chat: of type ${type}, says the server`;
  }
  if (member(member(entry, 'capabilities'), 'completion_chat') === false) {
    return 'Not for chat, says the server';
  }
  const outputs = member(member(entry, 'architecture'), 'output_modalities');
  return Array.isArray(outputs) && outputs.length > 0 && !outputs.includes('text') ? 'Not for chat: writes no text, says the server' : null;
}

/** By words of a name between its separators. Only words that no chat model has. */
const NAMED_USES: readonly (readonly [use: string, name: RegExp])[] = [
  ['embeddings', /(^|[-_./:])(text-)?embed(ding|dings|der)?($|[-_./:\d])/i],
  ['ranking', /(^|[-_./:])rerank(er)?($|[-_./:\d])/i],
  ['speech', /(^|[-_./:])(distil-)?(whisper|tts|transcribe)($|[-_./:\d])/i],
  ['live speech', /(^|[-_./:])realtime($|[-_./:\d])/i],
  ['images', /(^|[-_./:])(dall-e|gpt-image|chatgpt-image|imagen)($|[-_./:\d])/i],
  ['video', /(^|[-_./:])(sora|veo)($|[-_./:\d])/i],
  ['moderation', /(^|[-_./:])moderation($|[-_./:\d])/i],
  ['plain completion', /^(babbage|davinci)-\d+$|^gpt-3\.5-turbo-instruct/i],
];

function namedUse(id: string): string | null {
  const use = NAMED_USES.find(([, name]) => name.test(id))?.[0];
  return use === undefined ? null : `Probably for ${use}, by its name`;
}
