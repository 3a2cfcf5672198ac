import assert from 'node:assert/strict';
import { type ExpiredChatCosts, type IdleChat, idleOffers, paysAfterExpiry } from '../../../src/engine/cache/idleOffers.js';
import { ENDS, MEASURED_WEIGHT, pausesLonger } from '../../../src/engine/cache/pauses.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** 47,000 tokens of a model at $3 for a million tokens of input, one minute after the last request. */
const CHAT: IdleChat = {
  pauses: [2 * MINUTE, 9 * MINUTE, 12 * MINUTE, 3 * MINUTE],
  ...{ idle: MINUTE, left: 4 * MINUTE, lifetime: 5 * MINUTE },
  ...{ warm: 0.0141, cold: 0.17625, rebuildSaves: 0, replies: 10, keepWarm: 0.0141 },
  summary: { write: 0.03, next: 0.02 },
};

const kinds = (chat: IdleChat): readonly string[] => idleOffers(chat).offers.map(({ kind }) => kind);

describe('pauses of a chat', () => {
  it('are few, so that measured pauses and one without an end count too', () => {
    assert.equal(pausesLonger([], 0), MEASURED_WEIGHT + ENDS);
    const longer = (ms: number): number => (pausesLonger([], ms) - ENDS) / MEASURED_WEIGHT;
    assert.deepEqual(
      [86_000, 5 * MINUTE, HOUR].map((ms) => longer(ms).toFixed(3)),
      ['0.500', '0.276', '0.038'],
    );
    assert.equal(pausesLonger([MINUTE, HOUR], 2 * MINUTE), pausesLonger([], 2 * MINUTE) + 1);
  });
});

describe('before the cache of a chat expires', () => {
  it('Loupe offers to keep it warm, and a summary, to a user who often comes back a little later', () => {
    assert.deepEqual(kinds(CHAT), ['keepWarm', 'summarize']);
    const keepWarm = idleOffers(CHAT).offers.find((offer) => offer.kind === 'keepWarm');
    assert.deepEqual([keepWarm?.requests, keepWarm?.time, keepWarm?.cost.toFixed(4)], [2, 13 * MINUTE, '0.0282']);
  });

  it('Loupe offers nothing to a user who always comes back before', () => {
    assert.deepEqual(kinds({ ...CHAT, pauses: Array.from({ length: 60 }, () => 2 * MINUTE) }), []);
  });

  it('Loupe offers nothing for less than a cent', () => {
    const small = { warm: 0.0014, cold: 0.0176, keepWarm: 0.0014, summary: { write: 0.003, next: 0.002 } };
    assert.deepEqual(kinds({ ...CHAT, ...small }), []);
  });

  it('Loupe offers nothing if the cold start lets it drop outdated content that costs more', () => {
    assert.deepEqual(kinds({ ...CHAT, rebuildSaves: 0.051, summary: null }), []);
  });

  it('Loupe does not offer what is impossible', () => {
    assert.deepEqual(kinds({ ...CHAT, keepWarm: null }), ['summarize']);
    assert.deepEqual(kinds({ ...CHAT, summary: null }), ['keepWarm']);
    assert.deepEqual(kinds({ ...CHAT, keepWarm: null, summary: null }), []);
  });

  it('Loupe keeps the cache warm for at most a day', () => {
    const cheap = {
      lifetime: HOUR,
      left: 4 * MINUTE,
      idle: 56 * MINUTE,
      keepWarm: 0.000_01,
      pauses: Array.from({ length: 9 }, () => 40 * HOUR),
    };
    const [offer] = idleOffers({ ...CHAT, ...cheap, summary: null }).offers;
    assert.ok(offer === undefined || (offer.kind === 'keepWarm' && offer.time <= 24 * HOUR));
  });
});

describe('after the cache of a chat has expired', () => {
  /** 100,000 tokens at $3 for a million tokens of input, in a chat with ten requests between two expiries. */
  const chat: ExpiredChatCosts = {
    ...{ pauses: [2 * MINUTE, 12 * MINUTE], lifetime: 5 * MINUTE, replies: 20, cold: 0.375 },
    ...{ summary: { write: 0.33, next: 0.0375 }, saving: 0.027 },
  };

  it('a summary pays by what it saves until the next expiry', () => {
    assert.equal(paysAfterExpiry(chat), true);
    assert.equal(paysAfterExpiry({ ...chat, replies: 12 }), false);
    assert.equal(paysAfterExpiry({ ...chat, pauses: [12 * MINUTE, 12 * MINUTE] }), false);
  });

  it('a summary never pays with the next message alone if a write costs little more than uncached input', () => {
    assert.equal(paysAfterExpiry({ ...chat, replies: 1, pauses: [] }), false);
    assert.equal(paysAfterExpiry({ ...chat, cold: 0.6, summary: { write: 0.33, next: 0.06 }, replies: 1, pauses: [] }), true);
  });

  it('a summary does not pay for less than a cent', () => {
    assert.equal(paysAfterExpiry({ ...chat, cold: 0.0175, summary: { write: 0.008, next: 0.001 }, saving: 0.000_01 }), false);
  });
});
