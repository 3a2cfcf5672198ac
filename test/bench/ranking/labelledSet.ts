import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RankedTexts } from '../../../src/engine/context/rank/lexical.js';
import { root } from '../../support/paths.mjs';

/** A programmer's message, and the keys of the items that it should find. */
export interface Labelled {
  readonly text: string;
  readonly wants: readonly string[];
  /** Whether it can have influenced the ranker, or only measures it. */
  readonly set: 'tune' | 'test';
}

/** Rules, skills and tools, with messages for them. Written before the ranker's weights were set. */
export function labelledSet(): { readonly items: readonly RankedTexts[]; readonly messages: readonly Labelled[] } {
  const { items, messages } = JSON.parse(readFileSync(join(root, 'test/bench/ranking/labelled.json'), 'utf8')) as Written;
  return { items: items.map((item) => ({ ...item, headings: item.headings.join('\n') })), messages };
}

/** Messages that want nothing: greetings, orders without a topic, and questions of general programming. */
export function messagesWithoutTopic(): readonly string[] {
  return JSON.parse(readFileSync(join(root, 'test/bench/ranking/withoutTopic.json'), 'utf8')) as string[];
}

interface Written {
  readonly items: readonly (Omit<RankedTexts, 'headings'> & { readonly headings: readonly string[] })[];
  readonly messages: readonly Labelled[];
}
