import { createHash } from 'node:crypto';

/** A model that reasoned. */
export interface Origin {
  readonly protocol: string;
  readonly model: string;
}

/** The protocol whose reasoning is signed. */
const SIGNING_PROTOCOL = 'anthropic';

/** A signature that only this model makes, and only over this text; null for what is redacted. */
export function signature({ protocol, model }: Origin, text: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([protocol, model, text]))
    .digest('base64');
}

/**
 * What a client would have kept of reasoning: null before it is complete; a signature or, of redacted reasoning, its
 * data; with protocols that sign nothing, the member that it came in.
 */
export function signed(origin: Origin, text: string, form: 'complete' | 'redacted' | 'partial'): string | null {
  if (form === 'partial') {
    return null;
  }
  if (origin.protocol !== SIGNING_PROTOCOL) {
    return text.length % 2 === 0 ? 'reasoning_content' : 'reasoning';
  }
  return form === 'redacted' ? `redacted:${signature(origin, null)}` : signature(origin, text);
}
