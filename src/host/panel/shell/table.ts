import { EMPTY_PANEL, type PanelState } from '../../../protocol/panel/state.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { Handlers } from '../../window/receiver.js';
import { chipHandlers, composerSlices, draftHandlers } from '../composer/slices.js';
import { failureHandlers } from '../conversation/failureHandlers.js';
import { callHandlers, conversationSlices, entryHandlers, runHandlers } from '../conversation/slices.js';
import { idleHandlers, idleSlices } from '../idle/slices.js';
import { managerHandlers, managerSlices } from '../manager/slices.js';
import { nextRequestHandlers, nextRequestSlices } from '../nextRequest/slices.js';
import { summaryHandlers, summarySlices } from '../summary/slices.js';
import { headerHandlers, headerSlices } from './header.js';
import type { HandlerRoom } from './handles.js';
import type { ViewSlices } from '../../window/viewChannel.js';
import type { ChatNow, PanelRoom, PanelSlices, PanelSource } from './slice.js';
import { windowHandlers, windowSlices } from './windowSlices.js';

/** Returns how each member of the panel's state is derived. A missing member is a compile error. */
export function panelSlices(room: PanelRoom): ViewSlices<PanelState, ChatNow | null, PanelSource> {
  const slices: PanelSlices<keyof PanelState> = {
    ...headerSlices(room),
    ...conversationSlices(room),
    ...composerSlices(room),
    ...nextRequestSlices(room),
    ...managerSlices(room),
    ...summarySlices,
    ...idleSlices,
    ...windowSlices(room),
  };
  const whole = (Object.keys(slices) as (keyof PanelState)[]).map((name) => {
    const { from, derive } = slices[name];
    return [name, { from, derive: (now: ChatNow | null) => derive(now) ?? EMPTY_PANEL[name] }] as const;
  });
  return Object.fromEntries(whole) as unknown as ViewSlices<PanelState, ChatNow | null, PanelSource>;
}

/** Returns the handler of each message from the webview. A missing message is a compile error. */
export function panelHandlers(room: HandlerRoom): Handlers<ToHost> {
  return {
    ...headerHandlers(room),
    ...runHandlers(room),
    ...failureHandlers(room),
    ...entryHandlers(room),
    ...callHandlers(room),
    ...draftHandlers(room),
    ...chipHandlers(room),
    ...nextRequestHandlers(room),
    ...managerHandlers(room),
    ...summaryHandlers(room),
    ...idleHandlers(room),
    ...windowHandlers(room),
  };
}
