import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { PART_SETTINGS, type PartSetting } from '../../../engine/chat/settings/editorSettings.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import { type LongPart, workspaceKey } from '../../../engine/request/workspace.js';
import { EDITOR_PARTS } from './editorParts.js';
import type { EditorSource } from './editorSource.js';

export interface EditorStatePorts {
  readonly source: EditorSource;
  logError(error: LoupeError): void;
}

/** Reads the parts of the workspace message that the settings of a chat switch on. */
export class EditorState {
  readonly #ports: EditorStatePorts;

  constructor(ports: EditorStatePorts) {
    this.#ports = ports;
  }

  /** Returns the parts with something to say, in the order of sending. Logs a part that cannot be read. */
  async read(config: Pick<ChatConfig, PartSetting>): Promise<readonly LongPart[]> {
    const parts = PART_SETTINGS.filter((setting) => config[setting] === 'on').map((setting) => this.#part(setting));
    return (await Promise.all(parts)).filter((part) => part !== null);
  }

  async #part(setting: PartSetting): Promise<LongPart | null> {
    const { name, mostTokens, read } = EDITOR_PARTS[setting];
    try {
      const text = await read(this.#ports.source);
      return text === null ? null : { key: workspaceKey(name), name, ...text, mostTokens };
    } catch (thrown) {
      // Another extension, such as git, may fail. The other parts are still useful.
      this.#ports.logError(toLoupeError(thrown));
      return null;
    }
  }
}
