import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { failure, type LoupeError } from '../../../engine/errors.js';
import { parseOthersJson, type Json } from '../../../engine/json.js';
import { Turns } from '../../../providers/http/turns.js';
import { readApart } from './largeLine.js';
import { type McpLimits, sizeText } from '../limits.js';
import type { ResolvedStdio } from '../resolveLaunch.js';
import type { ServerLog } from '../serverLog.js';
import { ServerProcess } from './serverProcess.js';
import type { Watchdog } from './watchdog.js';

/** Most bytes of a line that is no message, in the log. */
const LONGEST_QUOTE = 200;

/** Bytes of a line that another thread reads. To read so many takes some 4 ms. */
const LARGE_LINE = 1024 * 1024;

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
  #process: ServerProcess | null = null;
  #ending: string | null = null;
  #failure: LoupeError | null = null;
  #hasSpoken = false;
  #isStopped = false;

  constructor(launch: ResolvedStdio, { limits, log, watchdog }: { limits: McpLimits; log: ServerLog; watchdog: Watchdog }) {
    this.#launch = launch;
    this.#limits = limits;
    this.#log = log;
    this.#watchdog = watchdog;
    this.#lines = new MessageLines(limits.messageBytes);
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

  /** Whether it ended before it said anything, and Loupe did not stop it. */
  get endedSilently(): boolean {
    return this.#ending !== null && !this.#isStopped && !this.#hasSpoken;
  }

  async start(): Promise<void> {
    const server = await ServerProcess.start(this.#launch, this.#limits.endMs, this.#watchdog);
    this.#process = server;
    server.stderr.on('data', (chunk: Buffer) => {
      this.#log.write(chunk);
    });
    const reading = this.#read(server.stdout);
    void server.ended.then(async (how) => {
      await reading;
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
    this.#isStopped ||= this.#ending === null;
    await this.#process?.stop();
  }

  /** Reads to the end, no faster than the messages are dealt with, and with a turn for others. Never rejects. */
  async #read(stdout: NodeJS.ReadableStream): Promise<void> {
    const work = new Turns().begin();
    try {
      for await (const chunk of stdout) {
        const lines = this.#lines.push(chunk as Buffer);
        if (lines === null) {
          this.#failure = failure('mcp.sentTooMuch', { what: `a message of more than ${sizeText(this.#limits.messageBytes)}` });
          this.#kill();
          return;
        }
        for (const line of lines.filter(({ length }) => length > 0)) {
          if (work.isDue) {
            await work.give();
          }
          // The bytes of a large line go to the thread that reads it.
          const beginning = line.toString('utf8', 0, LONGEST_QUOTE);
          this.#take(line.length > LARGE_LINE ? await readApart(line) : parseOthersJson(line.toString('utf8')), beginning);
        }
      }
    } catch (thrown) {
      // Also where the output of a process that has ended is closed, because another one holds it open.
      this.#log.note(`Its output could not be read to the end: ${String(thrown)}`);
      // Nobody would hear the answers to its calls: one that still runs ends, and they fail.
      this.#kill();
    }
  }

  /** Takes the value of a line; undefined for one that is no JSON. */
  #take(value: Json | undefined, beginning: string): void {
    const message = messageIn(value);
    if (message === null) {
      this.#log.note(`It wrote a line that is no message of MCP: ${beginning.trim()}`);
    } else {
      this.#hasSpoken = true;
      this.#pass(message);
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

  #kill(): void {
    this.#isStopped ||= this.#ending === null;
    void this.#process?.kill();
  }
}

function messageIn(value: unknown): JSONRPCMessage | null {
  const isMessage =
    isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value) || isJSONRPCRequest(value) || isJSONRPCNotification(value);
  return isMessage ? value : null;
}

const LINE_BREAK = 10;

/** Divides a stream of bytes into lines. Holds no more than one line of at most `mostBytes`. */
export class MessageLines {
  readonly #mostBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The lines that these bytes complete, without their breaks, and the number of bytes of each. Null when a line is too long. */
  push(chunk: Uint8Array): readonly Buffer<ArrayBuffer>[] | null {
    const lines: Buffer<ArrayBuffer>[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
      this.#keep(chunk.subarray(from, at));
      if (this.#bytes > this.#mostBytes) {
        return null;
      }
      lines.push(Buffer.concat(this.#pieces));
      this.clear();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return this.#bytes > this.#mostBytes ? null : lines;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }
}
