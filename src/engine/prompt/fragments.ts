/** A piece of the system prompt, recomputed for each request and never stored. */
export interface SystemPiece {
  /** `system:global`, `system:agent`, `fragment:{id}`. */
  readonly key: string;
  readonly text: string;
}

/** The global prompt: the same for every chat. It says only what a reply in this panel needs to know. */
export const GLOBAL_PROMPT =
  'You are a programming assistant in the chat panel of VS Code. Answer in Markdown. ' +
  'Put code into fenced blocks with the language named. Files the user added stand under "Working Files".';

/**
 * The system prompt: global + "\n" + agent + "\n" + fragments. Each piece but the last ends with the line break
 * that joins it to the next, so that the pieces read in sequence are exactly that text. Empty pieces are left out.
 */
export function composeSystem(agentPrompt: string, fragments: readonly SystemPiece[]): SystemPiece[] {
  const pieces = [{ key: 'system:global', text: GLOBAL_PROMPT }, { key: 'system:agent', text: agentPrompt }, ...fragments].filter(
    (piece) => piece.text.trim() !== '',
  );
  return pieces.map((piece, index) => (index === pieces.length - 1 ? piece : { ...piece, text: `${piece.text}\n` }));
}
