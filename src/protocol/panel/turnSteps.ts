import type { AssistantEntry, EntryView, PartView } from './entries.js';
import { isAsking, type ToolCallView } from './toolCalls.js';

/*
 * The steps of a turn in one line. The host counts, because the webview may have only a part of a long turn.
 */

export interface StepCounts {
  /** Number of replies with tool calls. */
  readonly steps: number;
  /** Number of different files that Loupe's own tool read. */
  readonly filesRead: number;
  /** Number of different files that tools wrote, or that changed while tools ran. Without files in `filesUndone`. */
  readonly filesEdited: number;
  /** Number of different files that tools wrote and that the user restored. */
  readonly filesUndone: number;
  /** Number of commands that ended without an error. */
  readonly commands: number;
  /** Number of calls that MCP servers answered without an error, by server. */
  readonly servers: readonly { readonly name: string; readonly calls: number }[];
  readonly failed: number;
  readonly refused: number;
  /** Number of calls that the user stopped, or that have no result because VS Code was closed. */
  readonly stopped: number;
}

/** The cost of all requests of a turn in US dollars, including the request for the reply. */
export interface TurnCost {
  /** Null when unknown, which is not the same as 0. */
  readonly cost: number | null;
  /** Whether the real cost may be higher, because the cost of a request is unknown. */
  readonly isAtLeast: boolean;
  /** Whether the model is free, so that the cost is only an example. */
  readonly isPretended: boolean;
  /** Whether a fork copied all requests. Their cost then belongs to the original chat. */
  readonly inherited: boolean;
}

export interface TurnSteps extends StepCounts, TurnCost {
  /** Id of the turn's first entry: of the user message. */
  readonly id: string;
}

/** Names of Loupe's own tools that the line counts. */
const READ_FILE = 'read_file';
const RUN_COMMAND = 'run_command';

export function callsOf({ parts }: Pick<AssistantEntry, 'parts'>): readonly ToolCallView[] {
  return parts.filter((part) => part.type === 'toolCall');
}

/** Whether an entry is a step: a reply with tool calls. */
export function isStep(entry: EntryView): entry is AssistantEntry {
  return entry.kind === 'assistant' && entry.parts.some(({ type }) => type === 'toolCall');
}

/** Whether a part stays visible while its turn is closed. */
export function isAlwaysVisible(part: PartView): boolean {
  switch (part.type) {
    case 'image':
      return true;
    case 'toolCall':
      return isAsking(part);
    case 'text':
      return part.text.trim() !== '';
    case 'reasoning':
      return false;
  }
}

/** Whether a reply has content that stays visible while its turn is closed. */
export function hasVisibleContent({ parts, extras, answeredBy, isPinned }: AssistantEntry): boolean {
  return parts.some(isAlwaysVisible) || extras.length > 0 || answeredBy !== null || isPinned;
}

/** Divides entries into turns. Each turn begins with a user message, except the first. */
export function turnsOf(entries: readonly EntryView[]): readonly (readonly EntryView[])[] {
  const turns: EntryView[][] = [];
  for (const entry of entries) {
    const last = turns.at(-1);
    if (last === undefined || entry.kind === 'user') {
      turns.push([entry]);
    } else {
      last.push(entry);
    }
  }
  return turns;
}

/** Counts what the tools of a turn did. */
export function countSteps(turn: readonly EntryView[]): StepCounts {
  const steps = turn.filter(isStep);
  const calls = steps.flatMap(callsOf);
  const done = calls.filter(({ status }) => status.kind === 'done');
  const own = (name: string): ToolCallView[] => done.filter((call) => call.serverName === null && call.name === name);
  const written = steps.flatMap(({ files }) => files).filter((file) => file.kind === 'written');
  // A file counts as undone only if none of its changes are left.
  const edited = new Set(written.filter(({ state }) => state !== 'undone').map(({ path }) => path));
  const undone = new Set(written.filter(({ path }) => !edited.has(path)).map(({ path }) => path));
  const servers = new Map<string, number>();
  for (const { serverName } of done) {
    if (serverName !== null) {
      servers.set(serverName, (servers.get(serverName) ?? 0) + 1);
    }
  }
  const ended = (...kinds: readonly string[]): number => calls.filter(({ status }) => kinds.includes(status.kind)).length;
  return {
    steps: steps.length,
    filesRead: new Set(own(READ_FILE).map(({ subject }) => subject)).size,
    filesEdited: edited.size,
    filesUndone: undone.size,
    commands: own(RUN_COMMAND).length,
    servers: [...servers].map(([name, each]) => ({ name, calls: each })),
    failed: ended('failed'),
    refused: ended('refused'),
    stopped: ended('stopped', 'lost'),
  };
}
