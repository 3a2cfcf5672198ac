import type { Adaptations } from '../../../src/engine/request/adaptations.js';

/** Of a request in which everything goes to the model as it was said. */
export const NO_ADAPTATIONS: Adaptations = {
  reasoningLeftOut: 0,
  reasoningOutdated: 0,
  imagesLeftOut: 0,
  resultsCut: 0,
  resultsMissing: 0,
  toolPartsAsText: 0,
};
