import { failure, LoupeError } from '../../../engine/errors.js';
import type { LANGUAGE_MODEL_FAILURES } from '../../../engine/failures/models.js';
import { errorsIn } from '../../../providers/http/errorsIn.js';
import { systemCode } from '../../../storage/files/failure.js';
import type { ChatModel } from './chatModel.js';

type LmCode = keyof typeof LANGUAGE_MODEL_FAILURES;

/**
 * `NoPermissions`, `Blocked` and `NotFound` are the codes of `LanguageModelError`. The other names are those of the
 * errors of VS Code (`Canceled`) and of the extension Copilot Chat (`ChatQuotaExceeded`, `ChatRateLimited`).
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
 * All other failures have only a message, in the words of the component that failed. These patterns match the usual
 * messages of HTTP clients and model servers; the first match counts.
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

/** Names of errors that JavaScript itself throws: their words are about the code of the extension. */
const DEFECTS: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** Converts what VS Code or the model's extension threw. A `LoupeError` stays as it is. */
export function lmError(thrown: unknown, model: ChatModel): LoupeError {
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  const words = wordsOf(thrown);
  const known = namedCode(thrown) ?? WORDS.find(([pattern]) => pattern.test(words))?.[1];
  const code = known ?? (errorsIn(thrown).some(({ name }) => DEFECTS.has(name)) ? 'vscode.defect' : 'vscode.failed');
  return failure(code, { model: `"${model.name}" (${model.vendor} in VS Code)`, words }, { cause: thrown });
}

/** Where an error has both a code and a name, the code is more specific. */
function namedCode(thrown: unknown): LmCode | undefined {
  const codes = errorsIn(thrown).map((error) => NAMES.get(systemCode(error) ?? '') ?? NAMES.get(error.name));
  return codes.find((code) => code !== undefined);
}

/** The message of an error; that of its cause when the error has none, or only says to check the cause. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) {
    return typeof thrown === 'string' ? thrown.trim() : '';
  }
  const pointsAtCause = thrown.message.trim() === '' || thrown.message.includes('check cause');
  return pointsAtCause && thrown.cause !== undefined && thrown.cause !== thrown ? wordsOf(thrown.cause) : thrown.message.trim();
}
