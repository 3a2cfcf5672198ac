import { failure, LoupeError } from '../../../engine/errors.js';
import type { LANGUAGE_MODEL_FAILURES } from '../../../engine/failures/models.js';
import { errorsIn } from '../../../providers/http/errorsIn.js';
import { systemCode } from '../../../storage/files/failure.js';
import type { ChatModel } from './chatModel.js';

type LmCode = keyof typeof LANGUAGE_MODEL_FAILURES;

/**
 * The failures by error code or name. `NoPermissions`, `Blocked` and `NotFound` are codes of `LanguageModelError`.
 * `Canceled` is a name in VS Code; `ChatQuotaExceeded` and `ChatRateLimited` are names in the extension Copilot Chat.
 */
const NAMES: ReadonlyMap<string, LmCode> = new Map([
  ['NoPermissions', 'vscode.noPermission'],
  ['Blocked', 'vscode.blocked'],
  ['NotFound', 'vscode.modelGone'],
  ['ChatQuotaExceeded', 'vscode.quota'],
  ['ChatRateLimited', 'vscode.rateLimited'],
  ['Canceled', 'vscode.cancelled'],
]);

/**
 * Other failures have only a message. These patterns match common messages of HTTP clients and model servers. The first
 * match counts.
 */
const WORDS: readonly (readonly [RegExp, LmCode])[] = [
  [
    /exceeds? (?:the )?token limit|context[ _](?:length|window)|prompt is too long|too many (?:input )?tokens|maximum context/i,
    'vscode.tooLong',
  ],
  [/rate.?limit|too many requests|\b429\b/i, 'vscode.tooManyRequests'],
  [/overloaded|temporarily unavailable|service unavailable|\b(?:500|502|503|504|529)\b/i, 'vscode.overloaded'],
  [/\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)\b|fetch failed|socket hang up|net::ERR_/i, 'vscode.network'],
];

/** Errors that JavaScript itself throws. Their messages are about the code of the extension. */
const DEFECTS: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** Converts an error from VS Code or the model's extension. Returns a `LoupeError` unchanged. */
export function lmError(thrown: unknown, model: ChatModel): LoupeError {
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  const words = wordsOf(thrown);
  const known = namedCode(thrown) ?? WORDS.find(([pattern]) => pattern.test(words))?.[1];
  const code = known ?? (errorsIn(thrown).some(({ name }) => DEFECTS.has(name)) ? 'vscode.defect' : 'vscode.failed');
  return failure(code, { model: `"${model.name}" (${model.vendor} in VS Code)`, words }, { cause: thrown });
}

/** Prefers an error's code to its name, because the code is more specific. */
function namedCode(thrown: unknown): LmCode | undefined {
  const codes = errorsIn(thrown).map((error) => NAMES.get(systemCode(error) ?? '') ?? NAMES.get(error.name));
  return codes.find((code) => code !== undefined);
}

/** Returns the error's message, or its cause's message when the error has none or only refers to the cause. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) {
    return typeof thrown === 'string' ? thrown.trim() : '';
  }
  const pointsAtCause = thrown.message.trim() === '' || thrown.message.includes('check cause');
  return pointsAtCause && thrown.cause !== undefined && thrown.cause !== thrown ? wordsOf(thrown.cause) : thrown.message.trim();
}
