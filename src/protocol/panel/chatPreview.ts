import type { ApiChatSummary } from '../api/api.js';

/** Returns the beginning of a chat's first message, without the words that are already in the chat's title. */
export function chatPreview({ title, preview }: Pick<ApiChatSummary, 'title' | 'preview'>): string {
  const said = title.replace(/…$/, '');
  if (!preview.startsWith(said)) {
    return preview;
  }
  // A title has no full stop at its end, but the first message may have one.
  const rest = preview.slice(said.length).replace(/^[.:]/, '').trim();
  return rest === '' ? '' : `…${rest}`;
}
