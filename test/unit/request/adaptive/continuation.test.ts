import assert from 'node:assert/strict';
import { continuation, type ContinuationInput } from '../../../../src/engine/request/layout/adaptive/continuation.js';
import type { Entry, Item, SentEntry, Unit, UnitCall } from '../../../../src/engine/request/layout/adaptive/sequence.js';
import { sumTokens } from '../../../../src/engine/sumTokens.js';

/**
 * Units by name: `u1` is a user message, `r1` a reply, `x1` a reply that may be empty in requests, `t1` one with tool
 * calls, `t1-` the same with its calls forgotten, `y1-` one with nothing but such calls. A unit in parentheses belongs
 * to an excluded turn; with `!` it is removed now. `m1` calls two tools; in `m1'` the second is to be removed. In
 * `t1~`, a reference replaces the result.
 */
const units = (...names: readonly string[]): Unit[] =>
  names
    .map((written) => ({ written, name: written.replaceAll(/[()!]/g, '') }))
    .map(({ written, name }) => ({
      excludedWith: written.startsWith('(') ? `turn ${name.slice(1, 2)}` : null,
      isRemovedNow: written.startsWith('(') && written.endsWith('!'),
      key: name.replace(/[-'~]$/, ''),
      isUser: name.startsWith('u'),
      mayBeEmpty: name.startsWith('x') || /^y.-$/.test(name),
      calls: callsOf(written),
      remaining: name.endsWith('-') ? 10 : 0,
      shrinks: name.endsWith('~') ? 40 : 0,
    }));

function callsOf(written: string): readonly UnitCall[] {
  const removal = written.endsWith('!') ? 'now' : 'later';
  const stays = { part: 1, removal: null, tokens: 0 };
  if (written.startsWith('m')) {
    return [stays, written.includes("'") ? { part: 2, removal, tokens: 20 } : { ...stays, part: 2 }];
  }
  return !/^[ty]/.test(written) ? [] : [written.includes('-') ? { part: 1, removal, tokens: 40 } : stays];
}

/** Items as `a1`: version 1 of `a`, 100 tokens, 10 per later version. `p` is picked for the newest message. */
function items(...versions: readonly string[]): Item[] {
  return versions.map((version) => ({
    key: version.charAt(0),
    version,
    tokens: 100,
    tokensSince: (before) => 10 * Math.abs(Number(version.slice(1)) - Number(before.slice(1))),
    place: version.startsWith('p') ? 'pick' : 'context',
  }));
}

/** A request in words: `a1` is a copy, `+a2` a change to version 2. Units have 50 tokens, 40 of them for calls. */
function sent(words: string): SentEntry[] {
  return words.split(' ').map((word): SentEntry => {
    if (/^[a-hp]\d$/.test(word)) {
      return { kind: 'copy', key: word.charAt(0), version: word, tokens: 100 };
    }
    return word.startsWith('+') ? { kind: 'change', key: word.charAt(1), version: word.slice(1), tokens: 10 } : unitEntry(word);
  });
}

function unitEntry(word: string): SentEntry {
  const [unit] = units(word);
  const calls = unit?.calls ?? [];
  const sentCalls = calls.filter(({ removal }) => removal === null);
  const gone = calls.reduce((sum, { tokens }) => sum + tokens, 0);
  return { kind: 'unit', key: unit?.key ?? word, parts: new Set(sentCalls.map(({ part }) => part)), tokens: 50 - gone };
}

/** A `-` follows replies whose calls are all excluded, a `'` those with one excluded call. */
function words(entries: readonly Entry[]): string {
  return entries
    .map((entry) =>
      entry.kind === 'unit'
        ? entry.key + (/^[ty]/.test(entry.key) && !entry.parts.has(1) ? '-' : entry.key.startsWith('m') && !entry.parts.has(2) ? "'" : '')
        : `${entry.kind === 'change' ? '+' : ''}${entry.version}`,
    )
    .join(' ');
}

const NOTHING: ContinuationInput = {
  sent: [],
  alive: 0,
  units: [],
  items: [],
  staying: new Set('abcdefghp'),
  takesItemsAtEnd: true,
  prices: { write: 1.25, read: 0.1 },
  relayout: 'whenItPays',
  forgetsAtOnce: false,
  growthWithout: () => 0,
};

/** The next sequence in words. The cache has all of the last one. */
function next(before: string, change: Partial<ContinuationInput>): string {
  const entries = before === '' ? [] : sent(before);
  return words(continuation({ ...NOTHING, sent: entries, alive: sumTokens(entries), ...change }));
}

describe('the next sequence of the adaptive layout', () => {
  it('begins with the items', () => {
    assert.equal(next('', { units: units('u1'), items: items('a1', 'b1') }), 'a1 b1 u1');
    assert.equal(next('', { units: units('u1', 'r1', 'u2'), items: items('a1') }), 'a1 u1 r1 u2');
  });

  it('goes on behind what was sent', () => {
    assert.equal(next('a1 u1', { units: units('u1', 'r1', 'u2'), items: items('a1') }), 'a1 u1 r1 u2');
  });

  it('tells what is new before the newest message of the user', () => {
    assert.equal(next('a1 u1', { units: units('u1', 'r1', 'u2'), items: items('a1', 'b1') }), 'a1 u1 r1 b1 u2');
    assert.equal(next('a1 u1', { units: units('u1', 'r1', 'u2'), items: items('a2') }), 'a1 u1 r1 +a2 u2');
  });

  it('tells what was picked for the newest message before that, however the rest is laid out', () => {
    const picked = { items: items('p1', 'a1') };
    assert.equal(next('', { units: units('u1'), ...picked }), 'a1 p1 u1');
    assert.equal(next('', { units: units('u1', 'r1', 'u2'), ...picked }), 'a1 u1 r1 p1 u2');
    assert.equal(next('', { units: units('u1', 'r1', 'u2', 'r2'), ...picked }), 'a1 u1 r1 p1 u2 r2');
    assert.equal(next('p1 u1 r1 u2', { units: units('u1', 'r1', 'u2', 'r2', 'u3'), ...picked, alive: 0 }), 'p1 u1 r1 u2 r2 a1 u3');
    assert.equal(next('b1 p1 u1', { units: units('u1', 'r1', 'u2'), ...picked, alive: 0 }), 'a1 u1 r1 p1 u2');
  });

  it('tells it behind the results of a tool loop, or later where the provider takes nothing there', () => {
    const loop = { units: units('u1', 'r1'), items: items('a2'), relayout: 'never' } as const;
    assert.equal(next('a1 u1', loop), 'a1 u1 r1 +a2');
    assert.equal(next('a1 u1', { ...loop, takesItemsAtEnd: false }), 'a1 u1 r1');
    assert.equal(next('a1 u1 r1', { units: units('u1', 'r1', 'u2'), items: items('a2') }), 'a1 u1 r1 +a2 u2');
  });

  it('holds a turn that the user excluded until a relayout, which takes all of it', () => {
    const asked = { units: units('u1', 'r1', '(u2)', '(r2)', 'u3', 'r3', 'u4') };
    assert.equal(next('u1 r1 u2 r2 u3', asked), 'u1 r1 u2 r2 u3 r3 u4');
    assert.equal(next('u1 r1 u2 r2 u3', { ...asked, alive: 0 }), 'u1 r1 u3 r3 u4');
    assert.equal(next('u1 r1 u2 r2 u3', { ...asked, relayout: 'now' }), 'u1 r1 u3 r3 u4');
    assert.equal(next('u1 r1 u2 r2 u3', { ...asked, relayout: 'never', alive: 0 }), 'u1 r1 u2 r2 u3 r3 u4');
    assert.equal(
      next('u1 r1 u3 r3 u4', { units: units('u1', 'r1', '(u2)', '(r2)', 'u3', 'r3', 'u4', 'r4', 'u5') }),
      'u1 r1 u3 r3 u4 r4 u5',
    );
  });

  it('leaves it out at once where the user wants that, also when a request may not begin anew', () => {
    const asked = { units: units('u1', 'r1', '(u2)!', '(r2)!', 'u3', 'r3', 'u4') };
    assert.equal(next('u1 r1 u2 r2 u3', asked), 'u1 r1 u3 r3 u4');
    assert.equal(next('u1 r1 u2 r2 u3', { ...asked, relayout: 'never' }), 'u1 r1 u3 r3 u4');
    assert.equal(next('u1 t1 u2', { units: units('u1', 't1-!', 'u2', 'r2', 'u3') }), 'u1 t1- u2 r2 u3');
  });

  it('leaves out one of the calls of a reply with the others in it, and begins anew there when it comes back', () => {
    const asked = { units: units('u1', "m1'", 'u2', 'r2', 'u3') };
    assert.equal(next('u1 m1 u2', asked), 'u1 m1 u2 r2 u3');
    assert.equal(next('u1 m1 u2', { ...asked, alive: 0 }), "u1 m1' u2 r2 u3");
    assert.equal(next('u1 m1 u2', { ...asked, relayout: 'now' }), "u1 m1' u2 r2 u3");
    assert.equal(next('u1 m1 u2', { ...asked, forgetsAtOnce: true }), "u1 m1' u2 r2 u3");
    assert.equal(next('u1 m1 u2', { units: units('u1', "m1'!", 'u2', 'r2', 'u3') }), "u1 m1' u2 r2 u3");
    assert.equal(next("u1 m1' u2", asked), "u1 m1' u2 r2 u3");
    assert.equal(next("a1 u1 m1' u2", { units: units('u1', 'm1', 'u2', 'r2', 'u3'), items: items('a1') }), 'a1 u1 m1 u2 r2 u3');
  });

  it('leaves a turn out whole: what would begin anew within it takes all of it, and its end is not sent without its beginning', () => {
    const asked = { units: units('u1', 'r1', '(u2)', '(r2)', 'u3'), items: items('a1') };
    assert.equal(next('u1 r1 u2', { ...asked, items: [] }), 'u1 r1 u3');
    assert.equal(next('u1 r1 u2', { ...asked, items: [], relayout: 'never' }), 'u1 r1 u3');
    const left = { units: units('u1', 'r1', '(u2)', '(t2)', '(r2)', 'u3'), staying: new Set<string>() };
    assert.equal(next('u1 r1 u2 t2 b1 r2', left), 'u1 r1 u3');
  });

  it('keeps the replies of an excluded turn whose images are in the next message, until it removes the turn', () => {
    // `x2` has nothing but an image, so the last request has no block of it before `u3`.
    const excluded = { units: units('u1', 'r1', '(u2)', '(x2)', 'u3', 'r3', 'u4'), items: items('a1') };
    assert.equal(next('a1 u1 r1 u2 u3', excluded), 'a1 u1 r1 u2 x2 u3 r3 u4');
    assert.equal(next('a1 u1 r1 u2 u3', { ...excluded, alive: 0 }), 'a1 u1 r1 u3 r3 u4');
    assert.equal(next('a1 u1 r1 u3', excluded), 'a1 u1 r1 u3 r3 u4');
    const between = { units: units('u1', '(u2)', '(x2)', '(r2)', 'u3', 'r3', 'u4') };
    assert.equal(next('u1 u2 r2 u3', between), 'u1 u2 x2 r2 u3 r3 u4');
  });

  it('removes an excluded turn that was sent without one of its replies', () => {
    const excluded = { units: units('u1', 'r1', '(u2)', '(t2)', '(r2)', 'u3', 'r3', 'u4') };
    assert.equal(next('u1 r1 u2 r2 u3', excluded), 'u1 r1 u3 r3 u4');
  });

  it('brings a turn back to its place', () => {
    assert.equal(
      next('u1 r1 u3 r3 u4', { units: units('u1', 'r1', 'u2', 'r2', 'u3', 'r3', 'u4', 'r4', 'u5') }),
      'u1 r1 u2 r2 u3 r3 u4 r4 u5',
    );
  });

  it('tells a change against the last one, and one that was taken back as a change, too', () => {
    assert.equal(next('a1 u1 r1 +a2 u2', { units: units('u1', 'r1', 'u2', 'r2', 'u3'), items: items('a3') }), 'a1 u1 r1 +a2 u2 r2 +a3 u3');
    assert.equal(next('a1 u1 r1 +a2 u2', { units: units('u1', 'r1', 'u2', 'r2', 'u3'), items: items('a1') }), 'a1 u1 r1 +a2 u2 r2 +a1 u3');
  });

  it('sends a copy where the change is no shorter, or all changes together would be longer than the copy', () => {
    const far = { units: units('u1', 'r1', 'u2'), items: items('a12') };
    assert.equal(next('a1 u1', { ...far, relayout: 'never' }), 'a1 u1 r1 a12 u2');
    const often = `a1 u1 ${'+a2 +a1 '.repeat(5)}r1 u2`;
    const asked = { units: units('u1', 'r1', 'u2', 'r2', 'u3'), items: items('a2'), relayout: 'never' } as const;
    assert.equal(next(often, asked), `a1 u1 ${'+a2 +a1 '.repeat(5)}r1 u2 r2 a2 u3`);
  });

  it('sends a copy where nobody can tell what has changed', () => {
    const unknown = items('a2').map((item) => ({ ...item, tokensSince: () => null }));
    assert.equal(next('a1 u1', { units: units('u1', 'r1', 'u2'), items: unknown, relayout: 'never' }), 'a1 u1 r1 a2 u2');
  });

  it('keeps what left the context while the rest is worth more in the cache, and takes it up again for nothing', () => {
    const long = 'a1 b1 u1 r1 u2 r2 u3';
    const on = units('u1', 'r1', 'u2', 'r2', 'u3', 'r3', 'u4');
    assert.equal(next(long, { units: on, items: items('b1') }), `${long} r3 u4`);
    assert.equal(next(long, { units: on, items: items('a1', 'b1') }), `${long} r3 u4`);
  });

  it('leaves it out as soon as the cache has gone cold', () => {
    const on = units('u1', 'r1', 'u2', 'r2', 'u3');
    assert.equal(next('a1 b1 u1 r1 u2', { units: on, items: items('b1'), alive: 0 }), 'b1 u1 r1 u2 r2 u3');
  });

  it('leaves out at once what may not stay, whatever it costs', () => {
    const on = { units: units('u1', 'r1', 'u2', 'r2'), items: items('b1'), staying: new Set<string>(), relayout: 'never' } as const;
    assert.equal(next('a1 b1 u1 r1 u2', on), 'b1 u1 r1 u2 r2');
    assert.equal(next('b1 u1 r1 a1 u2', on), 'b1 u1 r1 u2 r2');
  });

  it('leaves it out where little stands behind it', () => {
    assert.equal(next('b1 u1 a1 c1 u2', { units: units('u1', 'u2', 'r2', 'u3'), items: items('b1') }), 'b1 u1 u2 r2 u3');
  });

  it('never does so in a tool loop', () => {
    assert.equal(
      next('a1 b1 u1 r1 u2', { units: units('u1', 'r1', 'u2', 'r2'), items: items('b1'), alive: 0, relayout: 'never' }),
      'a1 b1 u1 r1 u2 r2',
    );
  });

  it('does so at once when it must, whatever it costs', () => {
    const asked = { units: units('u1', 'r1', 'u2', 'r2'), items: items('b1'), relayout: 'now' } as const;
    assert.equal(next('a1 b1 u1 r1 u2', asked), 'b1 u1 r1 u2 r2');
  });

  it('keeps what it must tell in a loop when it does, also where the provider takes nothing at the end', () => {
    const asked = { units: units('u1', 'r1', 'u2', 'r2'), items: items('a2', 'b1'), relayout: 'now', takesItemsAtEnd: false } as const;
    assert.equal(next('c1 a1 u1 b1 r1 u2', asked), 'b1 a2 u1 r1 u2 r2');
  });

  it('moves the copies up that have not changed, and sends one copy of what has', () => {
    const cold = { units: units('u1', 'r1', 'u2', 'r2', 'u3'), items: items('a3', 'b1', 'c1'), alive: 0 };
    assert.equal(next('a1 b1 u1 r1 +a2 c1 u2', cold), 'b1 c1 u1 r1 u2 r2 a3 u3');
  });

  it('leaves what stands before the relayout where it is', () => {
    const cold = { units: units('u1', 'r1', 'u2', 'r2', 'u3'), items: items('b1', 'a2'), alive: 0 };
    assert.equal(next('b1 u1 a1 r1 +a2 u2', cold), 'b1 u1 r1 u2 r2 a2 u3');
  });

  it('goes on from the place at which the conversation has changed', () => {
    assert.equal(next('a1 u1 r1 +a2 u2 r2 +a3 u3', { units: units('u1', 'r1', 'u9'), items: items('a3') }), 'a1 u1 r1 +a2 +a3 u9');
    assert.equal(next('a1 u1 r1 b1 u2', { units: units('u1', 'r1', 'u9'), items: items('a1', 'b1') }), 'a1 u1 r1 b1 u9');
  });

  it('does not take a reply of which nothing was sent for a change', () => {
    const on = { units: units('u1', 'x1', 'u2', 'r2', 'u3'), items: items('a1') };
    assert.equal(next('a1 u1 u2', on), 'a1 u1 x1 u2 r2 u3');
    assert.equal(next('a1 u1 x1 u2', on), 'a1 u1 x1 u2 r2 u3');
  });

  it('keeps at a summary what stands before the conversation, and moves up what stood in it', () => {
    const summarized = { units: units('summary', 'r2', 'u3'), items: items('a1', 'b1', 'c2') };
    assert.equal(next('a1 u1 r1 b1 c1 u2 r2 +c2 u3', summarized), 'a1 b1 summary r2 c2 u3');
  });

  it('places the newest message anew when it is sent again, behind what has changed meanwhile', () => {
    assert.equal(next('b1 u1 r1 u2', { units: units('u1', 'r1', 'u2'), items: items('b2') }), 'b1 u1 r1 +b2 u2');
    assert.equal(next('b1 u1 r1 u2', { units: units('u1', 'r1', 'u2'), items: items('b1') }), 'b1 u1 r1 u2');
  });

  it('carries forgotten tool calls while the rest is worth more in the cache', () => {
    const long = 'u1 t1 r1 u2 r2 u3 r3 u4';
    const on = { units: units('u1', 't1-', 'r1', 'u2', 'r2', 'u3', 'r3', 'u4', 'r4', 'u5') };
    assert.equal(next(long, on), `${long} r4 u5`);
  });

  it('leaves them out when the cache has gone cold, when it must, or where little stands behind them', () => {
    const on = { units: units('u1', 't1-', 'r1', 'u2') };
    const short = 'u1 t1- r1 u2';
    assert.equal(next('u1 t1 r1', { ...on, alive: 0 }), short);
    assert.equal(next('u1 t1 r1', { ...on, relayout: 'now' }), short);
    assert.equal(next('u1 t1', on), short);
    assert.equal(next('u1 y1 r1', { units: units('u1', 'y1-', 'r1', 'u2'), alive: 0 }), 'u1 y1- r1 u2');
  });

  it('leaves them out at once where the chat wants that, but not in a tool loop', () => {
    const long = 'u1 t1 r1 u2 r2 u3 r3 u4';
    const on = { units: units('u1', 't1-', 'r1', 'u2', 'r2', 'u3', 'r3', 'u4', 'r4', 'u5'), forgetsAtOnce: true };
    assert.equal(next(long, on), 'u1 t1- r1 u2 r2 u3 r3 u4 r4 u5');
    assert.equal(next(long, { ...on, relayout: 'never' }), `${long} r4 u5`);
  });

  it('keeps them out', () => {
    const on = { units: units('u1', 't1-', 'r1', 'u2', 'r2', 'u3') };
    assert.equal(next('u1 t1- r1 u2', on), 'u1 t1- r1 u2 r2 u3');
    const silent = { units: units('u1', 'y1-', 'r1', 'u2', 'r2', 'u3') };
    assert.equal(next('u1 r1 u2', silent), 'u1 y1- r1 u2 r2 u3');
  });

  it('takes them up again where they were, and writes what follows anew', () => {
    const plan = continuation({
      ...NOTHING,
      sent: sent('u1 t1- a1 r1 u2'),
      alive: 1e6,
      units: units('u1', 't1', 'r1', 'u2', 'r2', 'u3'),
      items: items('a1'),
    });
    assert.equal(words(plan), 'u1 a1 t1 r1 u2 r2 u3');
    assert.equal(next('u1 r1 u2', { units: units('u1', 'y1', 'r1', 'u2', 'r2', 'u3') }), 'u1 y1 r1 u2 r2 u3');
  });

  it('goes on behind 10,000 entries', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `u${String(at)} ${at % 10 === 0 ? `+a${String(at)}` : `r${String(at)}`}`).join(
      ' ',
    );
    const before = sent(`a0 ${many}`);
    const said = before.flatMap((entry) => (entry.kind === 'unit' ? [entry.key] : []));
    const plan = continuation({ ...NOTHING, sent: before, alive: 1e6, units: units(...said, 'u99999'), items: items('a9') });
    assert.equal(plan.length, before.length + 2);
  });
});
