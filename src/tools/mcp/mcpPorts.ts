import type { LoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { Elicit } from './elicitation.js';
import type { McpInput } from './config/mcpInputs.js';
import type { LaunchText } from './launchText.js';
import type { McpLimits } from './limits.js';

/** Values that the user entered for inputs. The secret storage holds them, because each may be secret. */
export interface InputValues {
  /** Returns the stored value, or null. Rejects when the storage fails. */
  get(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** Asks the user for a value. Returns null when the user gives none or the signal aborts. */
  ask(serverName: string, input: McpInput, signal: AbortSignal): Promise<string | null>;
}

/** Stores the last tool lists of servers across windows. Another version of Loupe may have written them. */
export interface ToolListStore {
  get(identity: string): unknown;
  keep(identity: string, tools: unknown): void;
}

/** The start of a server from the workspace, for the user's approval. */
export interface StartRequest {
  readonly name: string;
  /** The place of its configuration, as the user knows it. */
  readonly place: string;
  /** A hash of its configuration. The approval applies only to this hash. */
  readonly identity: string;
  readonly launch: LaunchText;
}

export interface McpPorts {
  readonly sha256: Sha256;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Sent to servers, with the name of Loupe. */
  readonly version: string;
  readonly inputs: InputValues;
  readonly keptTools: ToolListStore;
  readonly elicit: Elicit;
  /** Asks the user whether a server may start, once for each identity. Resolves to false when the signal aborts. */
  readonly mayStart: (asked: StartRequest, signal: AbortSignal) => Promise<boolean>;
  /** Logs an error that appears neither in a call nor as a server's problem. */
  readonly reportError: (error: LoupeError) => void;
  readonly limits: McpLimits;
}
