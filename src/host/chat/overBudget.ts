import type { Request } from '../../engine/request/request.js';

/** What of a request decides whether it may be sent. */
export interface Judged extends Pick<Request, 'excess'> {
  /** The server has told a smaller input limit than the model is said to have. */
  readonly isLimitLearned: boolean;
  /** The conversation is longer than what was composed of it: the size is the least that the request would have. */
  readonly isPartial: boolean;
}

/** Why a request cannot be sent, naming its largest parts; null when it fits. */
export function overBudget({ excess, isLimitLearned, isPartial }: Judged): string | null {
  if (excess === null) {
    return null;
  }
  const total = excess.tokens.toLocaleString('en-US');
  const limit = excess.budget.toLocaleString('en-US');
  if (isPartial) {
    // Its parts are those of its end, and none of them is what makes it too long.
    return `The conversation is too long: its end alone has over ${total} tokens, more than the ${limit} this chat may send. Start a new chat, fork this one at an earlier reply, or choose a model with a larger window.`;
  }
  const largest = excess.largest.map(({ key, tokens }) => `${blockName(key)} (${tokens.toLocaleString('en-US')})`);
  const remedy = isLimitLearned
    ? 'start a new chat, or choose another model: the server has refused more, which counts for an hour.'
    : 'start a new chat, or raise the limits in the chat settings.';
  return (
    `The request has ${total} tokens, more than the ${limit} this chat may send. ` +
    (largest.length > 0
      ? `Its largest parts: ${largest.join(', ')}. Remove a file, ${remedy}`
      : `No part of it is large, it has ${String(excess.parts)}: ${remedy}`)
  );
}

/** A block's source in words for the user. */
function blockName(key: string): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'file':
      return rest.join(':');
    case 'message':
      return 'a message';
    case 'retiredTool':
      return `the tool ${rest.join(':')}`;
    case 'system':
      return 'the system prompt';
    default:
      return key;
  }
}
