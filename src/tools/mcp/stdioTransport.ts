import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { failure, type LoupeError } from '../../engine/errors.js';
import { parseOthersJson } from '../../engine/json.js';
import { FloodGuard, sizeText } from './floodGuard.js';
import type { McpLimits } from './limits.js';
import { MessageLines } from './messageLines.js';
import type { ResolvedStdio } from './resolveLaunch.js';
import type { ServerLog } from './serverLog.js';
import { ServerProcess } from './serverProcess.js';
import type { Watchdog } from './watchdog.js';

/** Most characters of a line that is no message, in the log. */
const LONGEST_QUOTE = 200;

/**
 * Speaks with a process over its input and output. The SDK's own transport ends only the process that it started, not the group, and
 * starts a second process to ask for the protocol's revision.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** By this and `pid` the SDK knows a transport of this kind: silence of a server at the first question is no outage then. */
  readonly stderr = null;
  readonly #launch: ResolvedStdio;
  readonly #limits: McpLimits;
  readonly #log: ServerLog;
  readonly #watchdog: Watchdog;
  readonly #lines: MessageLines;
  readonly #flood: FloodGuard;
  #process: ServerProcess | null = null;
  #ending: string | null = null;
  #failure: LoupeError | null = null;
  #hasSpoken = false;

  constructor(launch: ResolvedStdio, { limits, log, watchdog }: { limits: McpLimits; log: ServerLog; watchdog: Watchdog }) {
    this.#launch = launch;
    this.#limits = limits;
    this.#log = log;
    this.#watchdog = watchdog;
    this.#lines = new MessageLines(limits.messageBytes);
    this.#flood = new FloodGuard(limits.flood);
  }

  /** Null while there is no process. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** How the process ended, such as `with code 1`; null while it runs. */
  get ending(): string | null {
    return this.#ending;
  }

  /** Why Loupe ended it; null where it did not. */
  get failure(): LoupeError | null {
    return this.#failure;
  }

  /** Whether a message came from it. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  async start(): Promise<void> {
    const server = await ServerProcess.start(this.#launch, this.#limits.endMs, this.#watchdog);
    this.#process = server;
    server.stderr.on('data', (chunk: Buffer) => {
      this.#log.write(chunk);
    });
    server.stdout.on('data', (chunk: Buffer) => {
      this.#read(chunk);
    });
    void server.ended.then((how) => {
      this.#ending = how;
      this.#lines.clear();
      this.onclose?.();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    return new Promise((resolve, reject) => {
      if (stdin?.writable !== true || this.#ending !== null) {
        reject(failure('mcp.ended', { how: this.#ending ?? 'before it could be asked' }));
        return;
      }
      stdin.write(serializeMessage(message), (error) => {
        if (error) {
          reject(error);
        } else {
          resolve();
        }
      });
    });
  }

  async close(): Promise<void> {
    await this.#process?.stop();
  }

  #read(chunk: Buffer): void {
    if (this.#failure !== null) {
      return;
    }
    const lines = this.#lines.push(chunk);
    if (lines === null) {
      this.#refuse(`a message of more than ${sizeText(this.#limits.messageBytes)}`);
      return;
    }
    for (const line of lines) {
      this.#readLine(line);
    }
  }

  #readLine(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '' || this.#failure !== null) {
      return;
    }
    const value: unknown = parseOthersJson(text);
    const isAnswer = isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value);
    const tooMuch = isAnswer ? null : this.#flood.count(line.length, performance.now());
    if (tooMuch !== null) {
      this.#refuse(tooMuch);
    } else if (isAnswer || isJSONRPCRequest(value) || isJSONRPCNotification(value)) {
      this.#hasSpoken = true;
      this.#pass(value);
    } else {
      this.#log.note(`It wrote a line that is no message of MCP: ${text.slice(0, LONGEST_QUOTE)}`);
    }
  }

  /** What is thrown behind a message would end the extension host, from here. */
  #pass(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  /** Ends a server that would take all memory, or all of a processor. */
  #refuse(what: string): void {
    this.#failure = failure('mcp.sentTooMuch', { what });
    this.#lines.clear();
    void this.#process?.kill();
  }
}
