/**
 * What of a conversation goes to a model in another form than it was said, because the model cannot take it: said
 * before sending and kept with the request. All are counts of parts.
 */
export interface Adaptations {
  /** Reasoning of another protocol or model: left out. */
  readonly reasoningLeftOut: number;
  /** The model's own reasoning that it takes back only after what it was written after, which has changed: left out. */
  readonly reasoningOutdated: number;
  /** Images that became a note, because the model takes none or their bytes are missing. */
  readonly imagesLeftOut: number;
  /** Texts of tools of which only the ends are sent, because they are too large. */
  readonly resultsCut: number;
  /** Texts of tools that became a note, because what is kept of them outside the log cannot be read. */
  readonly resultsMissing: number;
  /** Tool calls and results that became text, because the model takes no tools. */
  readonly toolPartsAsText: number;
}

/** Of a request in which everything goes to the model as it was said. */
export const NO_ADAPTATIONS: Adaptations = {
  reasoningLeftOut: 0,
  reasoningOutdated: 0,
  imagesLeftOut: 0,
  resultsCut: 0,
  resultsMissing: 0,
  toolPartsAsText: 0,
};
