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
import { type McpLimits, sizeText } from '../limits.js';
import type { ResolvedStdio } from '../resolveLaunch.js';
import type { ServerLog } from '../serverLog.js';
import { ServerProcess } from './serverProcess.js';
import type { OrphanReaper } from './orphanReaper.js';
import { setImmediate } from 'node:timers/promises';
import * as threads from 'node:worker_threads';

/** Most bytes of an invalid line in the log. */
const LONGEST_QUOTE = 200;

/** From this size on, a worker thread parses a line. Parsing 1 MB takes about 4 ms. */
const LARGE_LINE = 1024 * 1024;

/**
 * Communicates with a process over its input and output. The SDK's own transport ends only its direct child instead of
 * the group, and starts a second process to ask for the protocol revision.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Together with `pid`, marks a stdio transport for the SDK: then a server may ignore the first request. */
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

  /** The reason when Loupe ended it, otherwise null. */
  get failure(): LoupeError | null {
    return this.#failure;
  }

  /** Whether it ended without any message and without a stop by Loupe. */
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

  /** Reads to the end, one message after the other, and yields to other work. Never rejects. */
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
          // The line's bytes move to the thread, so its beginning is copied first.
          const beginning = line.toString('utf8', 0, LONGEST_QUOTE);
          this.#take(line.length > LARGE_LINE ? await readApart(line) : parseForeignJson(line.toString('utf8')), beginning);
        }
      }
    } catch (thrown) {
      // Also happens when another process holds the output of an ended process open and it is closed.
      this.#log.note(`Its output could not be read to the end: ${String(thrown)}`);
      // Without output, calls would never finish. Ending the process makes them fail.
      this.#kill();
    }
  }

  /** Handles the value of a line. Undefined means invalid JSON. */
  #take(value: Json | undefined, beginning: string): void {
    const message = messageIn(value);
    if (message === null) {
      this.#log.note(`It wrote a line that is not an MCP message: ${beginning.trim()}`);
    } else {
      this.#hasSpoken = true;
      this.#pass(message);
    }
  }

  /** Catches errors of the handler, which would otherwise end the extension host. */
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

/** Splits a byte stream into lines. Buffers at most one line of `mostBytes`. */
export class MessageLines {
  readonly #mostBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the lines that these bytes complete, without line breaks. Null when a line is too long. */
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
 * Parses a line of JSON in a worker thread. Undefined when it is invalid or nested deeper than `DEEPEST_JSON`. Results
 * of 5 MB come in lines of twice that, because servers repeat them as structured content, and take 40 ms to parse. The
 * line's buffer must hold nothing else, because the thread takes it over.
 */
export async function readApart(line: Uint8Array<ArrayBuffer>): Promise<Json | undefined> {
  // Yields first, because collecting the line took some milliseconds of this turn.
  await setImmediate();
  const job: ParseJob = { line, deepest: DEEPEST_JSON };
  return new Promise((resolve, reject) => {
    // The function's source is the script, so the bundle needs no extra file.
    const worker = new threads.Worker(`(${readLine.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: job,
      transferList: [line.buffer],
      // Does not pass on the environment and arguments of the extension host.
      env: {},
      execArgv: [],
    });
    worker.once('message', resolve).once('error', reject);
  });
}

/** Runs in the thread. Only its source is copied there, so it must not use anything from outside. */
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
