import type { ComposedRequest } from '../../../src/engine/next/compose.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { contextChips } from '../../../src/host/panel/composer/contextChips.js';
import type { ManagedContext } from '../../../src/host/panel/manager/managed.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { NO_SERVERS } from '../../../src/host/tools/serverStates.js';

/** The context that *Manage context* shows for the next request, without servers. */
export function managedOf({ state }: ChatSession, composed: ComposedRequest): ManagedContext {
  return {
    state,
    composed,
    rows: nextRequestRows(composed),
    chips: contextChips(composed, state),
    request: { unused: { keys: [], tokens: 0, replies: 0 }, unusedServers: [] },
    counter: ROUGH_COUNTER,
    servers: NO_SERVERS,
  };
}
