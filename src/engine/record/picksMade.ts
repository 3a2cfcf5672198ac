import type { ErrorRecord } from '../errors.js';

/** How items were selected for a message, when an endpoint for embeddings is set. */
export type SelectionRecord =
  /** By words and meaning. `model` is `provider/model`; `texts` is the number of texts sent to it for this message. */
  | { readonly by: 'meaning'; readonly model: string; readonly texts: number }
  /** By words alone, because the endpoint failed. */
  | { readonly by: 'words'; readonly model: string; readonly failure: ErrorRecord };
