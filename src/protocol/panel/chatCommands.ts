/** The commands of a chat after `/` in the message box, in the order of the list. */
export const CHAT_COMMANDS = ['summarize', 'new', 'model', 'usage', 'export', 'clear', 'fork'] as const;

export type ChatCommand = (typeof CHAT_COMMANDS)[number];

/** The commands that use the text after their name: `/new` as a draft, `/model` as a search text. */
export const COMMANDS_WITH_TEXT: readonly ChatCommand[] = ['new', 'model'];

/** Whether a typed text begins with the name of a command. */
export function isChatCommand(text: string): boolean {
  const [name] = text.split(/\s/, 1);
  return CHAT_COMMANDS.some((command) => command === name);
}
