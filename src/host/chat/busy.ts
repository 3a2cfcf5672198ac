/** Why a chat takes no message while a run goes on in it, in this window or in another one. */
export const BUSY = {
  here: 'The chat is still answering. Stop it first, or wait.',
  elsewhere: 'The chat is being answered in another window.',
} as const;

export function isBusyRefusal(text: string): boolean {
  return text === BUSY.here || text === BUSY.elsewhere;
}
