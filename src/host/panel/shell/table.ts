import { EMPTY_PANEL, type PanelState } from '../../../protocol/panel/state.js';
import { composerSlices } from '../composer/slices.js';
import { conversationSlices } from '../conversation/slices.js';
import { managerSlices } from '../manager/slices.js';
import { nextRequestSlices } from '../nextRequest/slices.js';
import { summarySlices } from '../summary/slices.js';
import { headerSlices } from './header.js';
import type { Sources } from '../../window/viewChannel.js';
import type { ChatNow, PanelRoom, PanelSlices, PanelSource } from './slice.js';
import { windowSlices } from './windowSlices.js';

/** Returns how each member of the panel's state is derived. A missing member is a compile error. */
export function panelSlices(room: PanelRoom): PanelSlices<keyof PanelState> {
  return {
    ...headerSlices(room),
    ...conversationSlices(room),
    ...composerSlices(room),
    ...nextRequestSlices(room),
    ...managerSlices(room),
    ...summarySlices,
    ...windowSlices(room),
  };
}

/** Derives the members of the state that depend on the changed sources, or all members for null. */
export function derived(
  slices: PanelSlices<keyof PanelState>,
  now: ChatNow | null,
  changed: Sources<PanelSource> | null,
): Partial<PanelState> {
  const names = (Object.keys(slices) as (keyof PanelState)[]).filter(
    (name) => changed === null || slices[name].from.some((source) => changed.has(source)),
  );
  return Object.fromEntries(names.map((name) => [name, slices[name].derive(now) ?? EMPTY_PANEL[name]]));
}
