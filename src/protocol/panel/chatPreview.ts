import type { ApiChatSummary } from '../api/api.js';

/** Returns the beginning of a chat's first message without the part that its title repeats. */
export function chatPreview({ title, preview }: Pick<ApiChatSummary, 'title' | 'preview'>): string {
  const said = title.replace(/…$/, '');
  if (!preview.startsWith(said)) {
    return preview;
  }
  // Titles have no full stop.
  const rest = preview.slice(said.length).replace(/^[.:]/, '').trim();
  return rest === '' ? '' : `…${rest}`;
}
