import type { CallTarget } from '../../engine/chat/calls.js';
import type { CallableTool } from '../../engine/tools/offered.js';
import type { ToolServer } from '../../engine/tools/tool.js';

/** What the user has allowed for all chats. */
export interface AlwaysAllowed {
  has(target: CallTarget): boolean;
  /** Rejects with `storage` when it cannot be kept. */
  allow(target: CallTarget): Promise<void>;
  takeBack(target: CallTarget): Promise<void>;
}

/** All that offers tools to the chats of a window. */
export interface Toolbox {
  /** None in a workspace that is not trusted. */
  servers(): readonly ToolServer[];
  /** Tools that need no offer: the practice model calls its own unasked. */
  builtIn(name: string): CallableTool | null;
  readonly always: AlwaysAllowed;
}

/** The server of that name; undefined where there is none. */
export function serverNamed(toolbox: Pick<Toolbox, 'servers'>, name: string): ToolServer | undefined {
  return toolbox.servers().find((server) => server.name === name);
}
