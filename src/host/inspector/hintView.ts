import { CHAT_SETTINGS, type ChatConfig } from '../../engine/chat/config.js';
import { hasEffect } from '../../engine/chat/configValues.js';
import type { InspectorHint } from '../../protocol/inspector.js';
import type { Hint } from '../request/hint.js';

type Layout = ChatConfig['layout'];

/** The layout that the user took from a hint, and what the chat had before. */
export interface TakenLayout {
  readonly layout: Layout;
  readonly before: Layout;
}

/** A hint with what can be done about it in the chat as it is. Only the layout is a setting of the user: lifetimes follow from it. */
export function hintView({ text, layout }: Hint, config: ChatConfig, taken: TakenLayout | null): InspectorHint {
  const option = CHAT_SETTINGS.layout.options.find(({ value }) => value === layout);
  if (option === undefined || !hasEffect('layout', config)) {
    return { text, offer: null, done: '' };
  }
  if (option.value !== config.layout) {
    return { text, offer: 'use', done: '' };
  }
  return taken?.layout === option.value
    ? {
        text,
        offer: 'undo',
        done: `This chat now has it: the prompt layout "${option.label}" in its settings. Its next request is laid out anew.`,
      }
    : { text, offer: null, done: '' };
}

/** The layout that a hint names, where a chat can be set to it. */
export function hintedLayout(hint: Hint | null): Layout | null {
  return CHAT_SETTINGS.layout.options.find(({ value }) => value === hint?.layout)?.value ?? null;
}
