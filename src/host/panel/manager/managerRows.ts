import type { ManagedSections, ManagerView } from '../../../protocol/panel/manager.js';
import { type ManagedContext, managerView } from './managerView.js';

/** The pane's view of the newest next request, kept until that or what is open has changed: the state is derived at each piece of a reply. */
export class ManagerRows {
  #of: { readonly managed: ManagedContext; readonly open: string } | null = null;
  #view: ManagerView | null = null;

  /** Null while the pane is closed, or there is no next request. */
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
