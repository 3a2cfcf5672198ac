import * as z from 'zod/mini';
import { TTLS } from '../../engine/cache/cacheRules.js';
import { failure } from '../../engine/errors.js';
import type { Json, JsonObject } from '../../engine/json.js';
import type { Breakpoint, WirePart } from '../../engine/request/block.js';

/*
 * The practice model's own wire format: one JSON object per request, with Loupe's prompt parts. Order on the wire:
 * tools, system, messages. `cache` on a part is a breakpoint: everything up to the end of the part may be cached for
 * that time.
 */

interface Marked {
  cache?: Breakpoint['ttl'];
}

/** Parts of the types `T`. Reasoning is excluded: the practice model writes none. */
export type PracticePart<T extends WirePart['type'] = Exclude<WirePart['type'], 'reasoning'>> = Extract<WirePart, { readonly type: T }> &
  Marked;

/** `JSON.parse` made it, so it is JSON: only its presence is checked, and its keys keep their order. */
const json = z.custom<Json>((value: unknown) => value !== undefined);
const jsonObject = z.custom<JsonObject>((value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value));

const cache = z.exactOptional(z.enum(TTLS));

const text = z.strictObject({ type: z.literal('text'), text: z.string(), cache });

/** `blob` names the image's bytes, which the practice model cannot see. */
const image = z.strictObject({ type: z.literal('image'), blob: z.string(), mimeType: z.string(), cache });

const toolCall = z.strictObject({ type: z.literal('toolCall'), id: z.string(), name: z.string(), args: jsonObject, cache });

const toolReference = z.strictObject({ type: z.literal('toolReference'), name: z.string() });

const toolResult = z.strictObject({
  type: z.literal('toolResult'),
  callId: z.string(),
  name: z.string(),
  content: z.readonly(z.array(z.discriminatedUnion('type', [text, image, toolReference]))),
  isError: z.boolean(),
  cache,
});

const tool = z.strictObject({
  type: z.literal('toolDefinition'),
  name: z.string(),
  description: z.string(),
  schema: json,
  isRetired: z.boolean(),
  isDeferred: z.exactOptional(z.literal(true)),
  cache,
});

/** The schema says which parts a role may hold; `rules.ts` says which role may follow which. */
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.array(z.discriminatedUnion('type', [text, image])) }),
  z.strictObject({ role: z.literal('assistant'), content: z.array(z.discriminatedUnion('type', [text, toolCall])) }),
  z.strictObject({ role: z.literal('tool'), content: z.array(toolResult) }),
]);

const request = z.strictObject({
  model: z.string(),
  max_tokens: z.nullable(z.int().check(z.nonnegative())),
  tools: z.array(tool),
  system: z.array(text),
  messages: z.array(message),
});

export type PracticeMessage = z.infer<typeof message>;
/** `max_tokens` limits the reply; null leaves it to the model. */
export type PracticeRequest = z.infer<typeof request>;

/** Parses the body of a request. Throws `protocol`, naming the place, when it breaks the format. */
export function parseRequest(body: string): PracticeRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw failure('practice.notJson', { cause: error });
  }
  const result = z.safeParse(request, value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? 'the request' : issue.path.map(String).join('.');
    throw failure('practice.unreadable', { place }, { cause: result.error });
  }
  return result.data;
}
