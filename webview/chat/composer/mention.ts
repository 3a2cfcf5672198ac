import { COMMANDS_WITH_TEXT, isChatCommand } from '../../../src/protocol/panel/chatCommands.js';
import type { MentionMark } from '../../../src/protocol/panel/toWebview.js';

/** A mark such as `@` in the message box, the text typed after the mark, and the position of the mark in the text. */
export interface Mention {
  readonly mark: MentionMark;
  readonly from: number;
  readonly text: string;
}

/** Matches a message that is a command with its text, such as `/model son`. */
const WITH_TEXT = new RegExp(`^/((?:${COMMANDS_WITH_TEXT.join('|')})\\s[^]*)$`);

/** Returns the command, if the whole message is one. Null for a message that only begins like a command. */
export function commandIn(text: string): Mention | null {
  const typed = text.slice(1);
  const isCommand = WITH_TEXT.test(text) || (text.startsWith('/') && isChatCommand(typed) && !/\s/.test(typed));
  return isCommand ? { mark: '/', from: 0, text: typed } : null;
}

/**
 * Returns the mention that ends at the cursor, or the whole message if it is a command with its text. Null for other
 * text: e-mail addresses and paths are not mentions.
 */
export function mentionAt(text: string, caret: number): Mention | null {
  const before = text.slice(0, caret);
  const [, item] = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before) ?? [];
  if (item !== undefined) {
    return { mark: '@', from: caret - item.length - 1, text: item };
  }
  const [, command] = caret === 0 ? [] : (WITH_TEXT.exec(text) ?? []);
  if (command !== undefined) {
    return { mark: '/', from: 0, text: command };
  }
  const [, prompt] = /(?:^|\n)\/([^\s/]*)$/.exec(before) ?? [];
  return prompt === undefined ? null : { mark: '/', from: caret - prompt.length - 1, text: prompt };
}
