import {
  type CallToolResult,
  Client,
  type ListToolsResult,
  type Progress,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { failure, type LoupeError } from '../../engine/errors.js';
import type { JsonObject } from '../../engine/json.js';
import type { ToolCallOptions, ToolProgress } from '../../engine/ports.js';
import type { Tool } from '../../engine/tools/tool.js';
import { readMessage } from './foreignMessage.js';
import { HttpTransport } from './transport/httpTransport.js';
import { SseTransport } from './transport/sseTransport.js';
import type { McpLimits } from './limits.js';
import { isUnknownSession, mayBeOldTransport, startFailure, wordsOf } from './mcpErrors.js';
import { McpLibrary } from './mcpLibrary.js';
import { OpenCalls, type OpenCallsPorts } from './openCalls.js';
import { ServerQuestions } from './questions.js';
import type { ExceededLimit } from './callTimes.js';
import type { HttpLaunch } from './mcpLaunch.js';
import type { ResolvedLaunch, ResolvedStdio } from './resolveLaunch.js';
import type { ServerLog } from './serverLog.js';
import type { ServerSignIn } from './signIn/serverSignIn.js';
import { StdioTransport } from './transport/stdioTransport.js';
import { toTools } from './toTools.js';
import type { OrphanReaper } from './transport/orphanReaper.js';

export interface ConnectionPorts extends OpenCallsPorts {
  readonly version: string;
  readonly limits: McpLimits;
  readonly log: ServerLog;
  readonly reaper: OrphanReaper;
  /** The user's sign-in to the server. Null for a server without one. */
  readonly signIn: ServerSignIn | null;
  /** Called when the server reports a change of its tool list. */
  readonly toolsChanged: () => void;
  /** Called when an open connection ends without a call of `close`. */
  readonly ended: (why: LoupeError) => void;
}

/** The accepted protocol revisions. `older`: Loupe must not ask for the revision, because the server then ends. */
export type RevisionSupport = 'any' | 'older';

/** Maximum wait in ms for the server's confirmation at the end of the session. */
const FAREWELL_MS = 1_000;

export class McpConnection {
  readonly era: RevisionSupport;
  readonly library: McpLibrary;
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #ports: ConnectionPorts;
  readonly #calls: OpenCalls;
  readonly #questions: ServerQuestions;
  #isOpen = false;
  #isClosing = false;
  /** The reason why the connection ended. Null while the connection is open. */
  #end: LoupeError | null = null;

  private constructor(transport: Transport, era: RevisionSupport, ports: ConnectionPorts) {
    this.era = era;
    this.#ports = ports;
    this.#transport = transport;
    this.#client = makeClient(era, ports);
    this.library = new McpLibrary(this.#client);
    this.#calls = new OpenCalls(ports);
    this.#questions = new ServerQuestions(this.#client, this.#calls);
    this.#client.onerror = (error) => {
      if (!this.#isClosing) {
        ports.log.note(messageOf(error));
      }
    };
    this.#client.onclose = () => {
      this.#closed();
    };
  }

  /**
   * Starts a server and its session. On failure, ends both and throws a `LoupeError`. The specification requires a
   * request for the protocol revision first, but servers made with some older SDKs end at any request before
   * `initialize`. So if the server ends without a reply, Loupe starts it again without this request. A server that
   * refuses streamable HTTP may have the transport before it, SSE.
   */
  static async open({ launch }: ResolvedLaunch, era: RevisionSupport, ports: ConnectionPorts, signal: AbortSignal): Promise<McpConnection> {
    const first = new McpConnection(transportOf(launch, ports), era, ports);
    try {
      await first.#connect(signal);
      return first;
    } catch (thrown) {
      if (launch.type === 'http' && mayBeOldTransport(thrown) && !signal.aborted) {
        return await McpConnection.#openOld(launch, thrown, ports, signal);
      }
      const endedSilently = first.#transport instanceof StdioTransport && first.#transport.endedSilently;
      if (era === 'older' || !endedSilently || signal.aborted) {
        throw thrown;
      }
    }
    ports.log.note(
      'The server ended before it answered. Some older servers end when Loupe asks for their MCP version. Loupe starts it again and does not ask.',
    );
    const second = new McpConnection(transportOf(launch, ports), 'older', ports);
    await second.#connect(signal);
    return second;
  }

  /** Connects by SSE. On failure, throws the first failure, because the address is probably wrong. */
  static async #openOld(launch: HttpLaunch, first: unknown, ports: ConnectionPorts, signal: AbortSignal): Promise<McpConnection> {
    const second = new McpConnection(new SseTransport(launch, ports), 'older', ports);
    try {
      await second.#connect(signal);
      return second;
    } catch (thrown) {
      ports.log.note(`The server does not answer by SSE either: ${messageOf(thrown)}`);
      throw signal.aborted ? thrown : first;
    }
  }

  /** Returns all tools in a fixed order. `use` allows the cached list until it expires. Throws a `LoupeError`. */
  async tools(mode: 'use' | 'refresh', signal: AbortSignal): Promise<readonly Tool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) {
      return [];
    }
    const { silentCallMs: timeout } = this.#ports.limits;
    try {
      const { tools }: ListToolsResult = await this.#client.listTools(undefined, { cacheMode: mode, timeout, signal });
      return toTools(tools, this.#ports.log);
    } catch (thrown) {
      throw this.#end ?? failure('mcp.toolListFailed', { words: wordsOf(thrown) }, { cause: thrown });
    }
  }

  /** Whether tool lists expire in the server's protocol revision. In other revisions, the server reports changes. */
  get listsExpire(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  /** Calls a tool. Rejects with an SDK error or a `LoupeError`. Cancels the call at the server on abort. */
  async call(
    tool: Tool,
    args: JsonObject,
    { signal, onProgress }: Pick<ToolCallOptions, 'signal' | 'onProgress'>,
  ): Promise<CallToolResult> {
    const over = new AbortController();
    let told: Pick<ToolProgress, 'done' | 'total' | 'text'> = { done: 0, total: null, text: null };
    const times = this.#calls.begin({
      over: (which) => {
        over.abort(this.#overFailure(which));
      },
      asks: (asks) => {
        onProgress({ ...told, asks });
      },
    });
    const options = {
      signal: AbortSignal.any([signal, over.signal]),
      // Loupe has its own time limits, because the SDK's limits would run while the user answers a question.
      timeout: LONGEST_TIMER_MS,
      onprogress: ({ progress, total, message }: Progress): void => {
        times.progress();
        told = { done: progress, total: total ?? null, text: message ?? null };
        onProgress({ ...told, asks: times.isPaused });
      },
      // Omits the output schema, so that the SDK does not check the result. The model gets the result unchanged.
      toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' as const } },
    };
    const request = { name: tool.name, arguments: { ...args } };
    try {
      return await this.#client.callTool(request, options).catch(async (thrown: unknown) => {
        if (!(thrown instanceof UrlElicitationRequiredError) || !(await this.#questions.areDone(thrown.elicitations, options.signal))) {
          throw thrown;
        }
        return this.#client.callTool(request, options);
      });
    } catch (thrown) {
      throw this.#callFailure(thrown, over.signal);
    } finally {
      this.#calls.end(times);
    }
  }

  /** Ends the session and the process that Loupe started. Resolves when both have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#transport instanceof HttpTransport && this.#end === null) {
      await Promise.race([
        this.#transport.terminateSession().catch((thrown: unknown) => {
          this.#ports.log.note(`Loupe could not end the session: ${messageOf(thrown)}`);
        }),
        new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref()),
      ]);
    }
    await this.#client.close();
    // Loupe must close the transport, because the SDK drops the transport when the server ends.
    await this.#transport.close();
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { startMs } = this.#ports.limits;
    const late = new AbortController();
    const limit = setTimeout(() => {
      late.abort(failure('mcp.slowStart', { seconds: Math.ceil(startMs / 1000) }));
    }, startMs);
    const stopped = AbortSignal.any([signal, late.signal]);
    // The SDK's request for the revision ignores the signal. Closing the transport ends the request.
    const stop = (): void => void this.close();
    stopped.addEventListener('abort', stop, { once: true });
    try {
      await this.#client.connect(this.#transport, { signal: stopped, timeout: startMs });
      stopped.throwIfAborted();
      this.#readItemByItem();
      this.#isOpen = true;
    } catch (thrown) {
      await this.close();
      throw startFailure(stopped.aborted ? stopped.reason : thrown, this.#transport, this.#ports.signIn !== null);
    } finally {
      clearTimeout(limit);
      stopped.removeEventListener('abort', stop);
    }
  }

  /** Changes messages before the SDK reads them, because the SDK refuses a whole list for one invalid member. */
  #readItemByItem(): void {
    const receive = this.#transport.onmessage;
    const noted = new Set<string>();
    // Loupe reads lists again while the user types, so it notes each sentence once.
    const note = (text: string): void => {
      if (!noted.has(text) && noted.size < MOST_NOTES) {
        noted.add(text);
        this.#ports.log.note(text);
      }
    };
    this.#transport.onmessage = (message) => {
      receive?.(readMessage(message, note));
    };
  }

  #closed(): void {
    const how = this.#transport.ending ?? 'its connection';
    this.#end ??= this.#transport.failure ?? (this.#isClosing ? failure('mcp.isStopped') : failure('mcp.ended', { how }));
    if (this.#isOpen && !this.#isClosing) {
      this.#isOpen = false;
      this.#ports.ended(this.#end);
    }
  }

  #callFailure(thrown: unknown, over: AbortSignal): unknown {
    if (this.#end !== null) {
      return failure('mcp.endedInCall', { name: this.#ports.name, problem: this.#end.message }, { cause: thrown });
    }
    return over.aborted ? over.reason : thrown;
  }

  #overFailure(which: ExceededLimit): LoupeError {
    const { name, limits } = this.#ports;
    return which === 'long'
      ? failure('mcp.longCall', { name, minutes: Math.ceil(limits.longestCallMs / 60_000) })
      : failure('mcp.silentCall', { name, seconds: Math.ceil(limits.silentCallMs / 1000) });
  }

  /** Whether the server no longer knows the session, for example after a restart. The server has not run the call. */
  hasLostSession(thrown: unknown): boolean {
    return this.#transport instanceof HttpTransport && this.#transport.sessionId !== undefined && isUnknownSession(thrown);
  }
}

type Transport = StdioTransport | HttpTransport | SseTransport;

function transportOf(launch: ResolvedStdio | HttpLaunch, ports: ConnectionPorts): Transport {
  return launch.type === 'stdio' ? new StdioTransport(launch, ports) : new HttpTransport(launch, ports);
}

function makeClient(era: RevisionSupport, { version, limits, toolsChanged, log }: ConnectionPorts): Client {
  const client = new Client(
    { name: 'loupe', title: 'Loupe', version },
    {
      // Without sampling and roots, servers get no access to models and folders.
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: era === 'any' ? { mode: 'auto', probe: { timeoutMs: limits.probeMs } } : { mode: 'legacy' },
      listChanged: { tools: { autoRefresh: false, debounceMs: CHANGES_MS, onChanged: toolsChanged } },
      jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) },
    },
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    log.note(`The server says (${params.level}): ${text.slice(0, LONGEST_MESSAGE)}`);
  });
  return client;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time in ms in which Loupe combines reports of a changed list. Servers send a report for each tool. */
const CHANGES_MS = 100;

const LONGEST_MESSAGE = 2_000;

/** Maximum number of sentences about invalid items in the log of a session. */
const MOST_NOTES = 1_000;

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message.slice(0, LONGEST_MESSAGE) : String(thrown).slice(0, LONGEST_MESSAGE);
}
