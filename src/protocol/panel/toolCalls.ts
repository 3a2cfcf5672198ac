import type { ApprovalScope, ApprovalSubject } from '../../engine/chat/calls/calls.js';
import type { ToolProgress } from '../../engine/ports.js';
import type { WhyUnapplied } from '../../engine/chat/calls/toolEdit.js';
import type { ImagePart } from '../../engine/model/part.js';

/*
 * Tool calls of a reply in the panel. A call, its approval and its result are one row.
 */

export interface ToolResultView {
  /** Id of the message that contains the whole result. Null while the step runs. */
  readonly messageId: string | null;
  /** The texts of the result. */
  readonly text: string;
  readonly images: readonly ImagePart[];
  /** Set if `text` has only the first `characters` characters of a result of `bytes` UTF-8 bytes. Null if complete. */
  readonly cut: { readonly characters: number; readonly bytes: number } | null;
  /** Estimated tokens of the texts and images. */
  readonly tokens: number;
}

export interface ToolQuestionView {
  /**
   * What a standing answer covers. `tool`: all calls of the tool. `reading`: reading in the workspace. `command`: this
   * command line. `call`: nothing, so the answer is about this call only.
   */
  readonly covers: 'tool' | ApprovalSubject['kind'] | 'call';
  /** The waiting calls that the answer is about, first to last. One call, except for `reading`. */
  readonly asked: readonly AskedCallView[];
  /** Whether the MCP server declares the tool as read-only. */
  readonly saysItOnlyReads: boolean;
  /** Whether the user allowed the tool for all chats, but the tool has changed since then. */
  readonly hasChanged: boolean;
  /** What shows that the call reads a file with secrets. Null for other calls. */
  readonly secret: 'name' | 'text' | null;
  /** Whether the call edits a file that can start programs. */
  readonly isSetup: boolean;
  /** What the call would change in a file. Null for other tools, and until the change is known. */
  readonly change: EditChangeView | null;
}

/** A waiting call of one of Loupe's own tools, or of a server. `args`: as the model wrote them. */
export interface AskedCallView {
  readonly name: string;
  readonly subject: string;
  readonly args: string;
}

/** Number of lines that an edit would add and remove, or why the edit cannot be applied. */
export type EditChangeView =
  | { readonly ok: true; readonly added: number; readonly removed: number }
  | { readonly ok: false; readonly reason: string };

export interface ToolApprovalView {
  readonly scope: ApprovalScope;
  /** The user's reason for refusing the call, which the model receives. Null if the user gave none. */
  readonly reason: string | null;
  /** Id of the approval, to revoke it. Null if the approval covers only this call, or was revoked. */
  readonly binding: string | null;
}

export type ToolCallStatus =
  /** The model is still writing the call, or earlier calls of the step are running. */
  | { readonly kind: 'pending' }
  /** `question`: null if the question of an earlier call is also about this call. */
  | { readonly kind: 'waiting'; readonly question: ToolQuestionView | null }
  /** `progress`: the latest progress report of the MCP server. Null without a report. */
  | { readonly kind: 'running'; readonly progress: ToolProgress | null }
  /** `lost`: the call has no result because VS Code was closed. */
  | { readonly kind: 'done' | 'failed' | 'stopped' | 'refused' | 'lost' };

export interface ToolCallView {
  readonly type: 'toolCall';
  readonly callId: string;
  /** Name of the tool on its MCP server, or the name that the model used while the server is unknown. */
  readonly name: string;
  /** Name of the MCP server. Null for a tool of Loupe, and when unknown. */
  readonly serverName: string | null;
  /** The arguments as the model wrote them. */
  readonly args: string;
  /** The most informative argument of the call, such as a path. Empty without such an argument. */
  readonly subject: string;
  /** Whether the model wrote these arguments as a second object in the previous call. Loupe then made two calls. */
  readonly isSplitOff: boolean;
  readonly status: ToolCallStatus;
  /** Null until the user answers, and for a tool that needs no approval. */
  readonly approval: ToolApprovalView | null;
  /** Duration of the call in milliseconds. Null until the tool has ended. */
  readonly durationMs: number | null;
  readonly result: ToolResultView | null;
}

/** What the user allowed, for *Allowed tools* in the context pane. */
export interface AllowedToolsView {
  readonly rows: readonly AllowedToolRow[];
  /** The names of files with approvals that cannot be read. They allow nothing. */
  readonly unreadable: readonly string[];
  /** Why the approvals for all chats are unknown. Null if they are known. */
  readonly problem: string | null;
}

export interface AllowedToolRow {
  /** Id of the approval, to take it back. */
  readonly binding: string;
  readonly kind: 'tool' | 'everyCommand' | ApprovalSubject['kind'];
  /** The tool with its server, the command line, or the names of the folders. */
  readonly name: string;
  /** Workspace path of a command's working folder. Null for the workspace folder, and without a command. */
  readonly workingFolder: string | null;
  /** `folder`: all chats of this workspace. `elsewhere`: all chats of another one, named by `folders`. */
  readonly reach: 'turn' | 'chat' | 'folder' | 'elsewhere' | 'all';
  readonly folders: string;
  /** Whether the tool has changed since then, so that Loupe asks again. */
  readonly hasChanged: boolean;
}

/** Whether a call waits for the user: for an approval, or for an answer to its server. */
export function isAsking({ status }: ToolCallView): boolean {
  return status.kind === 'waiting' || (status.kind === 'running' && status.progress?.asks === true);
}

/** The question whether a run may continue. The run waits between two steps. */
export interface StepQuestionView {
  readonly runId: string;
  /** Number of steps that the run has completed. */
  readonly steps: number;
  /** The cost of the run so far. Null when unknown. */
  readonly cost: number | null;
}

export type { WhyUnapplied };

/** A file that a tool wrote after the message that the user edits or retries. */
export interface RestorableFile {
  /** Path relative to the workspace. */
  readonly path: string;
  /** What restoring does: write the earlier text, create the file, or delete it. Null if this is not possible. */
  readonly action: 'write' | 'make' | 'delete' | null;
  /** A sentence for the user: why the file cannot be restored. Null if it can be restored. */
  readonly problem: string | null;
  /** Number of lines that a restore would add to the current file, and would remove from it. */
  readonly added: number;
  readonly removed: number;
  /** Whether the file has changed since a tool last wrote it. Restoring also reverts that later change. */
  readonly isChangedSince: boolean;
}

/** The offer to restore files when the user edits or retries a message. */
export interface RestoreOfferView {
  /** A retry waits until the user has answered. An edit does not wait. */
  readonly cause: 'edit' | 'retry';
  /** Id of the message that the user edits or retries. */
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  /** Whether the user wants to restore the files. */
  readonly isOn: boolean;
}

/** A file that the tools of a reply wrote, or an edit that was not applied. Paths are relative to the workspace. */
export type WrittenFileView =
  | {
      readonly kind: 'written';
      readonly path: string;
      /** Number of lines. Null when unknown. */
      readonly added: number | null;
      readonly removed: number | null;
      /** `deleted`: a tool deleted the file. `undone`: the user undid the edit. */
      readonly state: 'applied' | 'deleted' | 'undone';
      /** Id of the message with the results of the step. Null while the step runs. */
      readonly messageId: string | null;
      /** Whether the earlier version is known, so that the user can compare and restore it. */
      readonly hasEarlier: boolean;
    }
  | { readonly kind: 'unapplied'; readonly path: string; readonly why: WhyUnapplied; readonly callId: string };
