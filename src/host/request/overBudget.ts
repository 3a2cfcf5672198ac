import type { Excess } from '../../engine/request/excess.js';
import type { Request } from '../../engine/request/request.js';

/** The parts of a request that decide whether it may be sent. */
export interface BudgetCheck extends Pick<Request, 'excess' | 'model'> {
  /** Whether a server has reported a smaller input limit than the model's configured one. */
  readonly isLimitLearned: boolean;
  /** Whether the request holds only the end of the conversation. Its size is then the least possible one. */
  readonly isPartial: boolean;
}

/** Why a request cannot be sent, naming its largest parts; null when it fits. */
export function overBudget({ excess, isLimitLearned, isPartial, model }: BudgetCheck): string | null {
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
  return `Too long: ${total} tokens, limit ${limit}. ${parts} ${remedy(excess, { isLimitLearned, model })}`;
}

/** What makes room, first what is largest, and whose limit it is. */
function remedy({ tokens, largest }: Excess, { isLimitLearned, model }: Pick<BudgetCheck, 'isLimitLearned' | 'model'>): string {
  const [first] = largest;
  const room = first !== undefined && isDraft(first.key) ? 'Shorten your message' : 'Remove files, start a new chat';
  if (isLimitLearned) {
    return `The server's limit was lower; Loupe keeps to it for an hour. ${room}, or choose another model.`;
  }
  const isOwn = model.maxInputTokens === null || tokens <= model.maxInputTokens;
  return isOwn
    ? `The limit is the chat's own. ${room}, or raise the limit in the chat settings.`
    : `The limit is the model's. ${room}, or choose a model with a larger context.`;
}

/** Whether a block is the text in the message box, which a preview sends as the message `draft`. */
function isDraft(key: string): boolean {
  return key.startsWith('message:draft/');
}

/** The name of a block's source, for the user. */
function blockName(key: string): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'file':
      return rest.join(':');
    case 'message':
      return isDraft(key) ? 'your message' : 'message';
    case 'retiredTool':
      return `tool ${rest.join(':')}`;
    case 'system':
      return 'system prompt';
    default:
      return key;
  }
}
