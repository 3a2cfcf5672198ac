import type { Block } from '../../../src/engine/model/block.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { assistant, user } from './messages.js';
import { markedCache, OPEN_MODEL, withCapabilities } from './models.js';
import { PLAIN, RecordedChat, withFiles, type Content, type Sent } from './requests.js';

/** A model that caches prefixes of any length. */
export const CACHING_MODEL = withCapabilities(OPEN_MODEL, { cache: markedCache({ minimumTokens: 0 }) });

/** Returns the messages of these exchanges, and the message to answer. */
export function exchanges(from: number, to: number): SentMessage[] {
  const past = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return past.flatMap((at) => [user(`u${at}`, `Question ${at}`), assistant(`a${at}`, `Answer ${at}`)]);
}

export class TieredChat extends RecordedChat {
  #requests = 0;

  /** Sends a new user message after one exchange for each earlier request. */
  ask(files: Readonly<Record<string, string>>, change: Partial<Content>): Sent {
    this.#requests += 1;
    const now = user(`u${this.#requests}`, `Question ${this.#requests}`);
    return this.send({ ...TIERED, messages: [...exchanges(1, this.#requests - 1), now], ...withFiles(files), ...change });
  }

  repeat(times: number, files: Readonly<Record<string, string>>, change: Partial<Content>): Prompt {
    let { prompt } = this.ask(files, change);
    for (let time = 1; time < times; time += 1) {
      ({ prompt } = this.ask(files, change));
    }
    return prompt;
  }
}

export const TIERED = { layout: LAYOUTS.tiered, model: CACHING_MODEL } as const;

export function withTarget(cacheTargetTokens: number | null): Pick<Content, 'layoutOptions'> {
  return { layoutOptions: { ...PLAIN.layoutOptions, cacheTargetTokens } };
}

/** The system message and the messages as `role: keys`. Keys of messages are short; a star is a breakpoint. */
export function shape({ system, messages }: Prompt): string[] {
  return [{ role: 'system', blocks: system }, ...messages].map(({ role, blocks }) => `${role}: ${blocks.map(keyOf).join(' ')}`);
}

function keyOf({ key, breakpoint }: Block): string {
  const short = key.replace(/^message:(.*)\/0$/, '$1').replace(/^system:/, '');
  return `${short}${breakpoint === null ? '' : '*'}`;
}
