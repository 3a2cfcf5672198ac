import { modelKey, type ModelRef } from '../../../engine/model/modelRef.js';
import type { Model } from '../../../engine/model/model.js';
import type { Calibration } from '../../../engine/tokens/calibration.js';
import { isOnePrice, type Prices } from '../../../engine/model/price.js';
import { price } from '../../../protocol/numbers.js';
import type { ModelView } from '../../../protocol/panel/view.js';
import type { ModelName } from '../../../protocol/panel/entries.js';
import { PRACTICE_STANDARD } from '../../../providers/practice/models.js';
import { isVscodeProvider } from '../../models/languageModels/providerIds.js';
import { chargesText, NO_CACHE_PRICES, priceText, windowText } from '../../models/modelTexts.js';
import type { Provider } from '../../models/registry.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import type { InputLimit } from '../../../engine/accounting/replyWindow.js';

export type ModelLessons = Pick<ModelLearning, 'calibration' | 'taught'> & { readonly caches: Pick<ModelLearning['caches'], 'charges'> };

/** The model of a chat and its provider. Each is null when it no longer exists. */
export interface ResolvedModel {
  readonly ref: ModelRef;
  readonly provider: Pick<Provider, 'id' | 'label'> | null;
  readonly model: Model | null;
}

export function findModel(ref: ModelRef, providers: readonly Provider[]): ResolvedModel {
  const provider = providers.find(({ id }) => id === ref.provider) ?? null;
  return { ref, provider, model: find(ref, provider?.models ?? []) };
}

/** Returns a function for the maximum input tokens of a model. Null when unknown or the model no longer exists. */
export function inputLimit({
  providers,
  learned,
}: Readonly<{ providers: readonly Provider[]; learned: Pick<ModelLearning, 'taught'> }>): InputLimit {
  return (ref) => {
    const { model } = findModel(ref, providers);
    return model === null ? null : learned.taught(model).maxInputTokens;
  };
}

/** Returns the view of a chat's model. The label of a model that no longer exists is its key. */
export function modelView({ ref, provider, model }: ResolvedModel, learned: ModelLessons): ModelView {
  return {
    label: model?.label ?? modelKey(ref),
    detail: model === null ? 'Model no longer available' : [provider?.label ?? ref.provider, ...figures(model, learned)].join(' · '),
    hasKey: provider !== null && provider.id !== PRACTICE_STANDARD.ref.provider && !isVscodeProvider(provider.id),
  };
}

export function modelName(ref: ModelRef, models: readonly Model[]): ModelName {
  const key = modelKey(ref);
  return { label: find(ref, models)?.label ?? key, key };
}

function find(ref: ModelRef, models: readonly Model[]): Model | null {
  const key = modelKey(ref);
  return models.find((model) => modelKey(model.ref) === key) ?? null;
}

function figures(configured: Model, learned: ModelLessons): string[] {
  const { ref, maxInputTokens, prices, capabilities } = learned.taught(configured);
  const isLearned = maxInputTokens !== configured.maxInputTokens;
  const window = `${windowText(maxInputTokens)}${isLearned ? ' (reported by the server)' : ''}`;
  const accuracy = capabilities.counterIsExact ? [] : [accuracyText(learned.calibration(ref))];
  const cache = prices === null ? [] : [cacheText(prices)];
  const charges = learned.caches.charges(configured);
  return [window, priceText(prices), ...cache, ...(charges === null ? [] : [chargesText(charges)]), ...accuracy];
}

function cacheText(prices: Prices): string {
  return isOnePrice(prices)
    ? NO_CACHE_PRICES
    : `cache ${price(prices.cacheWrite5m)} to write, ${price(prices.cacheRead)} to read per million`;
}

/** Returns a text about the measured error of a model's token counts. Exact counters have no such error. */
function accuracyText({ error, samples }: Calibration): string {
  if (error === null) {
    return samples === 0 ? 'token counts: not compared with the provider yet' : 'token counts: too few requests for a comparison';
  }
  return `token counts: about ${(error * 100).toFixed(1)}% off in ${String(samples)} requests`;
}
