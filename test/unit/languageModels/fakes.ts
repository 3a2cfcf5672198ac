import type { ChatModel, ChatModels, ReceivedPart } from '../../../src/host/models/languageModels/chatModel.js';
import type { LmMessage, LmRequest } from '../../../src/host/models/languageModels/wire.js';

/** A stream that the test fills. Readers wait while it is empty. */
export class Tap implements AsyncIterable<ReceivedPart> {
  readonly #waiting: ((result: IteratorResult<ReceivedPart>) => void)[] = [];
  readonly #ready: IteratorResult<ReceivedPart>[] = [];

  give(part: ReceivedPart): void {
    this.#put({ done: false, value: part });
  }

  close(): void {
    this.#put({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterator<ReceivedPart> {
    return {
      next: () => {
        const ready = this.#ready.shift();
        return ready === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(ready);
      },
    };
  }

  #put(result: IteratorResult<ReceivedPart>): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) {
      this.#ready.push(result);
    } else {
      waiting(result);
    }
  }
}

export async function* streamOf(...parts: (ReceivedPart | Error)[]): AsyncGenerator<ReceivedPart, void> {
  for (const part of parts) {
    if (part instanceof Error) {
      throw part;
    }
    yield part;
  }
}

export class FakeModel implements ChatModel {
  readonly vendor = 'acme';
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens = 8_000;
  readonly sent: { readonly request: LmRequest; readonly signal: AbortSignal }[] = [];
  readonly counted: (string | LmMessage)[] = [];
  reply: () => AsyncIterable<ReceivedPart> | Promise<AsyncIterable<ReceivedPart>> = () => streamOf();
  count: (content: string | LmMessage) => number | Promise<number> = () => 1;

  constructor(id: string) {
    this.id = id;
    this.name = id.toUpperCase();
  }

  async send(request: LmRequest, signal: AbortSignal): Promise<AsyncIterable<ReceivedPart>> {
    this.sent.push({ request, signal });
    return this.reply();
  }

  async countTokens(content: string | LmMessage): Promise<number> {
    this.counted.push(content);
    return this.count(content);
  }
}

/** VS Code's list of models. Each look waits until the test answers it. */
export class FakeModels implements ChatModels {
  readonly #listeners = new Set<() => void>();
  readonly looks: { readonly find: (models: readonly ChatModel[]) => void; readonly fail: (reason: unknown) => void }[] = [];

  select(): Promise<readonly ChatModel[]> {
    return new Promise((resolve, reject) => {
      this.looks.push({ find: resolve, fail: reject });
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  change(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
