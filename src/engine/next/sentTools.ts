import type { SentBlock } from '../request/layout/situation.js';
import type { RequestInputs } from './inputs.js';

/** Returns the inputs of the same request with the tools of the last request. Null without a last request. */
export function withSentTools(inputs: RequestInputs): RequestInputs | null {
  const { last } = inputs.situation;
  if (last === null) {
    return null;
  }
  const sent = last.blocks.flatMap(toolIn);
  return {
    ...inputs,
    tools: sent,
    onDemand: new Set(sent.flatMap(({ key, definition }) => (definition.isDeferred === true ? [key] : []))),
  };
}

function toolIn({ item, part }: SentBlock): RequestInputs['tools'] {
  return item !== null && part?.type === 'toolDefinition' ? [{ key: item, definition: part }] : [];
}
