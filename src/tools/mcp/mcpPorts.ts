import type { LoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { Elicit } from './elicitation.js';
import type { McpInput } from './config/mcpInputs.js';
import type { LaunchText } from './launchText.js';
import type { McpLimits } from './limits.js';

/** Values that the user entered for inputs, in the secret storage. All may be secret. */
export interface InputValues {
  /** The kept value; null where there is none. Rejects where the storage fails. */
  get(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** Asks the user for a value. Null where the user gives none, and when the signal aborts. */
  ask(serverName: string, input: McpInput, signal: AbortSignal): Promise<string | null>;
}

/** The tools that servers last offered, kept beyond the window. What is read may come from another version of Loupe. */
export interface KeptTools {
  get(identity: string): unknown;
  keep(identity: string, tools: unknown): void;
}

/** What a server that others configured would do, for the user to allow. */
export interface AskedStart {
  readonly name: string;
  /** Where it is configured, as the user knows it. */
  readonly place: string;
  /** A hash of all that is configured for it: the answer holds for that alone. */
  readonly identity: string;
  readonly launch: LaunchText;
}

/** What MCP servers need from outside. */
export interface McpPorts {
  readonly sha256: Sha256;
  /** The environment of this process: its variables by name. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** Sent to servers with the name of Loupe. */
  readonly version: string;
  readonly inputs: InputValues;
  readonly keptTools: KeptTools;
  readonly elicit: Elicit;
  /** Whether the user lets a server start. Resolves when the user has answered, once for each identity; to false when the signal aborts. */
  readonly mayStart: (asked: AskedStart, signal: AbortSignal) => Promise<boolean>;
  /** Logs an error that no call and no problem of a server tells. */
  readonly reportError: (error: LoupeError) => void;
  readonly limits: McpLimits;
}
