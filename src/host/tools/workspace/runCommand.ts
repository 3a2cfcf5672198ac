import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { FOLDER, parsedArgs, withArgs } from './toolArguments.js';
import { type CommandEnd, type CommandOptions, runShellCommand } from './shellCommand.js';
import { type WorkspaceTool, failedCall, succeededCall } from './workspaceTool.js';

/** Default time limit of a command in seconds, enough for most builds and tests. */
const USUAL_SECONDS = 120;

/** Maximum time limit in seconds. A longer command does not fit into a conversation. */
const MOST_SECONDS = 1_800;

const ARGS = z.object({
  // A command line cannot contain NUL.
  command: z.string().check(z.regex(/^[^\0]+$/)),
  folder: FOLDER,
  timeout_seconds: z.optional(z.int().check(z.gte(1), z.lte(MOST_SECONDS))),
});

/** Maximum number of characters of output for the model: about 8,000 tokens. */
const MOST_CHARACTERS = 30_000;

/** Maximum number of bytes of a command's output. A command with more output is probably endless. */
const MOST_OUTPUT = 64 * 1024 * 1024;

const REPORT_MS = 1_000;

export interface CommandView {
  write(text: string): void;
  ended(sentence: string): void;
  /** Aborted when the user ends the command in the terminal. */
  readonly signal: AbortSignal;
}

interface RunCommandPorts {
  /** Returns the place of a folder ('': the first workspace folder), or a reason. Null without a workspace folder. */
  readonly folder: (
    path: string,
  ) => Promise<{ readonly ok: true; readonly place: string } | { readonly ok: false; readonly reason: string } | null>;
  readonly reaper: CommandOptions['reaper'];
  /** Shows a command that runs in a folder of the workspace. '' means the first workspace folder. */
  readonly show: (command: string, folder: string) => CommandView;
}

/** The name by which models call the tool. As Loupe's own tool, it has no prefix with a server's name. */
export const RUN_COMMAND = 'run_command';

/** Returns the tool that runs a command. The user sees the command in a terminal. */
export function runCommandTool(ports: RunCommandPorts): WorkspaceTool {
  return {
    name: RUN_COMMAND,
    title: 'Run command',
    description:
      'Runs a shell command in a folder of the workspace, in a terminal that the user sees, and gives its output. It gets no input. What it leaves running is ended.',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        folder: { type: 'string', description: 'The first workspace folder if left out' },
        timeout_seconds: { type: 'integer', minimum: 1, maximum: MOST_SECONDS, description: `${String(USUAL_SECONDS)} if left out` },
      },
      required: ['command'],
      additionalProperties: false,
    },
    saysItOnlyReads: false,
    covers: (args) => {
      const parsed = parsedArgs(ARGS, args);
      return Promise.resolve(parsed.ok ? { kind: 'command', command: parsed.args.command, folder: parsed.args.folder } : null);
    },
    run: withArgs(ARGS, async ({ command, folder, timeout_seconds: seconds }, options) => {
      const found = await ports.folder(folder);
      if (found?.ok !== true) {
        return failedCall(`The command did not run: ${found?.reason ?? 'the workspace has no folder on this computer.'}`);
      }
      // The user may have stopped the run in the meantime.
      options.signal.throwIfAborted();
      return run(
        command,
        { view: ports.show(command, folder), folder: found.place, seconds: seconds ?? USUAL_SECONDS, reaper: ports.reaper },
        options,
      );
    }),
  };
}

interface CommandRun extends Pick<RunCommandPorts, 'reaper'> {
  readonly view: CommandView;
  readonly folder: string;
  readonly seconds: number;
}

async function run(
  command: string,
  { view, folder, seconds, reaper }: CommandRun,
  { signal, onProgress }: ToolCallOptions,
): Promise<CallOutcome> {
  const output = new BoundedText(MOST_CHARACTERS);
  const timeOut = AbortSignal.timeout(seconds * 1_000);
  const flood = new AbortController();
  const began = Date.now();
  const report = setInterval(() => {
    const done = Math.round((Date.now() - began) / 1_000);
    onProgress({ done, total: seconds, text: `${String(done)} of at most ${String(seconds)} s`, asks: false });
  }, REPORT_MS);
  const end = await runShellCommand(command, {
    folder,
    reaper,
    signal: AbortSignal.any([signal, view.signal, timeOut, flood.signal]),
    onOutput: (text) => {
      // Hides further output after too much output. Showing it would block the extension host.
      if (!flood.signal.aborted) {
        view.write(text);
        output.append(text);
      }
      if (output.characters > MOST_OUTPUT) {
        flood.abort();
      }
    },
  });
  clearInterval(report);
  const sentence = sentenceOf(end, { isTimeOut: timeOut.aborted, isFlood: flood.signal.aborted, seconds });
  view.ended(sentence);
  const text = readable(output.toString());
  const said = `${sentence}\n\n${text.trim() === '' ? '(no output)' : text}`;
  return end.kind === 'exited' && end.code === 0 ? succeededCall(said) : failedCall(said);
}

function sentenceOf(
  end: CommandEnd,
  { isTimeOut, isFlood, seconds }: { readonly isTimeOut: boolean; readonly isFlood: boolean; readonly seconds: number },
): string {
  switch (end.kind) {
    case 'exited':
      return `Exit code ${String(end.code)}.`;
    case 'killed':
      return `The command was ended by ${end.signal}.`;
    case 'notStarted':
      return `The command could not be started: ${end.reason}.`;
    case 'aborted':
      return isFlood
        ? `The command was ended: it wrote more than ${String(MOST_OUTPUT / (1024 * 1024))} MB.`
        : isTimeOut
          ? `The command was ended: it ran longer than ${String(seconds)} seconds.`
          : 'The user ended the command.';
  }
}

/** Removes colors and overwritten lines from the output. */
function readable(output: string): string {
  const lines = stripVTControlCharacters(output).replaceAll('\r\n', '\n').split('\n');
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1)).join('\n');
}

/** Keeps the beginning and the end of a text that arrives in pieces. A note replaces the middle. */
export class BoundedText {
  readonly #half: number;
  #head = '';
  #tail = '';
  #characters = 0;

  constructor(most: number) {
    this.#half = Math.floor(most / 2);
  }

  get characters(): number {
    return this.#characters;
  }

  append(text: string): void {
    this.#characters += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(Math.max(0, room))).slice(-this.#half);
  }

  toString(): string {
    const left = this.#characters - this.#head.length - this.#tail.length;
    return left === 0 ? this.#head + this.#tail : `${this.#head}\n(… ${String(left)} characters are left out here …)\n${this.#tail}`;
  }
}
