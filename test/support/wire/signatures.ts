import { createHash } from 'node:crypto';

export interface Origin {
  readonly protocol: string;
  readonly model: string;
}

/** The protocol with signed reasoning. */
const SIGNING_PROTOCOL = 'anthropic';

/** A signature that only this model makes for this text. Null for redacted reasoning. */
export function signature({ protocol, model }: Origin, text: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([protocol, model, text]))
    .digest('base64');
}

/** What a client keeps of reasoning: null before it is complete, else what the provider wants back. */
export function signed(origin: Origin, text: string, form: 'complete' | 'redacted' | 'partial'): string | null {
  if (form === 'partial') {
    return null;
  }
  if (origin.protocol !== SIGNING_PROTOCOL) {
    return text.length % 2 === 0 ? 'reasoning_content' : 'reasoning';
  }
  return form === 'redacted' ? `redacted:${signature(origin, null)}` : signature(origin, text);
}
