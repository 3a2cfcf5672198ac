import assert from 'node:assert/strict';
import type { Block } from '../../../src/engine/model/block.js';
import type { AutomaticCache, CacheRules, Ttl } from '../../../src/engine/model/cacheRules.js';
import type { Forecast } from '../../../src/engine/cache/forecast.js';
import type { ManifestBlock } from '../../../src/engine/record/manifest.js';
import type { SentBlock, SentRequest } from '../../../src/engine/request/layout/situation.js';
import {
  cacheWay,
  type LastRead,
  type UncachedReason,
  type UncachedRequest,
  uncachedReason,
} from '../../../src/engine/next/uncachedReason.js';
import { markedCache } from '../../support/engine/models.js';

const MARKED = markedCache({ minimumTokens: 100 });
const AUTOMATIC: AutomaticCache = { kind: 'automatic', minimumTokens: 100, stepTokens: 1, lifetimeSeconds: 300 };
const MINUTE = 60_000;
const CONFIG = { cacheMode: 'cached', cacheLifetime: 'automatic', layout: 'plain' } as const;

function block(key: string, breakpoint: Ttl | null): Block {
  const isFile = key.startsWith('file:');
  const role = key.startsWith('tool:') ? 'tools' : 'user';
  return {
    ...{ key, hash: `hash of ${key}`, role, part: { type: 'text', text: key }, source: { from: 'snapshot' } },
    ...{ category: role === 'tools' ? 'tools' : isFile ? 'files' : 'conversation', item: isFile || role === 'tools' ? key : null },
    ...{ form: 'full', tokens: 500, tier: 'active', breakpoint: breakpoint === null ? null : { ttl: breakpoint } },
  };
}

function recorded({ part: _part, breakpoint: _breakpoint, ...rest }: Block): ManifestBlock {
  return { ...rest, opens: false, since: 1, content: null };
}

interface Asked {
  readonly blocks: readonly Block[];
  readonly rules: CacheRules;
  readonly read: number;
  readonly expired: Forecast['expired'];
  /** The blocks of the last request. Null before the first request. */
  readonly sent: readonly Block[] | null;
  readonly isSameModel: boolean;
  readonly cached: number;
}

const FILE = block('file:src/a.ts', null);
const ASK = block('message:m1/0', null);
const AGAIN = block('message:m2/0', '5m');
const ASKED: Asked = {
  ...{ blocks: [FILE, ASK, AGAIN], rules: MARKED, read: 0, expired: null, sent: [FILE, ASK], isSameModel: true, cached: 2 },
};

function requestOf({ blocks, rules, read, expired, sent, isSameModel, cached }: Asked): UncachedRequest {
  const tools = blocks.filter(({ role }) => role === 'tools');
  const tokens = blocks.length * 500;
  const forecast = { parts: { read, written: 0, fresh: tokens - read }, expired } as Forecast;
  const last: SentRequest | null =
    sent === null
      ? null
      : {
          blocks: sent.map((each): SentBlock => ({ ...recorded(each), part: null })),
          marks: [],
          ordinal: 1,
          isSameModel,
          cached,
          alive: 0,
        };
  return {
    forecast: rules.kind === 'unknown' ? null : forecast,
    ...{
      layout: 'plain',
      records: [],
      forgotten: [],
      size: { tokens },
      situation: { last },
      model: { capabilities: { cache: rules } },
    },
    prompt: { tools, system: [], messages: [{ role: 'user', blocks: blocks.filter((each) => !tools.includes(each)) }] },
  };
}

function lastRead({ sent }: Asked): LastRead | null {
  return sent === null ? null : { layout: 'plain', content: { blocks: sent.map(recorded), context: [], forgotten: [] } };
}

function reasonIn(cacheMode: 'cached' | 'system' | 'all-off', change: Partial<Asked>): UncachedReason | null {
  const asked = { ...ASKED, ...change };
  return uncachedReason(requestOf(asked), { cacheMode }, () => lastRead(asked));
}

function reason(change: Partial<Asked>): UncachedReason | null {
  return reasonIn('cached', change);
}

const unmarked = [FILE, ASK, block('message:m2/0', null)];

describe('why the next request reads nothing from the cache', () => {
  it('has no reason where most of what can be cached is read', () => {
    assert.equal(reason({ read: 1_000 }), null);
    assert.equal(reason({ read: 600 }), null);
    assert.equal(reason({ read: 600, sent: null }), null, 'another chat has cached it');
  });

  it('is unknown where the rules of the cache are unknown', () => {
    assert.deepEqual(reason({ rules: { kind: 'unknown' } }), { kind: 'unknown' });
  });

  it('is that the model has no cache', () => {
    assert.deepEqual(reason({ rules: { kind: 'none' } }), { kind: 'noCache' });
  });

  it('is that the chat has turned the cache off, unless it works without breakpoints', () => {
    assert.deepEqual(reasonIn('all-off', { blocks: unmarked }), { kind: 'off' });
    assert.equal(reasonIn('all-off', { rules: AUTOMATIC, read: 1_000 }), null);
  });

  it('is that the request is too short, with the minimum of the model', () => {
    const tooShort = { kind: 'tooShort', minimumTokens: 100, isSystemOnly: false } as const;
    assert.deepEqual(reason({ blocks: unmarked, sent: null }), tooShort);
    assert.deepEqual(reasonIn('system', { blocks: unmarked, sent: null }), { ...tooShort, isSystemOnly: true });
    assert.deepEqual(reason({ rules: { ...AUTOMATIC, minimumTokens: 2_000 } }), { ...tooShort, minimumTokens: 2_000 });
  });

  it('is that the chat is new, or that nothing of it was cached before', () => {
    assert.deepEqual(reason({ sent: null }), { kind: 'new', isNewChat: true });
    assert.deepEqual(reason({ cached: 0 }), { kind: 'new', isNewChat: false });
  });

  it('is that the cache expired, and when', () => {
    const expired = { tokens: 1_000, at: 15 * MINUTE, unusedMs: 6 * MINUTE };
    assert.deepEqual(reason({ expired }), { kind: 'expired', at: 15 * MINUTE, isPartly: false });
    assert.deepEqual(reason({ expired, isSameModel: false }), { kind: 'expired', at: 15 * MINUTE, isPartly: false });
  });

  it('is that a part of the cache expired, also if the request reads more than half of it', () => {
    const expired = { tokens: 400, at: 15 * MINUTE, unusedMs: 6 * MINUTE };
    assert.deepEqual(reason({ expired, read: 600 }), { kind: 'expired', at: 15 * MINUTE, isPartly: true });
    assert.equal(reason({ expired: { ...expired, tokens: 89 }, read: 600 }), null, 'it explains little of 900 tokens');
  });

  it('is that another model replied last', () => {
    assert.deepEqual(reason({ isSameModel: false, cached: 0 }), { kind: 'otherModel' });
    assert.deepEqual(reason({ isSameModel: false, cached: 1, read: 400 }), { kind: 'otherModel' });
    assert.equal(reason({ isSameModel: false, cached: 1, read: 500 }), null);
  });

  it('is what changed first: a file, or the tools by name', () => {
    const changed = { ...FILE, hash: 'other' };
    assert.deepEqual(reason({ blocks: [changed, ASK, AGAIN] }), {
      kind: 'changed',
      change: { kind: 'item', name: 'src/a.ts', change: 'changed' },
    });
    const [log, list] = [block('tool:git/log', null), block('tool:git/list', null)];
    const tools = { kind: 'tools', added: ['git/list'], removed: [], changed: ['git/log'] } as const;
    assert.deepEqual(reason({ sent: [log, FILE], blocks: [{ ...log, hash: 'other' }, list, FILE, AGAIN] }), {
      kind: 'changed',
      change: tools,
    });
    const edited = reason({ blocks: [FILE, AGAIN] });
    assert.deepEqual(edited, { kind: 'changed', change: { kind: 'edited', what: 'message' } });
  });

  it('is that the provider lost it, where nothing changed and the time was not over', () => {
    assert.deepEqual(reason({}), { kind: 'lost' });
  });
});

describe('what helps where nothing is read from the cache', () => {
  type Config = Parameters<typeof cacheWay>[2];
  const wayIn = (of: UncachedReason, config: Partial<Config>, change: Partial<Asked>): string | null =>
    cacheWay(of, requestOf({ ...ASKED, ...change }), { ...CONFIG, ...config });
  const way = (of: UncachedReason): string | null => wayIn(of, {}, {});

  it('is to turn the cache on where the chat has turned it off, or caches a system prompt that is too short', () => {
    assert.equal(way({ kind: 'off' }), 'cacheOn');
    assert.equal(way({ kind: 'tooShort', minimumTokens: 100, isSystemOnly: true }), 'cacheOn');
    assert.equal(way({ kind: 'tooShort', minimumTokens: 100, isSystemOnly: false }), null);
  });

  it('is a longer lifetime, if the provider offers one that the pause would not have outlived', () => {
    const expired = { kind: 'expired', at: 0, isPartly: false } as const;
    const after = (minutes: number): Pick<Asked, 'expired'> => ({ expired: { tokens: 1_000, at: 0, unusedMs: minutes * MINUTE } });
    assert.equal(wayIn(expired, {}, after(20)), 'longer');
    assert.equal(wayIn(expired, {}, after(61)), null);
    assert.equal(wayIn(expired, { cacheLifetime: '1h' }, after(20)), null);
    assert.equal(wayIn(expired, {}, { ...after(20), rules: AUTOMATIC }), null);
    assert.equal(wayIn(expired, {}, { ...after(20), rules: { ...MARKED, lifetimes: ['5m'] } }), null);
  });

  it('is to send a changed item later, in a layout that leaves the text before in place', () => {
    const changed = { kind: 'changed', change: { kind: 'item', name: 'src/a.ts', change: 'changed' } } as const;
    assert.equal(way(changed), 'inPlace');
    assert.equal(wayIn(changed, { layout: 'adaptive' }, {}), null);
    assert.equal(way({ kind: 'changed', change: { ...changed.change, change: 'added' } }), null);
    assert.equal(way({ kind: 'otherModel' }), null);
  });
});
