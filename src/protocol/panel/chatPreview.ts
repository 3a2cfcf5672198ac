import type { ApiChatSummary } from '../api/api.js';

/** The beginning of a chat's first message, without what its title says already; empty where the title says all of it. */
export function chatPreview({ title, preview }: Pick<ApiChatSummary, 'title' | 'preview'>): string {
  const said = title.replace(/…$/, '');
  if (!preview.startsWith(said)) {
    return preview;
  }
  // A title has no full stop.
  const rest = preview.slice(said.length).replace(/^[.:]/, '').trim();
  return rest === '' ? '' : `…${rest}`;
}
