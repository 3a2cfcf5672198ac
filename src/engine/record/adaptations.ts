/**
 * Counts of the parts of a conversation that are changed or left out because the model does not take them. The panel
 * shows them before sending; the manifest records them.
 */
export interface Adaptations {
  /** Reasoning left out because another protocol or model wrote it. */
  readonly reasoningLeftOut: number;
  /** The model's own reasoning left out because the prefix that it is bound to has changed. */
  readonly reasoningOutdated: number;
  /** Images replaced by a note, because the model takes none or their bytes are missing. */
  readonly imagesLeftOut: number;
  /** Tool texts of which only the ends are sent, because they are too large. */
  readonly resultsCut: number;
  /** Tool texts replaced by a note, because their blob cannot be read. */
  readonly resultsMissing: number;
  /** Tool calls and results sent as text, because the model takes no tools. */
  readonly toolPartsAsText: number;
  /** Tools that are not offered, because the model takes none. Missing without any. */
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
