import { assertNever } from '../../engine/assertNever.js';
import type { ProviderDiagnosis } from '../../engine/diagnosis/providerDiagnosis.js';
import { counted } from '../../protocol/numbers.js';

/** The provider's own diagnosis of a request that lost something of its cache, as a sentence beside Loupe's. */
export function providerSays(diagnosis: ProviderDiagnosis): string {
  switch (diagnosis.kind) {
    case 'same':
      return 'The provider says that nothing differs from the request before: its cache no longer had that.';
    case 'differs': {
      const { what, tokens } = diagnosis;
      return `The provider says that ${DIFFERENCES[what]}${tokens === null ? '' : `: about ${counted(tokens, 'token')}`}.`;
    }
    case 'untold':
      return UNTOLD[diagnosis.why];
    case 'other':
      return `The provider says: ${diagnosis.word}.`;
    default:
      return assertNever(diagnosis);
  }
}

const DIFFERENCES = {
  // The API takes another speed for another model.
  model: 'the model or its speed differs',
  tools: 'the tools differ',
  system: 'the system prompt differs',
  messages: 'an earlier message differs',
} as const;

const UNTOLD = {
  pending: 'The provider had not yet compared it with the request before when the reply began.',
  notFound: 'The provider cannot compare it: it has no record of the request before.',
  unavailable: 'The provider cannot tell what differs from the request before.',
} as const;
