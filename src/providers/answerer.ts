import { isSameModel } from '../engine/run/sameModel.js';
import type { StreamPart } from '../engine/model/model.js';
import { isAzure } from './azure.js';
import type { Endpoint } from './endpoint.js';

/** Maximum number of characters in a model id, longer than any real id. Limits what a server can add to the log. */
const MOST_CHARACTERS = 200;

/** Detects replies by another model than the requested one, as routers and fallbacks send them. */
export class ReplyingModel {
  readonly #asked: string;
  /** Whether the requested id is the name of a deployment. The name of a deployment does not show the model. */
  readonly #isNamedFreely: boolean;
  #other: string | null = null;

  constructor({ baseUrl }: Pick<Endpoint, 'baseUrl'>, asked: string) {
    this.#asked = asked;
    this.#isNamedFreely = isAzure(baseUrl);
  }

  take(id: string | null): void {
    const short = (id ?? '').slice(0, MOST_CHARACTERS);
    if (short !== '' && !this.#isNamedFreely) {
      this.#other = isSameModel(this.#asked, short) ? null : short;
    }
  }

  /** Adds the id of the replying model to the part with the usage, and to the part that ends the reply. */
  named(part: StreamPart): StreamPart {
    return this.#other === null || (part.type !== 'usage' && part.type !== 'end') ? part : { ...part, answeredBy: this.#other };
  }
}
