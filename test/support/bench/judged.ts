import { blockOf, changeHash, type Block, type ChatRequest, type Item, type Kind, type Speech } from '../../bench/judge/content.js';

export function itemOf(kind: Kind, id: string, tokens: number): Item {
  const role = kind === 'tool' || kind === 'system' ? kind : 'user';
  return { id, kind, speech: null, role, hash: id, tokens, versions: [], isChosen: false };
}

export function messageOf(id: string, speech: Speech, tokens: number): Item {
  return { ...itemOf('message', id, tokens), speech, role: speech === 'user' || speech === 'toolResult' ? 'user' : 'assistant' };
}

/** The last version of a file with these sizes. Each version changes `delta` tokens. */
export function fileOf(id: string, sizes: readonly number[], delta: number): Item {
  const versions = sizes.map((tokens, at) => ({ hash: `${id}@${String(at)}`, tokens, delta: at === 0 ? 0 : delta }));
  const now = versions.at(-1) ?? { hash: id, tokens: 0 };
  return { ...itemOf('file', id, now.tokens), hash: now.hash, versions };
}

/** The difference between a version and the one before. */
export function changeOf(file: Item, version: number, tokens: number): Block {
  const { hash = '' } = file.versions[version] ?? {};
  return { ...blockOf(file), hash: changeHash(hash), tokens, changesTo: hash };
}

export function requestOf(at: number, ...items: readonly Item[]): ChatRequest {
  return { at, kind: 'chat', model: 'main', items };
}
