import type { PreviewState } from '../state.js';
import { approvals } from './approvals.js';
import { CONVERSATIONS } from './conversations.js';
import { MENTIONS } from './mentions.js';
import { opened } from './opened.js';
import { SPENDING } from './spending.js';
import { summaries } from './summaries.js';
import { toolCalls } from './toolCalls.js';
import { TURNS } from './turns.js';
import { TROUBLES, failed } from './troubles.js';
import { changed, used } from './used.js';

/**
 * Returns all states of the preview.
 *
 * @param now - epoch milliseconds, from which ages and waits are computed
 */
export function previewStates(now: number): readonly PreviewState[] {
  return [
    ...CONVERSATIONS,
    ...summaries(now),
    ...TROUBLES,
    ...SPENDING,
    ...failed(now),
    ...TURNS,
    ...toolCalls(),
    ...approvals(),
    ...opened(now),
    ...MENTIONS,
    ...used(),
    changed(),
  ];
}
