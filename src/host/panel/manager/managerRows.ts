import type { ManagedSections, ManagerView } from '../../../protocol/panel/manager.js';
import { type ManagedContext, managerView } from './managerView.js';

/** Caches the context pane until its input changes, because the state is derived for each piece of a reply. */
export class ManagerRows {
  #of: { readonly managed: ManagedContext; readonly open: string } | null = null;
  #view: ManagerView | null = null;

  /** Returns null while the pane is closed, or without a next request. */
  derive(managed: ManagedContext | null, sections: ManagedSections | null): ManagerView | null {
    if (managed === null || sections === null) {
      return null;
    }
    const open = JSON.stringify(sections);
    if (this.#of?.managed !== managed || this.#of.open !== open) {
      this.#of = { managed, open };
      this.#view = managerView(managed, sections);
    }
    return this.#view;
  }
}
