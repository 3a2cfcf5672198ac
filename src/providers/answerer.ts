import { isSameModel } from '../engine/run/sameModel.js';
import type { StreamPart } from '../engine/model/model.js';
import { isAzure } from './azure.js';
import type { Endpoint } from './endpoint.js';

/** Longer than any id of a model. The log keeps what a server sends here. */
const MOST_CHARACTERS = 200;

/** Finds out whether another model answers than the requested one, as with routers and fallbacks. */
export class Answerer {
  readonly #asked: string;
  /** The names of deployments say nothing of their models. */
  readonly #isNamedFreely: boolean;
  #other: string | null = null;

  constructor({ baseUrl }: Pick<Endpoint, 'baseUrl'>, asked: string) {
    this.#asked = asked;
    this.#isNamedFreely = isAzure(baseUrl);
  }

  /** Takes the model id of an event; null without one. */
  take(id: string | null): void {
    const short = (id ?? '').slice(0, MOST_CHARACTERS);
    if (short !== '' && !this.#isNamedFreely) {
      this.#other = isSameModel(this.#asked, short) ? null : short;
    }
  }

  /** A part of the stream, with the model where it reports usage or ends the reply. */
  named(part: StreamPart): StreamPart {
    return this.#other === null || (part.type !== 'usage' && part.type !== 'end') ? part : { ...part, answeredBy: this.#other };
  }
}
