import { isSameModel } from '../engine/run/sameModel.js';
import type { StreamPart } from '../engine/model/model.js';
import { isAzure } from './azure.js';
import type { Endpoint } from './endpoint.js';

/** Most characters of a model id, longer than any real one. Limits what a server can write into the log. */
const MOST_CHARACTERS = 200;

/** Detects when another model replies than the requested one, as with routers and fallbacks. */
export class ReplyingModel {
  readonly #asked: string;
  /** Whether the requested id is the name of a deployment. Such a name does not show which model replies. */
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

  /** Adds the model that replied to a part that reports usage or ends the reply. */
  named(part: StreamPart): StreamPart {
    return this.#other === null || (part.type !== 'usage' && part.type !== 'end') ? part : { ...part, answeredBy: this.#other };
  }
}
