import { isSameModel } from '../engine/run/sameModel.js';
import type { StreamPart } from '../engine/model/model.js';
import { isAzure } from './azure.js';
import type { Endpoint } from './endpoint.js';

/** Maximum number of characters of a model id to store in the log. Real ids are shorter. */
const MOST_CHARACTERS = 200;

/** Detects that another model than the requested one replied, for example because a router chose it. */
export class ReplyingModel {
  readonly #asked: string;
  /** Whether the requested id is a name that the user chose (Azure). A different id in a reply then proves nothing. */
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

  /** If another model replied, adds its id to the part with the usage and to the part that ends the reply. */
  named(part: StreamPart): StreamPart {
    return this.#other === null || (part.type !== 'usage' && part.type !== 'end') ? part : { ...part, answeredBy: this.#other };
  }
}
