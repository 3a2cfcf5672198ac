import { ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { managerView } from './managerView.js';
import { OpenProof } from './openProof.js';

/** Derives the state of the context pane. */
export function managerSlices(room: PanelRoom): PanelSlices<'manager' | 'itemProof'> {
  const proofs = new OpenProof(room, room.changed.bind(null, 'open'));
  return {
    manager: ofChat(['chat', 'next', 'open'], ({ next, open }) =>
      next.managed === null || open.manager === null ? null : managerView(next.managed, open.manager),
    ),
    itemProof: ofChat(['chat', 'open'], ({ session, open }) => proofs.of(open.manager?.proof ?? null, session.state)),
  };
}
