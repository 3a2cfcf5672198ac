/**
 * Counts the parts of a conversation that are changed or omitted because the model does not accept them. The panel
 * shows the counts before sending; the manifest records them.
 */
export interface Adaptations {
  /** Reasoning omitted because another protocol or model wrote it. */
  readonly reasoningLeftOut: number;
  /** The model's own reasoning omitted because the prefix that it is bound to has changed. */
  readonly reasoningOutdated: number;
  /** Images replaced by a text, because the model does not accept images or their bytes are missing. */
  readonly imagesLeftOut: number;
  /** Tool texts that are too large: only their beginning and end are sent. */
  readonly resultsCut: number;
  /** Tool texts replaced by a message, because their blob cannot be read. */
  readonly resultsMissing: number;
  /** Tool calls and results sent as text, because the model does not support tools. */
  readonly toolPartsAsText: number;
  /** Tools that are not offered, because the model does not support tools. Missing for 0. */
  readonly toolsLeftOut?: number;
}

/** For a request that sends everything unchanged. */
export const NO_ADAPTATIONS: Adaptations = {
  reasoningLeftOut: 0,
  reasoningOutdated: 0,
  imagesLeftOut: 0,
  resultsCut: 0,
  resultsMissing: 0,
  toolPartsAsText: 0,
};
