import type { LoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { Elicit } from './elicitation.js';
import type { McpInput } from './config/mcpInputs.js';
import type { LaunchText } from './launchText.js';
import type { McpLimits } from './limits.js';

/** Values that the user entered for inputs. Stored in the secret storage, because each may be secret. */
export interface InputValues {
  /** Returns the stored value, or null. Rejects when the storage fails. */
  get(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** Asks the user for the value of an input. Returns null when the user gives none or the signal aborts. */
  ask(serverName: string, input: McpInput, signal: AbortSignal): Promise<string | null>;
}

/** Stores the last tool lists of servers for all VS Code windows. Another version of Loupe may have written them. */
export interface ToolListStore {
  get(identity: string): unknown;
  keep(identity: string, tools: unknown): void;
}

/** Describes the start of a server from the workspace. The user approves or refuses this start. */
export interface StartRequest {
  readonly name: string;
  /** The place of the server's configuration: a name that the user knows. */
  readonly place: string;
  /** A hash of the server's configuration. The user's approval applies only to this hash. */
  readonly identity: string;
  readonly launch: LaunchText;
}

export interface McpPorts {
  readonly sha256: Sha256;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Loupe's version, which is sent to servers with Loupe's name. */
  readonly version: string;
  readonly inputs: InputValues;
  readonly keptTools: ToolListStore;
  readonly elicit: Elicit;
  /** Asks the user whether a server may start, once for each identity. Resolves to false when the signal aborts. */
  readonly mayStart: (asked: StartRequest, signal: AbortSignal) => Promise<boolean>;
  /** Logs an error that no call and no problem of a server shows. */
  readonly reportError: (error: LoupeError) => void;
  readonly limits: McpLimits;
}
