import type { ChatConfig } from '../chat/settings/config.js';
import type { Model } from '../model/model.js';
import type { TokenCounter } from '../ports.js';
import type { NotSelectedReason } from '../record/item.js';
import { NO_LINKS, type FileLinks } from '../repository/fileLinks.js';
import {
  NO_REPOSITORY,
  repositoryIn,
  repositoryPart,
  repositoryWishes,
  type RepositoryPart,
  type RepositoryPiece,
  type RepositoryTexts,
  type RepositoryWishes,
} from '../repository/repositoryTexts.js';
import type { SentBlock, Situation } from '../request/layout/situation.js';

/** The repository map of a request, and why a part that the user wants is missing. */
export interface ResolvedRepository {
  readonly texts: RepositoryTexts;
  readonly missing: ReadonlyMap<RepositoryPart, NotSelectedReason>;
  /** How the files of the first request are connected to other files. Empty in later requests, and when unknown. */
  readonly links: FileLinks;
}

/** The made parts of a map, and the links of the files in the chat's context. Only definitions give links. */
export interface ReadRepository extends RepositoryTexts {
  readonly links: FileLinks;
}

/** What a map is made for. */
export interface WantedRepository {
  readonly wishes: RepositoryWishes;
  /** The parts to make. */
  readonly parts: readonly RepositoryPart[];
  /** The text of the newest user message. */
  readonly message: string;
  /** Paths of the files in the chat's context. */
  readonly files: ReadonlySet<string>;
  readonly counter: TokenCounter;
}

export interface RepositorySource {
  /** Returns the wanted parts, or the reason why they are missing. Never rejects. */
  read(wanted: WantedRepository): Promise<ReadRepository | NotSelectedReason>;
}

/** The map has at most this share of a request, so that the conversation has room. */
const MOST_SHARE = 1 / 8;

interface RepositoryRequest extends Omit<WantedRepository, 'wishes' | 'parts'> {
  readonly config: Pick<ChatConfig, 'repositoryMap' | 'repositoryTokens' | 'repositoryWithout'>;
  readonly model: Pick<Model, 'capabilities'>;
  readonly situation: Situation;
  /** Maximum number of tokens of the request. */
  readonly budget: number;
  readonly mustRebuild: boolean;
  /** Whether the request is for a summary or other purposes of Loupe. It then has the map of the last request. */
  readonly hasInstruction: boolean;
}

/** Returns the map for a request. Keeps the parts of the last request that the provider still has in its cache. */
export async function resolveRepository(request: RepositoryRequest, source: RepositorySource): Promise<ResolvedRepository> {
  const { config, situation, budget, hasInstruction } = request;
  const wishes = repositoryWishes(config);
  if (hasInstruction || wishes === null) {
    return { texts: hasInstruction ? sentRepository(situation).texts : NO_REPOSITORY, missing: NONE_MISSING, links: NO_LINKS };
  }
  const wanted = (['tree', 'map'] as const).filter((part) => wishes.headings[part] !== null);
  const missing = (parts: readonly RepositoryPart[], reason: NotSelectedReason): ResolvedRepository['missing'] =>
    new Map(parts.map((part) => [part, reason]));
  const least = Math.ceil(config.repositoryTokens / MOST_SHARE);
  if (budget < least) {
    return { texts: NO_REPOSITORY, missing: missing(wanted, { code: 'smallWindow', least }), links: NO_LINKS };
  }
  const old = sameSettings(sentRepository(situation), wishes);
  const kept = request.mustRebuild ? NO_REPOSITORY : aliveParts(old, request);
  const parts = wanted.filter((part) => kept[part].length === 0);
  const read = parts.length === 0 ? NOTHING_READ : await source.read({ wishes, parts, ...request });
  if ('code' in read) {
    const lacking = parts.filter((part) => read.code !== 'beingRead' || old.texts[part].length === 0);
    const rest = (part: RepositoryPart): readonly RepositoryPiece[] => (lacking.includes(part) ? [] : old.texts[part]);
    return { texts: { tree: rest('tree'), map: rest('map') }, missing: missing(lacking, read), links: NO_LINKS };
  }
  const made = (part: RepositoryPart): readonly RepositoryPiece[] => (parts.includes(part) ? read[part] : kept[part]);
  const links = situation.last === null ? read.links : NO_LINKS;
  return { texts: { tree: made('tree'), map: made('map') }, missing: NONE_MISSING, links };
}

const NOTHING_READ: ReadRepository = { ...NO_REPOSITORY, links: NO_LINKS };

const NONE_MISSING: ResolvedRepository['missing'] = new Map();

/** The map of the last request. */
interface SentRepository {
  readonly texts: RepositoryTexts;
  /** The place after the last block of each part. */
  readonly ends: Readonly<Record<RepositoryPart, number>>;
}

const NOTHING: SentRepository = { texts: NO_REPOSITORY, ends: { tree: 0, map: 0 } };

/** The maps of sent requests, because each key press needs the last one, and a request has thousands of blocks. */
const KNOWN = new WeakMap<readonly SentBlock[], SentRepository>();

function sentRepository({ last }: Situation): SentRepository {
  if (last === null) {
    return NOTHING;
  }
  const endOf = (part: RepositoryPart): number => 1 + last.blocks.findLastIndex(({ key }) => repositoryPart(key) === part);
  const sent = KNOWN.get(last.blocks) ?? { texts: repositoryIn(last.blocks), ends: { tree: endOf('tree'), map: endOf('map') } };
  KNOWN.set(last.blocks, sent);
  return sent;
}

/** Returns the sent parts with the same settings. The headings name all settings. */
function sameSettings({ texts, ends }: SentRepository, { headings }: RepositoryWishes): SentRepository {
  const same = (part: RepositoryPart): readonly RepositoryPiece[] => (texts[part][0]?.text === headings[part]?.text ? texts[part] : []);
  return { texts: { tree: same('tree'), map: same('map') }, ends };
}

/**
 * Returns the sent parts that the next request sends again unchanged, because the provider has them in its cache. A new
 * map would be written to the cache with everything after it, and a slightly older map is as useful.
 */
function aliveParts({ texts, ends }: SentRepository, { situation: { last } }: Pick<RepositoryRequest, 'situation'>): RepositoryTexts {
  const alive = last?.alive ?? 0;
  const kept = (part: RepositoryPart): readonly RepositoryPiece[] => (ends[part] <= alive ? texts[part] : []);
  return { tree: kept('tree'), map: kept('map') };
}
