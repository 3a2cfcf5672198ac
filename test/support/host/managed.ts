import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { ManagedContext } from '../../../src/host/panel/manager/managerView.js';
import { lastCalls } from '../../../src/host/panel/nextRequest/lastCalls.js';
import { lastUses } from '../../../src/host/panel/nextRequest/lastUses.js';
import { contextChips, nextRequestRows } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import type { ComposedRequest } from '../../../src/engine/next/compose.js';
import { NO_SERVERS } from '../../../src/host/tools/serverStates.js';

/** The context that *Manage context* shows for the next request, without servers. */
export function managedOf({ state }: ChatSession, composed: ComposedRequest): ManagedContext {
  return {
    ...composed,
    blocks: nextRequestRows(composed).blocks,
    chips: contextChips(composed, state),
    unused: [],
    counter: ROUGH_COUNTER,
    lastUses: () => lastUses(state),
    lastCalls: () => lastCalls(state),
    servers: NO_SERVERS,
    unusedServers: [],
  };
}
