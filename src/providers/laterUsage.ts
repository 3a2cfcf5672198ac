import type { ShrunkFigure } from '../engine/model/model.js';
import { type Json, type JsonObject, isObject } from '../engine/json.js';
import { count, member } from './json.js';

/**
 * Merges a later usage report of a stream into the known figures. Anthropic, vLLM and Gemini send several reports, each
 * for the whole reply so far. A later figure replaces a larger or smaller earlier figure. Zero, missing and negative
 * figures are ignored, because some servers and gateways send zeros before or after the real report.
 */
export function laterUsage(known: JsonObject, later: JsonObject): JsonObject {
  const told = Object.entries(later).map(([name, value]): [string, Json] => [name, laterFigure(member(known, name), value)]);
  return { ...known, ...Object.fromEntries(told) };
}

function laterFigure(known: Json | undefined, later: Json): Json {
  if (isObject(known) && isObject(later)) {
    return laterUsage(known, later);
  }
  return known !== undefined && (later === null || (typeof later === 'number' && later <= 0)) ? known : later;
}

/** Returns the figures that a later report lowers. Ignores zeros. */
function shrunkIn(known: Json | undefined, later: Json, name: string): readonly ShrunkFigure[] {
  if (isObject(known) && isObject(later)) {
    return Object.entries(later).flatMap(([inner, value]) =>
      shrunkIn(member(known, inner), value, name === '' ? inner : `${name}.${inner}`),
    );
  }
  const earlier = count(known);
  return earlier !== null && typeof later === 'number' && later < earlier && later !== 0 ? [{ name, earlier, later }] : [];
}

/** Maximum number of lowered figures to record per reply. Protects the log from a server that invents names. */
const MOST_SHRUNK = 20;

export class UsageReports {
  #raw: JsonObject | null = null;
  readonly #shrunk = new Map<string, ShrunkFigure>();

  /** The merged reports with the provider's own member names. Null before the first report. */
  get raw(): JsonObject | null {
    return this.#raw;
  }

  /** The lowered figures as a member of a stream part. Empty when no figure was lowered. */
  get shrunk(): { readonly shrunk?: readonly ShrunkFigure[] } {
    return this.#shrunk.size === 0 ? {} : { shrunk: [...this.#shrunk.values()] };
  }

  take(report: JsonObject): JsonObject {
    for (const figure of shrunkIn(this.#raw ?? {}, report, '')) {
      const earlier = this.#shrunk.get(figure.name)?.earlier ?? figure.earlier;
      if (this.#shrunk.has(figure.name) || this.#shrunk.size < MOST_SHRUNK) {
        this.#shrunk.set(figure.name, { ...figure, earlier });
      }
    }
    this.#raw = laterUsage(this.#raw ?? {}, report);
    return this.#raw;
  }
}
