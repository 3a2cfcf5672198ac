import { toLoupeError } from '../../engine/errors.js';
import { member } from '../../providers/json.js';
import type { Banners } from '../window/banners.js';
import { CHAT_COMMANDS, type ChatCommandPorts } from './chatCommands.js';
import type { CommandId } from './commandIds.js';
import { CONTEXT_COMMANDS, type ContextCommandPorts } from './contextCommands.js';
import { MESSAGE_COMMANDS, type MessageCommandPorts } from './messageCommands.js';
import { MODEL_COMMANDS, type ModelCommandPorts } from './modelCommands.js';
import { REQUEST_COMMANDS, type RequestCommandPorts } from './requestCommands.js';

export interface CommandPorts extends ChatCommandPorts, MessageCommandPorts, ContextCommandPorts, ModelCommandPorts, RequestCommandPorts {
  readonly panel: ChatCommandPorts['panel'] & MessageCommandPorts['panel'] & ContextCommandPorts['panel'];
  readonly shown: ChatCommandPorts['shown'] & ContextCommandPorts['shown'];
  readonly banners: Pick<Banners, 'fail' | 'succeeded'>;
}

type Command = (ports: CommandPorts, ...args: unknown[]) => Promise<unknown>;

/**
 * The function of each command. Keybindings and other extensions can pass arguments. Without an argument, a command
 * asks the user or uses the chat in the panel.
 */
const COMMANDS: Readonly<Record<CommandId, Command>> = {
  ...CHAT_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...CONTEXT_COMMANDS,
  ...MODEL_COMMANDS,
  ...REQUEST_COMMANDS,
};

/**
 * Runs a command. Logs a failure, shows it in the panel and throws it again. For a cancelled command or a command
 * without effect, returns undefined instead of throwing, because VS Code would show the thrown error as a failure.
 */
export async function runCommand(id: CommandId, args: readonly unknown[], ports: CommandPorts): Promise<unknown> {
  // The panel's message for the same operation has this name, so both hide the same failure banner.
  const operation = id.slice('loupe.'.length);
  try {
    const result = await COMMANDS[id](ports, ...args);
    ports.banners.succeeded(operation);
    return result;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.isHarmless && args.some(isName)) {
      throw thrown;
    }
    ports.banners.fail(error, operation);
    if (error.kind === 'cancelled' || error.isHarmless) {
      return undefined;
    }
    throw thrown;
  }
}

/**
 * Whether an argument is the name of a chat, message or file. Keybindings and other extensions pass names and get
 * errors back. VS Code's menus pass a URI or no argument.
 */
function isName(argument: unknown): boolean {
  return typeof argument === 'string' || typeof member(argument, 'chatId') === 'string';
}
