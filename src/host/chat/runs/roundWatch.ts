import { toolCallsOf, type Message } from '../../../engine/chat/message/message.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ToolEdit } from '../../../engine/chat/calls/toolEdit.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Json } from '../../../engine/json.js';
import { SHUT_DOWN, type RunInput } from '../../../engine/run/input.js';
import { keptEdits } from '../../../engine/run/keptEdits.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { FileWatch } from '../../tools/fileWatch.js';
import { RUN_COMMAND } from '../../tools/workspace/runCommand.js';

/** VS Code tells of a change some 100 ms later. The next reply takes longer, so that mostly nobody waits for this. What changes after it is not the tools'. */
const SETTLING_MS = 500;

/** Most names that are looked for on the disk. A call names few files, and each may be one of 1 MB. */
const MOST_NAMES = 50;

/** Longer texts are contents of files, not names. */
const LONGEST_TEXT = 4_096;

/** What stands between the words of a command line. */
const BETWEEN_WORDS = /[\s"'`;|&<>()=,]+/;

interface RoundWatchPorts extends Pick<RunInput, 'runId' | 'signal' | 'keepBlob' | 'reportError'> {
  /** Begins to watch the workspace. */
  readonly watchFiles: () => FileWatch;
  readonly clock: Clock;
  readonly record: (events: readonly NewEvent[]) => Promise<void>;
}

/** A round of tools whose changes are being watched. */
interface Round {
  /** What its calls have told. */
  readonly told: ToolEdit[];
}

/**
 * Watches the workspace while tools of a run work that may write without telling, and logs what has changed behind the results of each
 * round. It goes by what the run logs. Rounds of tools that only read, or tell what they write, cost nothing.
 */
export class RoundWatch {
  readonly #ports: RoundWatchPorts;
  /** Calls that may write without telling. */
  readonly #suspects = new Set<string>();
  /** The files that calls of the run have told: known before the next round. */
  readonly #told = new Set<string>();
  /** What the calls of the last reply name: files that they may write. */
  #named: readonly string[] = [];
  #watch: FileWatch | null = null;
  /** Null while no tool runs that may write without telling. */
  #round: Round | null = null;
  /** Ends when what changed in the round before is logged. */
  #settling: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(ports: RoundWatchPorts) {
    this.#ports = ports;
  }

  /** Call it with each step that was logged, before the run goes on. */
  async saw(events: readonly NewEvent[]): Promise<void> {
    for (const event of events) {
      switch (event.type) {
        case 'tool-asked':
          if (event.serverName !== WORKSPACE_SERVER || event.name === RUN_COMMAND) {
            this.#suspects.add(event.callId);
          }
          break;
        case 'tool-started':
          await this.#started(event.callId);
          break;
        case 'tool-ended':
          event.edits.forEach(({ path }) => this.#told.add(path));
          this.#round?.told.push(...event.edits);
          break;
        case 'message':
          this.#said(event.message);
          break;
        default:
      }
    }
  }

  /** The run has ended. */
  async end(): Promise<void> {
    if (this.#ports.signal.reason === SHUT_DOWN) {
      this.#closing.abort();
    }
    await this.#settling;
    this.#watch?.end();
  }

  async #started(callId: string): Promise<void> {
    if (!this.#suspects.has(callId) || this.#round !== null) {
      return;
    }
    this.#round = { told: [] };
    await this.#settling;
    this.#watch ??= this.#ports.watchFiles();
    await this.#watch.begin([...this.#told, ...this.#named]);
  }

  #said(message: Message): void {
    const { role, id } = message;
    this.#suspects.clear();
    this.#named = role === 'assistant' ? namedPaths(toolCallsOf(message).map(({ args }) => args)) : [];
    if (role === 'tool-results' && this.#round !== null && this.#watch !== null) {
      this.#settling = this.#settle(id, this.#round, this.#watch);
      this.#round = null;
    }
  }

  /** Logs what has changed in a round. Never rejects. */
  async #settle(messageId: string, { told }: Round, watch: FileWatch): Promise<void> {
    const { clock, runId, record, reportError } = this.#ports;
    try {
      await clock.sleep(SETTLING_MS, this.#closing.signal);
      const isTold = ({ path, after }: Pick<ToolEdit, 'path' | 'after'>): boolean =>
        told.some((edit) => edit.path === path && edit.after === after);
      const found = (await watch.changes()).filter((edit) => !isTold(edit));
      if (found.length > 0) {
        await record([{ type: 'round-edited', runId, messageId, edits: await keptEdits(found, this.#ports) }]);
      }
    } catch (thrown) {
      reportError(toLoupeError(thrown));
    }
  }
}

/**
 * What may be the name of a file in the arguments of tools, each once: whole texts first, then words, as those of command lines. Which
 * of their arguments are paths, tools do not say.
 */
export function namedPaths(args: readonly Json[]): readonly string[] {
  const texts = args.flatMap(textsIn).filter((text) => text.length <= LONGEST_TEXT);
  const words = texts.flatMap((text) => text.split(BETWEEN_WORDS));
  const names = new Set([...texts, ...words].filter((name) => name !== '' && !name.includes('\n')));
  return [...names].slice(0, MOST_NAMES);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
