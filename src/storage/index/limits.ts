/** What the derived index of a chat costs, and what it spares. */
export interface IndexLimits {
  /** Conversation messages between two places at least. */
  readonly placeMessages: number;
  /** Bytes of log that a place spares at least, for each of its own bytes: those since the place before, or those it carries the end of. */
  readonly logPerPlaceByte: number;
  /** Bytes of log that are read at once rather than through an index that has to be made first. */
  readonly readAtOnce: number;
  /** Bytes read of the end of the places for opening a chat. */
  readonly placesTail: number;
  /**
   * Messages of the end of the conversation that a place carries where they stand in more than `readAtOnce` bytes of
   * log, as after an edit far back: they would be read at each opening.
   */
  readonly carriedMessages: number;
}

export const INDEX_LIMITS: IndexLimits = {
  // A sixth of what a panel shows at first: opening reads that much more at most.
  placeMessages: 8,
  // The index stays below a sixteenth of the log, whatever the size of the config and the context in its snapshots, and
  // what it carries below another one.
  logPerPlaceByte: 16,
  // Some 10 ms of reading and parsing.
  readAtOnce: 2 * 1_024 * 1_024,
  // Some dozens of places as most chats have them: more than a panel asks for.
  placesTail: 64 * 1_024,
  // What a panel shows at first. More of such a conversation, which a request to a model with a large window asks for,
  // is read through all that was set aside.
  carriedMessages: 50,
};
