import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { repeatedRules, type RepeatedRule } from '../../../engine/context/repeatedRules.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { CatalogText } from '../../../engine/request/gather.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { RepeatedRulesView } from '../../../protocol/panel/nextRequest.js';

/** The last comparison, by the first rule. Cached, because the preview after each key press needs it. */
const LAST = new WeakMap<CatalogItem, { readonly texts: readonly CatalogText[]; readonly repeated: readonly RepeatedRule[] }>();

/** Returns the rules of a request that repeat other rules of the request, and the number of sections sent once. */
export function repeatedRulesView({ context, prompt, agent }: Pick<ComposedRequest, 'context' | 'prompt' | 'agent'>): RepeatedRulesView {
  const texts = context.standing.filter(({ category }) => category === 'rules');
  const blocks = promptBlocks(prompt);
  const rules = comparedRules(texts, context.catalog).flatMap(({ key, of, share }) => {
    const [rule, other] = [context.catalog.get(key), context.catalog.get(of)];
    const size = sumTokens(blocks.filter(({ item }) => item === key));
    return rule === undefined || other === undefined
      ? []
      : [{ key, name: rule.name, of: other.name, source: other.source, tokens: Math.round(size * share) }];
  });
  return {
    sections: texts.reduce((sum, { pointers }) => sum + (pointers ?? 0), 0),
    rules: rules.sort((a, b) => b.tokens - a.tokens),
    agent,
  };
}

function comparedRules(texts: readonly CatalogText[], catalog: ComposedRequest['context']['catalog']): readonly RepeatedRule[] {
  const first = catalog.get(texts[0]?.key ?? '');
  if (first === undefined) {
    return [];
  }
  const last = LAST.get(first);
  if (last?.texts.length === texts.length && last.texts.every(({ key, text }, at) => key === texts[at]?.key && text === texts[at].text)) {
    return last.repeated;
  }
  const repeated = repeatedRules(texts);
  LAST.set(first, { texts, repeated });
  return repeated;
}
