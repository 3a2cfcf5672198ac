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
 * The commands, with arguments from a keybinding or another extension. For a missing argument they ask the user, or use
 * the chat in the panel.
 */
const COMMANDS: Readonly<Record<CommandId, Command>> = {
  ...CHAT_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...CONTEXT_COMMANDS,
  ...MODEL_COMMANDS,
  ...REQUEST_COMMANDS,
};

/**
 * Runs a command. A failure is logged, shown in the panel and rethrown. Returns undefined when the command was
 * cancelled or had nothing to do, because VS Code would show that as a failure.
 */
export async function runCommand(id: CommandId, args: readonly unknown[], ports: CommandPorts): Promise<unknown> {
  // The panel calls the operation by this name.
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
 * Whether an argument names a chat, a message or a file. Only other extensions and keybindings pass names, and they get
 * the error. VS Code's own menus pass a URI or nothing.
 */
function isName(argument: unknown): boolean {
  return typeof argument === 'string' || typeof member(argument, 'chatId') === 'string';
}
