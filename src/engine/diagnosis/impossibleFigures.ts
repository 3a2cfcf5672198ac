import { isObject, type Json } from '../json.js';

/** A count that a provider reported and that no request can have. */
export interface ImpossibleFigure {
  /** The names of its members, as the provider has them: `prompt_tokens_details.cached_tokens`. */
  readonly name: string;
  readonly value: number;
}

/** The counts of a provider's own usage object that cannot be: they are unknown in the normalized usage, and nothing counts with them. */
export function impossibleFigures(raw: Json): readonly ImpossibleFigure[] {
  if (!isObject(raw)) {
    return [];
  }
  return Object.entries(raw).flatMap(([name, value]): readonly ImpossibleFigure[] => {
    if (typeof value === 'number') {
      return value < 0 ? [{ name, value }] : [];
    }
    return impossibleFigures(value).map((inner) => ({ ...inner, name: `${name}.${inner.name}` }));
  });
}
