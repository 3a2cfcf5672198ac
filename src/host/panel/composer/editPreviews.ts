import { isObject, parseForeignJson, type JsonObject } from '../../../engine/json.js';
import { logFailure, type LoupeError } from '../../../engine/errors.js';
import type { EditChangeView, ToolCallView } from '../../../protocol/panel/toolCalls.js';
import type { EntryView, PartView } from '../../../protocol/panel/entries.js';
import { EDIT_FILE } from '../../tools/workspace/editFile.js';
import type { PreviewOutcome } from '../../tools/workspace/previewEdit.js';

export interface EditPreviewsPorts {
  /** Returns the change that an edit would make to the current file, or why the edit would fail. */
  readonly preview: (args: JsonObject) => Promise<PreviewOutcome>;
  /** Calls `changed` when a workspace file changes, until the returned object is disposed. */
  readonly watch: (changed: () => void) => { dispose(): void };
  readonly changed: () => void;
  readonly logError: (error: LoupeError) => void;
}

/** Derives the changes that edits waiting for approval would make to the current files. */
export class EditPreviews {
  readonly #ports: EditPreviewsPorts;
  /** Changes by the arguments of the edit call; null while the file is being read. */
  readonly #known = new Map<string, EditChangeView | null>();
  /** Watches the workspace files; null while no edit waits for approval. */
  #watching: { dispose(): void } | null = null;

  constructor(ports: EditPreviewsPorts) {
    this.#ports = ports;
  }

  /** Returns the entries with the changes that edits waiting for approval would make, as far as known. */
  derive(entries: readonly EntryView[]): readonly EntryView[] {
    const waiting = new Set(entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.parts.filter(isWaitingEdit) : [])));
    this.#keep(new Set([...waiting].map(({ args }) => args)));
    return waiting.size === 0
      ? entries
      : entries.map((entry) => (entry.kind === 'assistant' ? { ...entry, parts: entry.parts.map(this.#withChange) } : entry));
  }

  dispose(): void {
    this.#keep(new Set());
  }

  readonly #withChange = (part: PartView): PartView => {
    const change = isWaitingEdit(part) ? (this.#known.get(part.args) ?? null) : null;
    return change === null || part.type !== 'toolCall' || part.status.kind !== 'waiting' || part.status.question === null
      ? part
      : { ...part, status: { ...part.status, question: { ...part.status.question, change } } };
  };

  #keep(wanted: ReadonlySet<string>): void {
    for (const args of this.#known.keys()) {
      if (!wanted.has(args)) {
        this.#known.delete(args);
      }
    }
    for (const args of wanted) {
      if (!this.#known.has(args)) {
        this.#known.set(args, null);
        this.#look(args);
      }
    }
    if (wanted.size === 0) {
      this.#watching?.dispose();
      this.#watching = null;
    } else {
      this.#watching ??= this.#ports.watch(() => {
        for (const args of this.#known.keys()) {
          this.#look(args);
        }
      });
    }
  }

  #look(args: string): void {
    const parsed = parseForeignJson(args);
    this.#ports.preview(isObject(parsed) ? parsed : {}).then((previewed) => {
      // The edit may no longer wait for approval.
      if (this.#known.has(args)) {
        const { ok } = previewed;
        this.#known.set(args, ok ? { ok, added: previewed.added, removed: previewed.removed } : { ok, reason: previewed.reason });
        this.#ports.changed();
      }
    }, logFailure(this.#ports));
  }
}

/** Whether a part is a call of Loupe's own edit tool that waits for approval. Loupe's own tools have no server. */
function isWaitingEdit(part: PartView): part is ToolCallView {
  return part.type === 'toolCall' && part.status.kind === 'waiting' && part.serverName === null && part.name === EDIT_FILE;
}
