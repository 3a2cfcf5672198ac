/** Which parts of a request are changed or omitted, because the model does not accept them or has no room for them. */
export interface Adaptations {
  /** Number of reasoning parts omitted because another protocol or model wrote them. */
  readonly reasoningLeftOut: number;
  /** Number of reasoning parts of this model, omitted because the prompt that they are bound to has changed. */
  readonly reasoningOutdated: number;
  /** Number of images replaced by a text, because the model does not accept them or their bytes are missing. */
  readonly imagesLeftOut: number;
  /** Number of images replaced by a text, because they are larger than the provider accepts. Missing for 0. */
  readonly imagesTooLarge?: number;
  /** Number of tool texts that are too large, so that only their beginning and end are sent. */
  readonly resultsCut: number;
  /** Number of tool texts replaced by a note, because their blob cannot be read. */
  readonly resultsMissing: number;
  /** Number of tool calls and results sent as text, because the model does not support tools. */
  readonly toolPartsAsText: number;
  /** Number of tools that are not offered, because the model does not support tools. Missing for 0. */
  readonly toolsLeftOut?: number;
  /** Number of tools whose input schema is changed to a form that the provider accepts. Missing for 0. */
  readonly toolSchemasChanged?: number;
  /** The tools that are not offered, because the provider does not accept their input schema. Missing for none. */
  readonly toolsRefused?: readonly RefusedTool[];
  /** The names of the tools that are not offered, because the server refused them shortly before. Missing for none. */
  readonly toolsRefusedEarlier?: readonly string[];
  /** The tools that are not offered, because the provider accepts at most `most` tools. Missing for none. */
  readonly toolsAboveLimit?: { readonly tools: number; readonly most: number };
  /** The names of the parts of the editor state that had no room. Missing if all parts had room. */
  readonly editorDropped?: readonly string[];
}

export interface RefusedTool {
  readonly name: string;
  /** The name of an argument that the provider does not accept. Null for another form of the schema. */
  readonly argument: string | null;
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
