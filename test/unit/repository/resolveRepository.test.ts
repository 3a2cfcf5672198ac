import assert from 'node:assert/strict';
import {
  resolveRepository,
  type ReadRepository,
  type RepositorySource,
  type ResolvedRepository,
} from '../../../src/engine/next/repository.js';
import type { NotSelectedReason } from '../../../src/engine/record/item.js';
import { NO_LINKS, type FileLinks } from '../../../src/engine/repository/fileLinks.js';
import { mapPieces, NO_REPOSITORY, treePieces } from '../../../src/engine/repository/repositoryTexts.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { NOTHING_SENT, type Situation } from '../../../src/engine/request/layout/situation.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { user } from '../../support/engine/messages.js';
import { characters } from '../../support/engine/ports.js';
import { RecordedChat } from '../../support/engine/requests.js';
import { CACHING_MODEL } from '../../support/engine/tieredChat.js';

const LINKS: FileLinks = new Map([['src/a.ts', { users: 3, group: null }]]);

/** A source whose map changes with each reading. `reason`: why it has no map yet. */
class ChangingSource implements RepositorySource {
  reason: NotSelectedReason | null = null;
  readings = 0;

  read: RepositorySource['read'] = ({ wishes, parts }) => {
    this.readings += 1;
    const text = `version ${String(this.readings)}`;
    const made: ReadRepository = {
      tree: parts.includes('tree') ? treePieces(wishes, text) : [],
      map: parts.includes('map') ? mapPieces(wishes, [{ folder: 'src/', text }]) : [],
      links: LINKS,
    };
    return Promise.resolve(this.reason ?? made);
  };
}

const CONFIG = { repositoryMap: 'map', repositoryTokens: 3_000, repositoryWithout: '' } as const;

const HOUR = 3_600_000;

describe('the repository map of a request', () => {
  const resolved = (source: RepositorySource, change: Partial<Parameters<typeof resolveRepository>[0]>): Promise<ResolvedRepository> =>
    resolveRepository(
      {
        ...{ config: CONFIG, model: CACHING_MODEL, situation: NOTHING_SENT, budget: 100_000, mustRebuild: false, hasInstruction: false },
        ...{ message: '', files: new Set(), counter: characters },
        ...change,
      },
      source,
    );
  const version = ({ texts: { tree, map } }: ResolvedRepository): (string | undefined)[] => [tree[1]?.text, map[1]?.text];

  /** Sends a request with the first version of the map, and returns what the next request knows about it. */
  async function sentWith(source: RepositorySource, layout: keyof typeof LAYOUTS): Promise<{ chat: RecordedChat; situation: Situation }> {
    const chat = new RecordedChat();
    const { texts: repository } = await resolved(source, {});
    chat.send({ model: CACHING_MODEL, layout: LAYOUTS[layout], messages: [user('u1', 'Question 1')], repository });
    return { chat, situation: chat.situation(0) };
  }

  for (const layout of ['adaptive', 'message-70'] as const) {
    it(`stays as sent while the provider has it in its cache (layout ${layout})`, async () => {
      const source = new ChangingSource();
      const { situation } = await sentWith(source, layout);
      const next = await resolved(source, { situation });
      assert.deepEqual([version(next), source.readings], [['version 1', 'version 1'], 1]);
    });
  }

  it('has a new file tree in the layout tiered, which does not cache the tree', async () => {
    const source = new ChangingSource();
    const { situation } = await sentWith(source, 'tiered');
    assert.deepEqual(version(await resolved(source, { situation })), ['version 2', 'version 1']);
  });

  for (const layout of Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[]) {
    it(`keeps the cached blocks of the last request byte for byte (layout ${layout})`, async () => {
      const source = new ChangingSource();
      const { chat, situation } = await sentWith(source, layout);
      const { texts: repository } = await resolved(source, { situation });
      const messages = [user('u1', 'Question 1'), user('u2', 'Question 2')];
      const { prompt } = chat.send({ model: CACHING_MODEL, layout: LAYOUTS[layout], messages, repository });
      const cached = (situation.last?.blocks ?? []).slice(0, (situation.last?.marks.at(-1)?.at ?? -1) + 1);
      const sent = promptBlocks(prompt).map(({ hash }) => hash);
      const isMap = (key: string): boolean => key.startsWith('repository:map');
      assert.ok(cached.some(({ key }) => isMap(key)));
      for (const { key, hash } of cached.filter((block) => isMap(block.key))) {
        assert.ok(sent.includes(hash), key);
      }
    });
  }

  it('is new when the cache has expired, after a change of the settings, and with a rebuild of the prompt', async () => {
    const source = new ChangingSource();
    const { chat, situation } = await sentWith(source, 'adaptive');
    assert.deepEqual(version(await resolved(source, { situation: chat.situation(2 * HOUR) })), ['version 2', 'version 2']);
    assert.deepEqual(version(await resolved(source, { situation, mustRebuild: true })), ['version 3', 'version 3']);
    for (const change of [{ repositoryTokens: 2_000 }, { repositoryWithout: 'vendor' }]) {
      const [tree] = version(await resolved(source, { situation, config: { ...CONFIG, ...change } }));
      assert.equal(tree, `version ${String(source.readings)}`);
    }
    assert.equal(source.readings, 5);
  });

  it('has the links of the files in the first request only, which seeds the tiers', async () => {
    const source = new ChangingSource();
    assert.equal((await resolved(source, {})).links, LINKS);
    const { situation } = await sentWith(source, 'tiered');
    assert.equal((await resolved(source, { situation, mustRebuild: true })).links, NO_LINKS);
  });

  it('loses the definitions at once when the user wants only the file tree', async () => {
    const source = new ChangingSource();
    const { situation } = await sentWith(source, 'adaptive');
    const next = await resolved(source, { situation, config: { ...CONFIG, repositoryMap: 'tree' } });
    assert.deepEqual([next.texts.map, next.texts.tree[1]?.text], [[], 'version 2'], 'a tree with more room');
    assert.deepEqual((await resolved(source, { situation, config: { ...CONFIG, repositoryMap: 'off' } })).texts, NO_REPOSITORY);
  });

  it('is missing with a reason while the files are being read', async () => {
    const source = new ChangingSource();
    source.reason = { code: 'beingRead' };
    const { texts, missing } = await resolved(source, {});
    assert.deepEqual([texts, missing.get('tree'), missing.get('map')], [NO_REPOSITORY, source.reason, source.reason]);
  });

  it('stays as sent while the files are read again after a restart, even without a cache', async () => {
    const source = new ChangingSource();
    const { chat } = await sentWith(source, 'adaptive');
    source.reason = { code: 'beingRead' };
    const cold = await resolved(source, { situation: chat.situation(2 * HOUR) });
    assert.deepEqual([version(cold), cold.missing.size], [['version 1', 'version 1'], 0]);
    source.reason = { code: 'restricted' };
    const restricted = await resolved(source, { situation: chat.situation(2 * HOUR) });
    assert.deepEqual([restricted.texts, restricted.missing.get('map')], [NO_REPOSITORY, source.reason]);
  });

  it('is off, with the reason, for a model with a small window', async () => {
    const source = new ChangingSource();
    const { texts, missing } = await resolved(source, { budget: 23_999 });
    assert.deepEqual([texts, missing.get('map')], [NO_REPOSITORY, { code: 'smallWindow', least: 24_000 }]);
    assert.equal(source.readings, 0);
    assert.deepEqual((await resolved(source, { budget: 24_000 })).missing.size, 0);
  });

  it('is that of the last request in a request for a summary', async () => {
    const source = new ChangingSource();
    const { chat } = await sentWith(source, 'adaptive');
    const summary = await resolved(source, { situation: chat.situation(2 * HOUR), hasInstruction: true });
    assert.deepEqual([version(summary), source.readings], [['version 1', 'version 1'], 1]);
    assert.deepEqual((await resolved(source, { hasInstruction: true })).texts, NO_REPOSITORY);
  });
});
