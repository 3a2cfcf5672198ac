import type { SentMessage } from '../chat/message/message.js';
import type { Part } from '../model/part.js';
import { type Json, canonicalJson } from '../json.js';
import type { Pause, Sha256, TokenCounter } from '../ports.js';
import type { ImageDimensions, ImageTokens } from '../model/imageRules.js';
import { imageTokens } from '../tokens/imageTokens.js';
import { partTokens, partTokensWithPauses } from '../tokens/partTokens.js';
import type { Block, BlockRole, ToolDefinition, WirePart } from '../model/block.js';
import { type ResultTexts, lacksText } from './resultText.js';
import { wirePart } from './adapt/wirePart.js';

/** Maximum number of cached forms of a text: the whole file, and a few lengths while Loupe searches where to cut it. */
const FORMS_KEPT = 8;

/** Maximum characters of all cached texts: several context windows of a million tokens, more than a request holds. */
const CHARACTERS_KEPT = 16 * 1024 * 1024;

interface CachedForms {
  readonly source: string;
  readonly blocks: Map<string, Block>;
}

/** The text that a block is made from, and the form of the block. */
interface FormSource {
  readonly key: string;
  readonly source: string;
  readonly form: string;
}

/** Caches blocks by key, for the latest text of each key. So previews do not process an unchanged text again. */
export class FormedBlocks {
  /** Cached forms by key, the least recently used first. */
  readonly #kept = new Map<string, CachedForms>();

  find({ key, source, form }: FormSource, make: () => Block): Block {
    const before = this.#kept.get(key);
    const kept: CachedForms = before?.source === source ? before : { source, blocks: new Map<string, Block>() };
    const block = kept.blocks.get(form) ?? make();
    moveToEnd(kept.blocks, form, block);
    const [oldest] = kept.blocks.keys();
    if (oldest !== undefined && kept.blocks.size > FORMS_KEPT) {
      kept.blocks.delete(oldest);
    }
    moveToEnd(this.#kept, key, kept);
    if (kept !== before) {
      this.#forget();
    }
    return block;
  }

  #forget(): void {
    let characters = [...this.#kept.values()].reduce((sum, { source }) => sum + source.length, 0);
    for (const [key, { source }] of this.#kept) {
      if (characters <= CHARACTERS_KEPT) {
        return;
      }
      this.#kept.delete(key);
      characters -= source.length;
    }
  }
}

function moveToEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

/** Number of parts that are hashed and counted between two pauses: some milliseconds of work. */
const AT_ONCE = 100;

export type BlockOrigin = Pick<Block, 'key' | 'role' | 'category' | 'item'>;

export interface LoggedPart {
  readonly messageId: string;
  readonly index: number;
  readonly role: BlockRole;
  readonly part: Part;
}

type BlockMeasurement = Pick<Block, 'hash' | 'tokens'>;

/** SHA-256 (hex) of the canonical JSON of role and part. */
export function blockHash(role: BlockRole, part: WirePart, sha256: Sha256): string {
  return sha256(canonicalJson({ role, part: part as unknown as Json }));
}

/** Makes blocks. Message parts are the same objects in every request, so each is hashed and counted only once. */
export class BlockFactory {
  readonly sha256: Sha256;
  readonly #counter: TokenCounter;
  readonly #messageBlocks = new WeakMap<Part, Block>();
  readonly #snapshots = new Map<string, BlockMeasurement>();
  readonly #definitions = new WeakMap<ToolDefinition, Block>();
  readonly #sent = new WeakMap<Block, Block>();
  readonly #deferred = new WeakMap<Block, Block>();
  readonly #definitionTokens = new WeakMap<ToolDefinition, number>();
  readonly #formed = new FormedBlocks();
  readonly #imageRule: ImageTokens | null;
  /** Dimensions of the images of all parts so far, by SHA-256: a wire part does not contain them. */
  readonly #imageSizes = new Map<string, ImageDimensions>();
  readonly #ofImage = (blob: string): number => imageTokens(this.#imageSizes.get(blob) ?? null, this.#imageRule);

  /** `imageRule`: how the model counts images. Missing and null mean unknown. */
  constructor(counter: TokenCounter, sha256: Sha256, imageRule?: ImageTokens | null) {
    this.#counter = counter;
    this.#imageRule = imageRule ?? null;
    this.sha256 = sha256;
  }

  /**
   * Returns the block of a message part, or null for a part that no provider accepts. For a text missing in `results`,
   * the block contains a note. Such a block is useful only for its tokens: it cannot be rebuilt from a record.
   */
  messageBlock(logged: LoggedPart, results: ResultTexts): Block | null {
    // Not cached when a blob is missing: the next request may find the blob. Blobs that were read never change.
    this.noteImages(logged.part);
    const isLacking = lacksText(logged.part, results);
    const known = isLacking ? undefined : this.#messageBlocks.get(logged.part);
    if (known !== undefined) {
      // A message that is sent again has a new id but the same parts.
      return known.key === keyOf(logged) ? known : this.#keep(logged.part, this.#ofMessage(logged, known.part, known));
    }
    const wire = wirePart(logged.part, results);
    const block = wire === null ? null : this.#ofMessage(logged, wire, this.#measure(logged.role, wire));
    return block === null || isLacking ? block : this.#keep(logged.part, block);
  }

  /** Does the work of `messageBlock` in advance, with pauses in a long part. Skips a part with a missing text. */
  async measureMessage(logged: LoggedPart, results: ResultTexts, pause: Pause): Promise<void> {
    this.noteImages(logged.part);
    const wire = lacksText(logged.part, results) ? null : wirePart(logged.part, results);
    if (wire !== null) {
      const hash = blockHash(logged.role, wire, this.sha256);
      const counted = partTokensWithPauses(wire, this.#counter, this.#ofImage, pause);
      const tokens = typeof counted === 'number' ? counted : await counted;
      this.#keep(logged.part, this.#ofMessage(logged, wire, { hash, tokens }));
    }
  }

  hasMeasured(part: Part): boolean {
    return this.#messageBlocks.has(part);
  }

  /** Makes a block for content that is not a part of a message. Caches the last hash and tokens of each key. */
  snapshotBlock(origin: BlockOrigin, part: WirePart): Block {
    const { key, role } = origin;
    const hash = blockHash(role, part, this.sha256);
    const known = this.#snapshots.get(key);
    const measured = known?.hash === hash ? known : { hash, tokens: partTokens(part, this.#counter, this.#ofImage) };
    this.#snapshots.set(key, measured);
    return blockOf(origin, part, measured, { from: 'snapshot' });
  }

  /** Returns the block of an offered tool. A definition is the same object in every request, so it is counted once. */
  definitionBlock(key: string, definition: ToolDefinition): Block {
    const known = this.#definitions.get(definition);
    const block = known?.key === key ? known : this.snapshotBlock({ key, role: 'tools', category: 'tools', item: key }, definition);
    this.#definitions.set(definition, block);
    return block;
  }

  /** Returns the block of a tool on demand: 0 tokens, because its definition is outside the prompt. Cached. */
  deferredBlock(block: Block, key: string): Block {
    const known = this.#deferred.get(block);
    if (known !== undefined || block.part.type !== 'toolDefinition') {
      return known ?? block;
    }
    const part: ToolDefinition = { ...block.part, isDeferred: true };
    const made = { ...block, key, part, hash: blockHash(block.role, part, this.sha256), tokens: 0 };
    this.#definitionTokens.set(part, block.tokens);
    this.#deferred.set(block, made);
    return made;
  }

  /** Returns the tokens of a definition inside the prompt. */
  definitionTokens(definition: ToolDefinition): number {
    const tokens = this.#definitionTokens.get(definition) ?? partTokens(definition, this.#counter, this.#ofImage);
    this.#definitionTokens.set(definition, tokens);
    return tokens;
  }

  /** Returns the block of a definition with the sent name and schema. Cached while both are the same. */
  sentBlock(block: Block, part: ToolDefinition): Block {
    const known = this.#sent.get(block);
    const isKnown = known?.part.type === 'toolDefinition' && known.part.name === part.name && known.part.schema === part.schema;
    const sent = isKnown ? known : { ...this.changedBlock(block, part), ...(part.isDeferred === true ? { tokens: 0 } : {}) };
    this.#sent.set(block, sent);
    return sent;
  }

  /** Returns the block that `make` builds. Cached by text and form, so `make` must not depend on anything else. */
  formedBlock(formed: FormSource, make: () => Block): Block {
    return this.#formed.find(formed, make);
  }

  changedBlock(block: Block, part: WirePart): Block {
    return { ...block, part, ...this.#measure(block.role, part) };
  }

  /** Remembers the dimensions of the images of a part, to count the tokens of these images in other parts. */
  noteImages(part: Part): void {
    for (const item of part.type === 'toolResult' ? part.content : [part]) {
      if (item.type === 'image') {
        this.#imageSizes.set(item.blob, item);
      }
    }
  }

  #keep(part: Part, block: Block): Block {
    this.#messageBlocks.set(part, block);
    return block;
  }

  #ofMessage(logged: LoggedPart, wire: WirePart, measured: BlockMeasurement): Block {
    const { messageId, index, role } = logged;
    const origin = { key: keyOf(logged), role, category: 'conversation', item: null } as const;
    return blockOf(origin, wire, measured, { from: 'message', messageId, part: index });
  }

  #measure(role: BlockRole, part: WirePart): BlockMeasurement {
    return { hash: blockHash(role, part, this.sha256), tokens: partTokens(part, this.#counter, this.#ofImage) };
  }
}

/** Lists each member for speed: object spread takes many times as long, and a request makes a block of each part. */
function blockOf(
  { key, role, category, item }: BlockOrigin,
  part: WirePart,
  { hash, tokens }: BlockMeasurement,
  source: Block['source'],
): Block {
  return { key, role, category, item, part, hash, tokens, source, form: 'full', tier: 'active', breakpoint: null };
}

function keyOf({ messageId, index }: LoggedPart): string {
  return `message:${messageId}/${String(index)}`;
}

/**
 * Measures new parts with pauses, because a reply may have thousands of calls or millions of characters. Skips parts
 * with a text that is missing in `results`: a request measures them as notes.
 */
export async function measureParts(
  messages: readonly SentMessage[],
  results: ResultTexts,
  factory: BlockFactory,
  pause: Pause,
): Promise<void> {
  let made = 0;
  for (const { id: messageId, role, parts } of messages) {
    for (const [index, part] of parts.entries()) {
      if (!factory.hasMeasured(part)) {
        await factory.measureMessage({ messageId, index, role, part }, results, pause);
        made += 1;
        if (made % AT_ONCE === 0) {
          await pause();
        }
      }
    }
  }
}
