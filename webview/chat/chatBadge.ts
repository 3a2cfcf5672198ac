import { html, nothing, type TemplateResult } from 'lit';
import type { ChatListItem } from '../../src/protocol/view.js';
import { icon } from '../shared/icon.js';
import { counted } from '../shared/numbers.js';

interface Badge {
  readonly kind: 'unsaved' | 'waiting' | 'running' | 'damaged';
  readonly icon: string;
  readonly words: string;
  /** What it means, for the tooltip. */
  readonly meaning: string;
}

/** What a chat wants to be looked at for: an icon and words, the most urgent alone. */
export function chatBadge(chat: ChatListItem): TemplateResult | typeof nothing {
  const badge = mostUrgent(chat);
  return badge === null
    ? nothing
    : html`<span class="chat-badge ${badge.kind}" title=${badge.meaning}>${icon(badge.icon)}${badge.words}</span>`;
}

/** What may be lost comes first. Damage stays for good, so it comes last. */
function mostUrgent({ unsaved, waiting, running, damage }: ChatListItem): Badge | null {
  if (unsaved) {
    return { kind: 'unsaved', icon: 'save', words: 'Unsaved', meaning: 'Not on the disk yet, and lost when this window closes' };
  }
  if (waiting) {
    return { kind: 'waiting', icon: 'shield', words: 'Waits for you', meaning: 'A request or a tool waits until you allow it' };
  }
  if (running) {
    return { kind: 'running', icon: 'loading', words: 'Running', meaning: 'A reply is being written' };
  }
  if (damage !== null) {
    const words = damage.lines === 0 ? 'Damaged' : counted(damage.lines, 'damaged line');
    return { kind: 'damaged', icon: 'warning', words, meaning: 'A part of its log cannot be read. The rest is shown' };
  }
  return null;
}
