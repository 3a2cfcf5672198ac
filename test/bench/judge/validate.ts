import { changeHash, type Block, type ChatRequest, type Item, type Version } from './content.js';

/** Checks the requests of one chat in order for their required content. */
export class RequestValidator {
  readonly #known = new Map<string, number>();
  readonly #versions = new Map<string, readonly Version[]>();

  problems(request: ChatRequest, blocks: readonly Block[]): string[] {
    this.#learn(request.items);
    return [
      ...blocks.flatMap((block) => this.#blockProblem(block)),
      ...this.#contextProblems(request.items, blocks),
      ...conversationProblems(request.items, blocks),
      ...orderProblems(blocks),
      ...callProblems(blocks),
    ];
  }

  #learn(items: readonly Item[]): void {
    for (const { id, hash, tokens, versions } of items) {
      this.#known.set(hash, tokens);
      for (const version of versions) {
        this.#known.set(version.hash, version.tokens);
      }
      if (versions.length > 0) {
        this.#versions.set(id, versions);
      }
    }
  }

  /** Each block is known and has its full length. A difference is at least as long as the change. */
  #blockProblem({ id, hash, tokens, changesTo }: Block): string[] {
    if (changesTo === null) {
      const known = this.#known.get(hash);
      return known === tokens ? [] : [`${id} has ${String(tokens)} tokens instead of ${String(known)}.`];
    }
    const delta = this.#versions.get(id)?.find((version) => version.hash === changesTo)?.delta;
    if (delta === undefined || hash !== changeHash(changesTo)) {
      return [`${id} has no change to ${changesTo} with the hash ${hash}.`];
    }
    return tokens < delta ? [`The change of ${id} to ${changesTo} has ${String(tokens)} tokens instead of ${String(delta)}.`] : [];
  }

  /** The last version of each context item is the current one, and it occurs once. */
  #contextProblems(items: readonly Item[], blocks: readonly Block[]): string[] {
    const told = new Map<string, string>();
    const twice: string[] = [];
    const needed = new Set(items.map(({ hash }) => hash));
    const seen = new Set<string>();
    for (const { id, hash, changesTo } of blocks) {
      const isTold = changesTo === null || told.get(id) === this.#versionBefore(id, changesTo);
      told.set(id, isTold ? (changesTo ?? hash) : `what ${hash} does not follow`);
      twice.push(...(needed.has(hash) && seen.has(hash) ? [`${hash} is there twice.`] : []));
      seen.add(hash);
    }
    const untold = items.filter(({ id, hash }) => told.get(id) !== hash);
    return [...twice, ...untold.map(({ id, hash }) => `${id} is not told as ${hash} but as ${told.get(id) ?? 'nothing'}.`)];
  }

  #versionBefore(id: string, version: string): string | undefined {
    const versions = this.#versions.get(id) ?? [];
    return versions[versions.findIndex(({ hash }) => hash === version) - 1]?.hash;
  }
}

/** Whether a request has exactly the required content, whole and once. `lowerBound` applies to these. */
export function isExact({ items }: ChatRequest, blocks: readonly Block[]): boolean {
  const needed = new Set(items.map(({ hash }) => hash));
  return blocks.length === needed.size && blocks.every(({ hash }) => needed.has(hash));
}

function conversationProblems(items: readonly Item[], blocks: readonly Block[]): string[] {
  const said = items.filter(({ kind }) => kind === 'message');
  const sent = blocks.filter(({ kind }) => kind === 'message');
  const isSame = said.length === sent.length && said.every(({ hash }, at) => sent[at]?.hash === hash);
  return isSame ? [] : ['The messages are not those of the conversation in their order.'];
}

const PHASES: readonly Block['kind'][] = ['tool', 'system'];

function orderProblems(blocks: readonly Block[]): string[] {
  const phases = blocks.map(({ kind }) => (PHASES.includes(kind) ? PHASES.indexOf(kind) : PHASES.length));
  return phases.some((phase, at) => phase < (phases[at - 1] ?? 0)) ? ['Tools and system prompt do not come first.'] : [];
}

function callProblems(blocks: readonly Block[]): string[] {
  const problems: string[] = [];
  let next: Block['speech'] = null;
  for (const { id, kind, speech } of blocks.toReversed()) {
    if (kind === 'message') {
      next = speech;
    } else if (next === 'toolResult') {
      problems.push(`${id} stands between a call and its results.`);
    }
  }
  return problems;
}
