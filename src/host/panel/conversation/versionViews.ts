import type { RunsState } from '../../../engine/chat/slices/runs.js';
import type { BranchState } from '../../../engine/chat/timeline.js';
import { turnVersions, type TurnVersions } from '../../../engine/chat/versions.js';

/** Caches the versions of turns. They change only after rewinds and runs, so streaming does not compute them again. */
export class VersionViews {
  #key = '';
  #rewinds: BranchState['rewinds'] | null = null;
  #known: ReadonlyMap<string, TurnVersions> = new Map();

  /** Returns the versions by id of the user message. */
  of(state: BranchState & RunsState): ReadonlyMap<string, TurnVersions> {
    const key = `${String(state.rewinds.size)} ${String(state.runs.size)}`;
    if (this.#key !== key || this.#rewinds !== state.rewinds) {
      this.#known = turnVersions(state);
      this.#key = key;
      this.#rewinds = state.rewinds;
    }
    return this.#known;
  }
}
