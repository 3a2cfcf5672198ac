import type { LoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { Elicit } from './elicitation.js';
import type { McpInput } from './config/mcpInputs.js';
import type { LaunchText } from './launchText.js';
import type { McpLimits } from './limits.js';

/** Values of inputs that the user entered, in VS Code's secret storage, because each value may be secret. */
export interface InputValues {
  /** Returns the stored value. Null without a stored value. Rejects when the storage fails. */
  get(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** Asks the user for the value of an input. Null when the user enters no value, or the signal aborts. */
  ask(serverName: string, input: McpInput, signal: AbortSignal): Promise<string | null>;
}

/** The secret storage, the browser and the windows of this computer, as the sign-in to servers uses them. */
export interface SignInPorts {
  /** Returns the stored sign-in. Null without one. This method and the next two reject when the storage fails. */
  get(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** Does `work` while no other VS Code window works with the same name. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Returns the address at which the user's browser reaches an address of this computer. */
  reachable(address: string): Promise<string>;
  /** Opens a web page in the browser. VS Code shows the address first. Resolves to whether the page was opened. */
  open(address: string): Promise<boolean>;
}

/** Stores the last tool lists of servers for all VS Code windows, in a format that depends on the version of Loupe. */
export interface ToolListStore {
  get(identity: string): unknown;
  keep(identity: string, tools: unknown): void;
}

/** Describes a server of the workspace whose start the user approves or refuses. */
export interface StartRequest {
  readonly name: string;
  /** The place of the server's configuration in words, such as `.vscode/mcp.json`. */
  readonly place: string;
  /** A hash of the server's configuration. The user's approval is valid only for this hash. */
  readonly identity: string;
  readonly launch: LaunchText;
}

export interface McpPorts {
  readonly sha256: Sha256;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Returns a setting of VS Code as text. Null for a setting that is missing, or is a list or an object. */
  readonly setting: (key: string) => string | null;
  /** Returns the path of the workspace folder with this name. Null without such a folder. */
  readonly folderNamed: (name: string) => string | null;
  /** Loupe's version, which Loupe sends to servers. */
  readonly version: string;
  readonly inputs: InputValues;
  readonly signIn: SignInPorts;
  readonly keptTools: ToolListStore;
  readonly elicit: Elicit;
  /** Asks the user once per identity whether a server may start. Resolves to false when the signal aborts. */
  readonly mayStart: (asked: StartRequest, signal: AbortSignal) => Promise<boolean>;
  /** Logs an error that appears neither in a call nor as the problem of a server. */
  readonly reportError: (error: LoupeError) => void;
  readonly limits: McpLimits;
}
