import type { Request } from '../../engine/request/request.js';

/** The parts of a request that decide whether it may be sent. */
export interface BudgetCheck extends Pick<Request, 'excess'> {
  /** Whether a server has reported a smaller input limit than the model's configured one. */
  readonly isLimitLearned: boolean;
  /** Whether the request holds only the end of the conversation. Its size is then the least possible one. */
  readonly isPartial: boolean;
}

/** Why a request cannot be sent, naming its largest parts; null when it fits. */
export function overBudget({ excess, isLimitLearned, isPartial }: BudgetCheck): string | null {
  if (excess === null) {
    return null;
  }
  if (excess.budget === 0) {
    return (
      'Nothing can be sent: what is kept free for the reply takes up the whole context limit. ' +
      'Lower it in the chat settings, or choose a model with a larger context.'
    );
  }
  const total = excess.tokens.toLocaleString('en-US');
  const limit = excess.budget.toLocaleString('en-US');
  if (isPartial) {
    // All these parts are at the end of the conversation, and none of them alone makes it too long.
    return (
      `Too long: over ${total} tokens, limit ${limit}. ` +
      'Start a new chat, fork this one at an earlier reply, or choose a model with a larger context.'
    );
  }
  const largest = excess.largest.map(({ key, tokens }) => `${blockName(key)} ${tokens.toLocaleString('en-US')}`);
  const parts = largest.length > 0 ? `Largest: ${largest.join(', ')}.` : `It consists of ${String(excess.parts)} small parts.`;
  const remedy = isLimitLearned
    ? "The server's limit was lower; Loupe keeps to it for an hour. Remove files, start a new chat, or choose another model."
    : 'Remove files, start a new chat, or raise the limits in the chat settings.';
  return `Too long: ${total} tokens, limit ${limit}. ${parts} ${remedy}`;
}

/** The name of a block's source, for the user. */
function blockName(key: string): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'file':
      return rest.join(':');
    case 'message':
      return 'message';
    case 'retiredTool':
      return `tool ${rest.join(':')}`;
    case 'system':
      return 'system prompt';
    default:
      return key;
  }
}
