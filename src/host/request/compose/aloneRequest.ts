import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../composed.js';
import type { RequestComposer } from './requestComposer.js';

/** Composes a request that contains only `instruction`, without the conversation. Rejects with `modelGone`. */
export function composeAlone(requests: Pick<RequestComposer, 'compose'>, state: ChatState, instruction: string): Promise<ComposedRequest> {
  const nothing = { timeline: [], context: new Map(), compactions: new Map(), pinned: new Set<string>() };
  const config = { ...state.config, systemPrompt: '' };
  return requests.compose({ ...state, ...nothing, config }, { fragments: [], scores: null, newMessages: [], tools: [], instruction });
}
