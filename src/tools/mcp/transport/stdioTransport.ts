import {
  type JSONRPCMessage,
  type Transport,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  serializeMessage,
} from '@modelcontextprotocol/client';
import { type LoupeError, failure } from '../../../engine/errors.js';
import { DEEPEST_JSON, type Json, parseForeignJson } from '../../../engine/json.js';
import { EventLoopTurns } from '../../../providers/http/turns.js';
import { readEnvelope } from '../foreignMessage.js';
import { type McpLimits, sizeText } from '../limits.js';
import type { ResolvedStdio } from '../resolveLaunch.js';
import type { ServerLog } from '../serverLog.js';
import { ServerProcess } from './serverProcess.js';
import type { OrphanReaper } from './orphanReaper.js';
import { setImmediate } from 'node:timers/promises';
import * as threads from 'node:worker_threads';

/** Maximum number of bytes of an invalid line in the log. */
const LONGEST_QUOTE = 200;

/** Size in bytes from which a worker thread parses a line. Parsing 1 MB takes about 4 ms. */
const LARGE_LINE = 1024 * 1024;

/**
 * Exchanges messages with a process over its input and output. The SDK's transport would end only the child process,
 * not the group. It would also start a second process to ask for the protocol revision.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Because of `pid` and `stderr`, the SDK sees a stdio transport, and accepts a first request without a reply. */
  readonly stderr = null;
  readonly #launch: ResolvedStdio;
  readonly #limits: McpLimits;
  readonly #log: ServerLog;
  readonly #reaper: OrphanReaper;
  readonly #lines: MessageLines;
  #process: ServerProcess | null = null;
  #ending: string | null = null;
  #failure: LoupeError | null = null;
  #hasSpoken = false;
  #isStopped = false;

  constructor(launch: ResolvedStdio, { limits, log, reaper }: { limits: McpLimits; log: ServerLog; reaper: OrphanReaper }) {
    this.#launch = launch;
    this.#limits = limits;
    this.#log = log;
    this.#reaper = reaper;
    this.#lines = new MessageLines(limits.messageBytes);
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** How the process ended, such as `with code 1`. Null while it runs. */
  get ending(): string | null {
    return this.#ending;
  }

  /** The reason why Loupe ended the transport. Null when Loupe did not end the transport. */
  get failure(): LoupeError | null {
    return this.#failure;
  }

  /** Whether the server ended before its first message, and Loupe did not stop it. */
  get endedSilently(): boolean {
    return this.#ending !== null && !this.#isStopped && !this.#hasSpoken;
  }

  async start(): Promise<void> {
    const server = await ServerProcess.start(this.#launch, this.#limits.endMs, this.#reaper);
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
        reject(failure('mcp.ended', { how: this.#ending ?? 'before Loupe could send a message' }));
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

  /** Reads the output to its end, message by message. Pauses so that other work can run. Never rejects. */
  async #read(stdout: NodeJS.ReadableStream): Promise<void> {
    const work = new EventLoopTurns().begin();
    try {
      for await (const chunk of stdout) {
        const lines = this.#lines.push(chunk as Buffer);
        if (lines === null) {
          this.#failure = failure('mcp.sentTooMuch', { what: `a message of more than ${sizeText(this.#limits.messageBytes)}` });
          this.#kill();
          return;
        }
        for (const line of lines.filter(({ length }) => length > 0)) {
          if (work.shouldYield) {
            await work.yieldTurn();
          }
          // Copies the beginning now, because `line` moves to the thread.
          const beginning = line.toString('utf8', 0, LONGEST_QUOTE);
          this.#take(line.length > LARGE_LINE ? await readApart(line) : parseForeignJson(line.toString('utf8')), beginning);
        }
      }
    } catch (thrown) {
      // This error also occurs when Loupe closes the output of an ended process that another process holds open.
      this.#log.note(`Loupe could not read the output of the server to its end: ${String(thrown)}`);
      // Ends the process, so that its calls fail. Without output, calls would never end.
      this.#kill();
    }
  }

  /** Handles the parsed value of a line. Undefined means invalid JSON. */
  #take(value: Json | undefined, beginning: string): void {
    const message = value === undefined ? null : messageIn(readEnvelope(value));
    if (message === null) {
      this.#log.note(`The server wrote a line that is not an MCP message: ${beginning.trim()}`);
    } else {
      this.#hasSpoken = true;
      this.#pass(message);
    }
  }

  /** Passes a message to the handler. An uncaught error of the handler would end the extension host. */
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

/** Splits a byte stream into lines of at most `mostBytes`. */
export class MessageLines {
  readonly #mostBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the lines that these bytes complete, without line breaks. Null if a line is too long. */
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

interface ParseJob {
  readonly line: Uint8Array<ArrayBuffer>;
  readonly deepest: number;
}

/**
 * Parses a line of JSON in a worker thread. Undefined for invalid JSON or JSON nested deeper than `DEEPEST_JSON`. A
 * result of 5 MB has a line of 10 MB, because servers repeat it as structured content, and takes 40 ms to parse. The
 * line's buffer must contain only the line, because the buffer moves to the thread.
 */
export async function readApart(line: Uint8Array<ArrayBuffer>): Promise<Json | undefined> {
  // Pauses first, because collecting the line already took some milliseconds.
  await setImmediate();
  const job: ParseJob = { line, deepest: DEEPEST_JSON };
  return new Promise((resolve, reject) => {
    // The source of the function is the script of the thread, so the bundle needs no extra file.
    const worker = new threads.Worker(`(${readLine.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: job,
      transferList: [line.buffer],
      // Hides the environment and arguments of the extension host from the thread.
      env: {},
      execArgv: [],
    });
    worker.once('message', resolve).once('error', reject);
  });
}

/** The script of the thread. Runs from its source text, and so cannot use anything outside this function. */
function readLine({ parentPort, workerData }: typeof threads): void {
  const { line, deepest } = workerData as ParseJob;
  const parsed = (): unknown => {
    try {
      return JSON.parse(Buffer.from(line).toString('utf8'));
    } catch (thrown) {
      if (thrown instanceof SyntaxError) {
        return undefined;
      }
      throw thrown;
    }
  };
  const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const value = parsed();
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0 && depth < deepest; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  parentPort?.postMessage(level.length > 0 ? undefined : value);
}
