import assert from 'node:assert/strict';
import { priceListEntry, loadPriceList, type PriceList } from '../../../../src/providers/priceList/priceList.js';

describe('an entry of the price list', () => {
  const entry = (prices: Parameters<typeof priceListEntry>[0]['prices']): ReturnType<typeof priceListEntry> =>
    priceListEntry({ provider: 'Cloud', contextWindow: 9, prices });

  it('has each price of its own', () => {
    assert.deepEqual(
      entry({
        input_mtok: 3,
        output_mtok: 15,
        cache_read_mtok: 0.3,
        cache_write_mtok: 3.75,
        cache_write_1h_mtok: 6,
        web_searches_kcount: 10,
      }),
      {
        contextWindow: 9,
        prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
        note: 'Price of Cloud from a public list. Check the price.',
      },
    );
  });

  it('has cached tokens at the price of input when the list has none', () => {
    assert.deepEqual(entry({ input_mtok: 3, output_mtok: 15 }).prices, {
      input: 3,
      output: 15,
      cacheRead: 3,
      cacheWrite5m: 3,
      cacheWrite1h: 3,
    });
    assert.equal(entry({ input_mtok: 3, output_mtok: 15, cache_write_mtok: 4 }).prices?.cacheWrite1h, 4);
  });

  it('has the prices of long prompts, each from the length on that the list says', () => {
    const { prices } = entry({
      input_mtok: { base: 3, tiers: [{ start: 200_000, price: 6 }] },
      output_mtok: {
        base: 15,
        tiers: [
          { start: 200_000, price: 22.5 },
          { start: 400_000, price: 30 },
        ],
      },
      cache_read_mtok: 0.3,
    });
    const cached = { cacheRead: 0.3, cacheWrite5m: 6, cacheWrite1h: 6 };
    assert.deepEqual(prices, {
      ...{ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3, cacheWrite1h: 3 },
      longPrompts: [
        { above: 200_000, input: 6, output: 22.5, ...cached },
        { above: 400_000, input: 6, output: 30, ...cached },
      ],
    });
  });

  it('has price unknown without those of input and output', () => {
    assert.equal(entry({ input_mtok: 3 }).prices, null);
    assert.equal(entry({ output_mtok: 3 }).prices, null);
  });
});

describe('the price list', () => {
  let catalog: PriceList;
  const fetched: unknown[] = [];
  const { fetch: realFetch } = globalThis;
  before(async () => {
    globalThis.fetch = (input) => {
      fetched.push(input);
      return Promise.reject(new Error('no network'));
    };
    catalog = await loadPriceList(new Date('2026-06-01T12:00:00Z'));
  });
  after(() => {
    globalThis.fetch = realFetch;
  });

  it('knows a model at its own provider', () => {
    const entry = catalog('gpt-4o', 'https://api.openai.com/v1');
    assert.deepEqual(entry, {
      contextWindow: 128_000,
      prices: { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite5m: 2.5, cacheWrite1h: 2.5 },
      note: 'Price of OpenAI from a public list. Check the price.',
    });
    assert.deepEqual(catalog('claude-sonnet-4-0', 'https://api.anthropic.com')?.prices, {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
    });
  });

  it('takes the price of the address before that of the name', () => {
    assert.match(catalog('anthropic/claude-sonnet-4.5', 'https://openrouter.ai/api/v1')?.note ?? '', /OpenRouter/);
  });

  it('knows a model behind an address it does not know, as a gateway has', () => {
    assert.equal(catalog('gpt-4o', 'http://127.0.0.1:4000/v1')?.prices?.input, 2.5);
  });

  it('takes the prices of the day', async () => {
    const early = await loadPriceList(new Date('2026-01-01T00:00:00Z'));
    assert.deepEqual(early('claude-sonnet-4-6', 'https://api.anthropic.com')?.prices?.longPrompts, [
      { above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 },
    ]);
    assert.equal(catalog('claude-sonnet-4-6', 'https://api.anthropic.com')?.prices?.longPrompts, undefined);
  });

  it('does not know what is not in it', () => {
    assert.equal(catalog('no-such-model-anywhere', 'https://example.com'), null);
    assert.equal(catalog('', ''), null);
  });

  it('fetches nothing', () => {
    assert.deepEqual(fetched, []);
  });
});
