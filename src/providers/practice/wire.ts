import * as z from 'zod/mini';
import { failure } from '../../engine/errors.js';
import type { Json, JsonObject } from '../../engine/json.js';

/*
 * The practice model's own wire format: one JSON object per request, as small as the practice model's needs.
 * Order on the wire: tools, system, messages. `cache` on a part is a breakpoint: everything up to the end of the
 * part may be cached for that time.
 */

/** JSON.parse has made it, so it is JSON: only its kind is looked at, and its keys keep their order. */
const json = z.custom<Json>((value: unknown) => value !== undefined);
const jsonObject = z.custom<JsonObject>((value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value));

const cache = z.exactOptional(z.enum(['5m', '1h']));

const text = z.strictObject({ type: z.literal('text'), text: z.string(), cache });

/** `sha256` names the image's bytes, which the practice model has no eyes for. */
const image = z.strictObject({ type: z.literal('image'), sha256: z.string(), mime_type: z.string(), cache });

const toolCall = z.strictObject({
  type: z.literal('tool_call'),
  id: z.string(),
  name: z.string(),
  args: jsonObject,
  cache,
});

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  call_id: z.string(),
  name: z.string(),
  content: z.array(z.discriminatedUnion('type', [text, image])),
  is_error: z.boolean(),
  cache,
});

const tool = z.strictObject({ name: z.string(), description: z.string(), schema: json, cache });

/** Which parts a role may hold is part of the shape; which role may follow which is in `rules.ts`. */
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

export type PracticeText = z.infer<typeof text>;
export type PracticeImage = z.infer<typeof image>;
export type PracticeToolCall = z.infer<typeof toolCall>;
export type PracticeToolResult = z.infer<typeof toolResult>;
export type PracticeTool = z.infer<typeof tool>;
export type PracticePart = PracticeText | PracticeImage | PracticeToolCall | PracticeToolResult;
export type PracticeMessage = z.infer<typeof message>;
/** `max_tokens` limits the reply; null leaves it to the model. */
export type PracticeRequest = z.infer<typeof request>;

/** Reads the body of a request; throws `protocol`, naming the place, when it is not of this format. */
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
