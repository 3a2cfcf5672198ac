import type * as z from 'zod/mini';
import type { JsonObject } from '../../../engine/json.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { refusedCall } from './workspaceTool.js';

type Parsed<T> = { readonly ok: true; readonly args: T } | { readonly ok: false; readonly refused: CallOutcome };

/** The arguments of a call as its tool takes them, or what the model is told of them. */
export function parsedArgs<T>(schema: z.ZodMiniType<T>, args: JsonObject): Parsed<T> {
  const parsed = schema.safeParse(args);
  if (parsed.success) {
    return { ok: true, args: parsed.data };
  }
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') === '' ? 'The arguments' : path.join('.')}: ${message}`,
  );
  return { ok: false, refused: refusedCall(`The arguments do not fit the tool. ${problems.join('. ')}`) };
}
