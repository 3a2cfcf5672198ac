import { isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import { normalizePath } from '../../../engine/context/paths.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { JsonObject } from '../../../engine/json.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import { failedCall, type WorkspaceTool } from './workspaceTool.js';

/** Converts a file path of a model to its normal form. Rejects a path that leads out of the workspace. */
export const PATH = z.pipe(
  z.string(),
  z.transform((given, { issues }) => canonical(given, issues)),
);

/** Converts a folder path of a model like `PATH`. '' for the workspace. */
export const FOLDER = z.pipe(
  z.optional(z.string()),
  z.transform((given, { issues }) => (WORKSPACE.has(given) ? '' : canonical(given ?? '', issues))),
);

const WORKSPACE: ReadonlySet<string | undefined> = new Set([undefined, '', '.', './', '/']);

function canonical(given: string, issues: z.core.ParsePayload['issues']): string {
  try {
    // Rejects Windows network paths, such as `\\\\server\\share`, even on systems where this is a file name.
    if (!isAbsolute(given) && !given.startsWith('\\')) {
      return normalizePath(given);
    }
    issues.push({ code: 'custom', input: given, message: 'Use a path within the workspace, not an absolute one.' });
  } catch (thrown) {
    issues.push({ code: 'custom', input: given, message: toLoupeError(thrown).message });
  }
  return z.NEVER;
}

/** The valid arguments. Otherwise the `reason`, a text for the model. */
type ArgumentsOutcome<T> = { readonly ok: true; readonly args: T } | { readonly ok: false; readonly reason: string };

/** Returns a tool's `run` function that refuses arguments which do not match the schema. */
export function withArgs<T>(
  schema: z.ZodMiniType<T>,
  run: (args: T, options: ToolCallOptions) => Promise<CallOutcome>,
): WorkspaceTool['run'] {
  return async (args, options) => {
    const parsed = parsedArgs(schema, args);
    return parsed.ok ? run(parsed.args, options) : failedCall(parsed.reason);
  };
}

export function parsedArgs<T>(schema: z.ZodMiniType<T>, args: JsonObject): ArgumentsOutcome<T> {
  const parsed = schema.safeParse(args);
  const problems = parsed.success
    ? halfCharacters(args)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.') === '' ? 'The arguments' : path.join('.')}: ${message}`);
  return parsed.success && problems.length === 0
    ? { ok: true, args: parsed.data }
    : { ok: false, reason: `The arguments do not fit the tool. ${problems.join('. ')}` };
}

/** Returns a sentence for each text with half of a surrogate pair. In a file, the half would become U+FFFD. */
function halfCharacters(args: JsonObject): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const half = typeof value === 'string' ? /\p{Cs}/u.exec(value)?.[0].codePointAt(0) : undefined;
    return half === undefined
      ? []
      : [`${name}: The text has half of a character (U+${half.toString(16).toUpperCase()}). Send the whole character.`];
  });
}
