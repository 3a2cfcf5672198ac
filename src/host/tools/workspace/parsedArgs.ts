import type * as z from 'zod/mini';
import type { JsonObject } from '../../../engine/json.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { failedCall } from './workspaceTool.js';

type ArgumentsOutcome<T> =
  | { readonly ok: true; readonly args: T }
  /** `reason` is the text of `refused` for the model. */
  | { readonly ok: false; readonly reason: string; readonly refused: CallOutcome };

export function parsedArgs<T>(schema: z.ZodMiniType<T>, args: JsonObject): ArgumentsOutcome<T> {
  const parsed = schema.safeParse(args);
  if (parsed.success) {
    return { ok: true, args: parsed.data };
  }
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') === '' ? 'The arguments' : path.join('.')}: ${message}`,
  );
  const reason = `The arguments do not fit the tool. ${problems.join('. ')}`;
  return { ok: false, reason, refused: failedCall(reason) };
}
