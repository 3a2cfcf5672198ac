import type { ShrunkFigure } from '../engine/model/shrunkFigure.js';
import { isObject, type Json, type JsonObject } from '../engine/json.js';
import { count, member } from './json.js';

/**
 * Merges a later report of a stream's usage into what is known. Reports are cumulative: Anthropic, vLLM and Gemini send
 * several. A later figure replaces an earlier one, also where it is smaller, but a zero, a missing or a negative figure
 * erases nothing: some servers and gateways send zeros before or behind the real report.
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

/** The counts that a later report makes smaller. A zero says nothing. */
function shrunkIn(known: Json | undefined, later: Json, name: string): readonly ShrunkFigure[] {
  if (isObject(known) && isObject(later)) {
    return Object.entries(later).flatMap(([inner, value]) =>
      shrunkIn(member(known, inner), value, name === '' ? inner : `${name}.${inner}`),
    );
  }
  const earlier = count(known);
  return earlier !== null && typeof later === 'number' && later < earlier && later !== 0 ? [{ name, earlier, later }] : [];
}

/** Most counts of a reply that are noted as made smaller: no provider has as many. A server that makes up names must not fill the log. */
const MOST_SHRUNK = 20;

/** The reports of usage in one stream. */
export class UsageReports {
  #raw: JsonObject | null = null;
  readonly #shrunk = new Map<string, ShrunkFigure>();

  /** What is known by all reports, in the provider's own form; null before the first. */
  get raw(): JsonObject | null {
    return this.#raw;
  }

  /** For a stream part; nothing where no count was made smaller. */
  get shrunk(): { readonly shrunk?: readonly ShrunkFigure[] } {
    return this.#shrunk.size === 0 ? {} : { shrunk: [...this.#shrunk.values()] };
  }

  /** What is known then. */
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
