import { type Message, toolCallsOf } from '../../../engine/chat/message/message.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ToolEdit } from '../../../engine/chat/calls/toolEdit.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Json } from '../../../engine/json.js';
import { type RunInput, SHUT_DOWN } from '../../../engine/run/input.js';
import { storeEdits } from '../../../engine/run/largeTexts.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { FileWatch } from '../../tools/changedFiles.js';
import { RUN_COMMAND } from '../../tools/workspace/runCommand.js';

/**
 * Time to wait for late file events, in ms. VS Code reports a change about 100 ms later. The next reply usually takes
 * longer, so the wait seldom delays the run. Changes after this time are not attributed to tools.
 */
const SETTLING_MS = 500;

/** Maximum number of file names to look up on disk. A call names few files, and each file may have up to 1 MB. */
const MOST_NAMES = 50;

const LONGEST_TEXT = 4_096;

const BETWEEN_WORDS = /[\s"'`;|&<>()=,]+/;

interface StepWatchPorts extends Pick<RunInput, 'runId' | 'signal' | 'keepBlob' | 'reportError'> {
  readonly watchFiles: () => FileWatch;
  readonly clock: Clock;
  readonly record: (events: readonly NewEvent[]) => Promise<void>;
}

/** A step whose tool calls may have changed files without reporting them. */
interface WatchedStep {
  /** Edits that the tool calls of the step reported. */
  readonly told: ToolEdit[];
}

/**
 * Watches the workspace while tools run that may change files without reporting it. After each step, logs the changes
 * that no tool reported. Nothing is watched for tools that only read or that report their edits.
 */
export class StepWatch {
  readonly #ports: StepWatchPorts;
  /** Ids of tool calls that can change files without reporting the changes. */
  readonly #suspects = new Set<string>();
  /** Paths of all files that tool calls of the run reported. Loupe reads these files again to find further changes. */
  readonly #told = new Set<string>();
  /** Possible file names in the tool arguments of the last reply. */
  #named: readonly string[] = [];
  #watch: FileWatch | null = null;
  /** The current step. Null while no running tool can change files without reporting it. */
  #step: WatchedStep | null = null;
  /** Resolves when the changes of the last step are logged. */
  #settling: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(ports: StepWatchPorts) {
    this.#ports = ports;
  }

  /** Processes logged events. Call it after each logged step, before the run continues. */
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
          this.#step?.told.push(...event.edits);
          break;
        case 'message':
          this.#said(event.message);
          break;
        default:
      }
    }
  }

  async end(): Promise<void> {
    if (this.#ports.signal.reason === SHUT_DOWN) {
      this.#closing.abort();
    }
    await this.#settling;
    this.#watch?.end();
  }

  async #started(callId: string): Promise<void> {
    if (!this.#suspects.has(callId) || this.#step !== null) {
      return;
    }
    this.#step = { told: [] };
    await this.#settling;
    this.#watch ??= this.#ports.watchFiles();
    await this.#watch.begin([...this.#told, ...this.#named]);
  }

  #said(message: Message): void {
    const { role, id } = message;
    this.#suspects.clear();
    this.#named = role === 'assistant' ? namedPaths(toolCallsOf(message).map(({ args }) => args)) : [];
    if (role === 'tool-results' && this.#step !== null && this.#watch !== null) {
      this.#settling = this.#settle(id, this.#step, this.#watch);
      this.#step = null;
    }
  }

  /** Logs the unreported changes of one step. Never rejects. */
  async #settle(messageId: string, { told }: WatchedStep, watch: FileWatch): Promise<void> {
    const { clock, runId, record, reportError } = this.#ports;
    try {
      await clock.sleep(SETTLING_MS, this.#closing.signal);
      const isTold = ({ path, after }: Pick<ToolEdit, 'path' | 'after'>): boolean =>
        told.some((edit) => edit.path === path && edit.after === after);
      const found = (await watch.changes()).filter((edit) => !isTold(edit));
      if (found.length > 0) {
        await record([{ type: 'round-edited', runId, messageId, edits: await storeEdits(found, this.#ports) }]);
      }
    } catch (thrown) {
      reportError(toLoupeError(thrown));
    }
  }
}

/**
 * Returns possible file names in tool arguments: first whole strings, then their words, because a command line contains
 * names as words. Tools do not declare which arguments are paths.
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
