import { failure, type LoupeError } from '../../engine/errors.js';
import type { JsonObject } from '../../engine/json.js';
import type { ToolCallOptions, ToolOutcome } from '../../engine/ports.js';
import { raceAbort } from '../../engine/run/abortRace.js';
import type { IncludeMode } from '../../engine/record/item.js';
import type { CallOutcome } from '../../engine/tools/offered.js';
import type { ServerStatus, SignInState, Tool, ToolServer } from '../../engine/tools/tool.js';
import type { ServerConfig } from './config/mcpConfig.js';
import type { RevisionSupport, McpConnection } from './mcpConnection.js';
import type { McpBlank, McpPrompt, McpPromptMessage, McpResource, McpResourcePart } from './config/mcpEntries.js';
import { takesSignIn } from './mcpLaunch.js';
import type { McpLibrary, McpWait } from './mcpLibrary.js';
import type { McpPorts } from './mcpPorts.js';
import { configuredSecrets } from './configuredSecrets.js';
import { inputKey, type ResolvedLaunch, resolveLaunch } from './resolveLaunch.js';
import { ServerSecrets } from './secrets.js';
import { StartPermission } from './startPermission.js';
import { isSignInProblem, ServerHealth } from './serverHealth.js';
import { ServerLog } from './serverLog.js';
import type { ServerSignIn } from './signIn/serverSignIn.js';
import { failedOutcome, toOutcome } from './toolResult.js';
import { ServerTools } from './serverTools.js';
import { unlistedTool } from './toTools.js';
import type { OrphanReaper } from './transport/orphanReaper.js';

export type McpChange = 'status' | 'tools';

export interface McpServerPorts extends McpPorts {
  readonly reaper: OrphanReaper;
  readonly changed: (server: McpServer, change: McpChange) => void;
}

/** An MCP server of the workspace or the user. Loupe starts the server at its first use. */
export class McpServer implements ToolServer {
  /** Always included, because users who configure a server want to use its tools. */
  readonly include: IncludeMode = 'always';
  readonly #config: ServerConfig;
  readonly #ports: McpServerPorts;
  readonly #log: ServerLog;
  readonly #health: ServerHealth;
  readonly #tools: ServerTools;
  readonly #leave: StartPermission;
  /** Grows with each start, because the log may contain older secrets. */
  readonly #secrets = new ServerSecrets([]);
  /** The open session, even while a start still reads the tools. Null without a session. */
  #connection: McpConnection | null = null;
  #starting: Promise<void> | null = null;
  /** The protocol revisions that the server accepts: `any`, until a start shows that only older revisions work. */
  #era: RevisionSupport = 'any';
  /** Resolves when the previous session has ended. */
  #closing: Promise<void> = Promise.resolve();
  #life = new AbortController();
  /** The user's sign-in. Null before the first start, and for a server without one. */
  #signIn: ServerSignIn | null = null;

  constructor(config: ServerConfig, ports: McpServerPorts) {
    this.#config = config;
    this.#ports = ports;
    this.#log = new ServerLog(ports.limits.logBytes);
    this.#health = new ServerHealth({
      limits: ports.limits,
      log: this.#log,
      changed: () => {
        ports.changed(this, 'status');
      },
      reportError: ports.reportError,
    });
    this.#leave = new StartPermission(config, ports);
    this.#tools = new ServerTools({
      identity: config.identity,
      kept: ports.keptTools,
      log: this.#log,
      changed: () => {
        ports.changed(this, 'tools');
      },
      connection: () => this.#connection,
    });
  }

  get name(): string {
    return this.#config.name;
  }

  get identity(): string {
    return this.#config.identity;
  }

  /** The place of the server's configuration in words, such as `.vscode/mcp.json`. */
  get place(): string {
    return this.#config.place;
  }

  get status(): ServerStatus {
    return this.#health.status;
  }

  get problem(): string | null {
    return this.#health.problem;
  }

  /** Whether the user can sign in to the server. */
  get takesSignIn(): boolean {
    return takesSignIn(this.#config.launch);
  }

  get signInState(): SignInState {
    return this.#health.wantsSignIn ? 'wanted' : this.#signIn?.isSignedIn === true ? 'done' : 'none';
  }

  get tools(): readonly Tool[] {
    return this.#tools.all;
  }

  /** The end of the server's error output, with Loupe's notes about the server. Contains no secrets. */
  get log(): string {
    return this.#secrets.redact(this.#log.text());
  }

  /** Returns the secrets in the configuration, and the tokens of the user's sign-in. */
  async configuredSecrets(): Promise<readonly string[]> {
    return [...(await configuredSecrets(this.#config, this.#ports)), ...(this.#signIn?.tokens ?? [])];
  }

  /** Starts the server. If the server is running, renews an expired tool list. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#starting === null && this.#connection === null && !this.#health.hasToWait()) {
      this.#starting = this.#begin(this.#life.signal).finally(() => {
        this.#starting = null;
      });
    }
    // Other callers can wait for the same start, so an aborted wait does not stop the start.
    await raceAbort(this.#starting ?? this.#tools.renew(this.#life.signal), signal);
  }

  async allowed(signal: AbortSignal): Promise<void> {
    if (this.#connection === null && this.#health.canStart) {
      await raceAbort(this.#leave.ask(this.#life.signal), signal);
    }
  }

  /** Stops the server and starts it again at once, even during a wait after crashes. */
  async restart(signal: AbortSignal): Promise<void> {
    await this.stop();
    this.#health.forget();
    await this.start(signal);
  }

  /** Signs the user in with the browser, and starts the server again. Rejects with the reason if one of both fails. */
  async signIn(signal: AbortSignal): Promise<void> {
    if (this.#signIn === null) {
      await this.start(signal);
    }
    if (this.#signIn === null) {
      throw failure('mcp.asksForNoSignIn', { name: this.name });
    }
    await this.#signIn.signIn(signal);
    await this.restart(signal);
    if (this.problem !== null) {
      throw failure('mcp.doesNotRun', { name: this.name, problem: this.problem });
    }
  }

  /** Removes the sign-in, and starts a running server again. Rejects if the server did not confirm the end. */
  async signOut(signal: AbortSignal): Promise<void> {
    try {
      await this.#signIn?.signOut();
    } finally {
      await (this.status === 'stopped' ? null : this.restart(signal));
    }
  }

  async call(name: string, args: JsonObject, options: ToolCallOptions): Promise<CallOutcome> {
    return { ...(await this.#called(name, args, options)), edits: [] };
  }

  async #called(name: string, args: JsonObject, options: ToolCallOptions): Promise<ToolOutcome> {
    try {
      return await this.#asking(options.signal, async (connection) => {
        // Calls even a tool that the server does not list, and lets the server decide.
        const tool = this.tools.find((each) => each.name === name) ?? unlistedTool(name);
        const result = await connection.call(tool, args, options);
        return toOutcome(result, { mostBytes: this.#ports.limits.resultBytes, keepBlob: options.keepBlob });
      });
    } catch (thrown) {
      options.signal.throwIfAborted();
      return failedOutcome(this.#secrets.redact((await this.#requestFailure(thrown)).message));
    }
  }

  /**
   * The next five methods start the server. They throw a `LoupeError` on failure, or the reason of an aborted signal.
   */
  listResources(signal: AbortSignal): Promise<readonly McpResource[]> {
    return this.#reading(signal, (library, waiting) => library.resources(waiting));
  }

  readResource(uri: string, signal: AbortSignal): Promise<readonly McpResourcePart[]> {
    return this.#reading(signal, (library, waiting) => library.resource(uri, waiting));
  }

  listPrompts(signal: AbortSignal): Promise<readonly McpPrompt[]> {
    return this.#reading(signal, (library, waiting) => library.prompts(waiting));
  }

  getPrompt(name: string, blanks: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly McpPromptMessage[]> {
    return this.#reading(signal, (library, waiting) => library.prompt(name, blanks, waiting));
  }

  suggestBlank(blank: McpBlank, signal: AbortSignal): Promise<readonly string[]> {
    return this.#reading(signal, (library, waiting) => library.suggestions(blank, waiting));
  }

  /** Ends the server and all its processes. Resolves when all processes have ended. */
  async stop(): Promise<void> {
    this.#life.abort(failure('mcp.isStopped'));
    this.#life = new AbortController();
    await this.#starting;
    await this.#close();
    // If another caller has started the server during the stop, keeps the status of this start.
    if (this.#starting === null) {
      this.#health.set('stopped');
    }
  }

  /** Deletes the values that the user entered for this server. Rejects when the secret storage fails. */
  async forgetInputs(): Promise<void> {
    for (const id of this.#config.inputs.keys()) {
      await this.#ports.inputs.forget(inputKey(this.identity, id, this.#ports));
    }
  }

  /** Returns the open session. Starts the server if necessary. Throws when the start fails. */
  async #running(signal: AbortSignal): Promise<McpConnection> {
    // During a start, `#connection` exists before the tools are read.
    if (this.#connection === null || this.#starting !== null) {
      await this.start(signal);
    }
    signal.throwIfAborted();
    if (this.#connection === null) {
      throw failure('mcp.doesNotRun', { name: this.name, problem: this.problem ?? '' });
    }
    return this.#connection;
  }

  /** Does `work` with the session. If the server has lost the session, repeats `work` with a new session. */
  async #asking<T>(signal: AbortSignal, work: (connection: McpConnection) => Promise<T>): Promise<T> {
    const first = await this.#running(signal);
    try {
      return await work(first);
    } catch (thrown) {
      if (signal.aborted || !first.hasLostSession(thrown)) {
        throw thrown;
      }
    }
    this.#log.note('The server no longer knows the session. Loupe starts a new session.');
    if (this.#connection === first) {
      await this.#close();
    }
    return work(await this.#running(signal));
  }

  async #reading<T>(signal: AbortSignal, read: (library: McpLibrary, waiting: McpWait) => Promise<T>): Promise<T> {
    try {
      return await this.#asking(signal, ({ library }) => read(library, { signal, timeout: this.#ports.limits.silentCallMs }));
    } catch (thrown) {
      signal.throwIfAborted();
      throw await this.#requestFailure(thrown);
    }
  }

  async #requestFailure(thrown: unknown): Promise<LoupeError> {
    const { callFailure } = await import('./mcpErrors.js');
    const error = callFailure(this.name, thrown, { secrets: this.#secrets, hasSignIn: this.#signIn !== null });
    this.#log.note(error.message);
    if (isSignInProblem(error)) {
      await this.#close();
      this.#health.failed(error, this.#secrets);
    }
    // Reports only these errors, because the chat shows all other errors to the model and the user.
    if (error.kind === 'internal' || error.kind === 'storage') {
      this.#ports.reportError(error);
    }
    return error;
  }

  async #begin(life: AbortSignal): Promise<void> {
    this.#health.set('starting');
    try {
      await this.#closing;
      await this.#leave.require(life);
      const resolved = await resolveLaunch(this.#config, this.#ports, life);
      this.#secrets.addAll(resolved.secrets);
      life.throwIfAborted();
      // The SDK is large, so Loupe loads it with the first server.
      const { McpConnection } = await import('./mcpConnection.js');
      this.#signIn = await this.#signInTo(resolved);
      this.#connection = await McpConnection.open(resolved, this.#era, this.#connectionPorts(life), life);
      this.#era = this.#connection.era;
      this.#health.started();
      this.#tools.take(await this.#connection.tools('refresh', life));
      life.throwIfAborted();
      this.#health.set('running');
    } catch (thrown) {
      await this.#close();
      this.#health.failed(life.aborted ? life.reason : thrown, this.#secrets);
    }
  }

  /** Returns the user's sign-in. Null for a program, and for a server that gets a key by its configuration. */
  async #signInTo({ launch }: ResolvedLaunch): Promise<ServerSignIn | null> {
    if (!takesSignIn(launch)) {
      return null;
    }
    const { ServerSignIn } = await import('./signIn/serverSignIn.js');
    return new ServerSignIn({ name: this.name, launch, ports: this.#ports, log: this.#log, secrets: this.#secrets });
  }

  #connectionPorts(life: AbortSignal): Parameters<typeof McpConnection.open>[2] {
    const { version, limits, reaper, elicit, reportError } = this.#ports;
    return {
      name: this.name,
      version,
      limits,
      log: this.#log,
      reaper,
      signIn: this.#signIn,
      elicit,
      reportError,
      toolsChanged: () => void this.#tools.read('refresh', life),
      ended: (why) => {
        // During a start, `#begin` handles the error.
        if (this.status === 'running') {
          this.#connection = null;
          this.#health.failed(why, this.#secrets);
        }
      },
    };
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (connection !== null) {
      this.#closing = connection.close();
    }
    await this.#closing;
  }
}
