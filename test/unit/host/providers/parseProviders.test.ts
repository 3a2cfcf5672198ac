import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VSCODE_PROVIDER_PREFIX } from '../../../../src/host/models/languageModels/providerIds.js';
import { parseProvider, parseProviders } from '../../../../src/host/models/providers/parseProviders.js';
import { isReserved } from '../../../../src/host/models/providers/providerConfig.js';
import { rawProvider } from '../../../../src/host/models/providers/providerSettings.js';
import { PRACTICE_PROVIDER } from '../../../../src/providers/practice/models.js';
import { column } from '../../../support/columns.js';
import { depth } from '../../../support/depth.mjs';
import { inRuns } from '../../../support/forAll.js';

const MINIMAL = { id: 'cloud', protocol: 'openai-compatible', baseUrl: 'https://example.com/v1' };

const FULL = {
  ...MINIMAL,
  label: 'Cloud',
  headers: { 'x-team': 'maps' },
  keyHeader: 'authorization',
  silenceSeconds: 30,
  countsTokens: true,
  models: [
    {
      id: 'vendor/big:7b',
      label: 'Big',
      maxInputTokens: 128_000,
      maxOutputTokens: 8_192,
      prices: {
        ...{ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
        longPrompts: [{ above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 }],
        serviceTiers: {
          priority: {
            ...{ input: 6, output: 30, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 },
            longPrompts: [{ above: 200_000, input: 12, output: 45, cacheRead: 1.2, cacheWrite5m: 15, cacheWrite1h: 24 }],
          },
        },
      },
      capabilities: { images: false, cache: { kind: 'none' }, framing: { perRequest: 1, perMessage: 2, perTool: 3 } },
      extraBody: { temperature: 0, nested: { list: [1, null, 'x'] } },
    },
  ],
};

const one = (value: unknown): ReturnType<typeof parseProvider> => parseProvider(value, 'p');
const problemsOf = (value: unknown): readonly string[] => one(value).problems;
const withModel = (model: object): object => ({ ...MINIMAL, models: [{ id: 'm', ...model }] });

describe('a provider in the settings', () => {
  it('needs id, protocol and address; everything else has a default', () => {
    assert.deepEqual(one(MINIMAL), {
      provider: { ...MINIMAL, label: 'cloud', headers: {}, keyHeader: null, silenceSeconds: 120, countsTokens: false, models: [] },
      problems: [],
      warning: null,
    });
    const { provider } = one(withModel({}));
    assert.deepEqual(provider?.models, [
      { id: 'm', label: 'm', maxInputTokens: null, maxOutputTokens: null, prices: null, capabilities: {}, extraBody: {} },
    ]);
  });

  it('is read with all that it can have', () => {
    assert.deepEqual(one(FULL), { provider: FULL, problems: [], warning: null });
  });

  it('is the same after it was written and read again', () => {
    const { provider } = one(FULL);
    assert.ok(provider);
    assert.deepEqual(one(JSON.parse(JSON.stringify(rawProvider(provider)))).provider, provider);
  });

  it('without what it needs is left out, and each missing member is named', () => {
    for (const name of ['id', 'protocol', 'baseUrl'] as const) {
      const { [name]: _gone, ...rest } = MINIMAL;
      const { provider, problems } = one(rest);
      assert.equal(provider, null, name);
      assert.equal(problems.length, 1);
      assert.ok((problems[0] ?? '').startsWith(`p.${name} is missing.`), problems[0]);
    }
  });

  it('loses an optional member that is not valid, and nothing else', () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ label: 7 }, 'p.label is invalid; expected text, not empty.'],
      [{ keyHeader: 'x-key' }, 'p.keyHeader is invalid; expected one of x-api-key, authorization.'],
      [{ silenceSeconds: 0 }, 'p.silenceSeconds is invalid; expected a number of seconds, from 1 to 300.'],
      [{ silenceSeconds: '9' }, 'p.silenceSeconds is invalid; expected a number of seconds, from 1 to 300.'],
      [{ headers: [] }, 'p.headers is invalid; expected an object of header names and values.'],
      [{ headers: { 'x-team': 7 } }, 'p.headers.x-team is invalid; expected one line of text.'],
      [{ headers: { 'x-team': 'a\nb' } }, 'p.headers.x-team is invalid; expected one line of text.'],
      [{ models: {} }, 'p.models is invalid; expected a list of models.'],
      [{ modles: [] }, 'p.modles is unknown.'],
    ];
    for (const [members, problem] of cases) {
      assert.deepEqual(one({ ...MINIMAL, ...members }), { provider: one(MINIMAL).provider, problems: [problem], warning: null });
    }
  });

  it('keeps its other models when one is not valid', () => {
    const { provider, problems } = one({ ...MINIMAL, models: [7, { label: 'x' }, { id: 'good' }] });
    assert.deepEqual(column(provider?.models, 'id'), ['good']);
    assert.deepEqual(problems, ['p.models[0] is invalid; expected an object with the id of a model.', 'p.models[1].id is missing.']);
  });

  it('names each wrong figure of a model, and has the model without it', () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ maxInputTokens: -1.5 }, 'p.models[0].maxInputTokens is invalid; expected a whole number above 0.'],
      [{ maxOutputTokens: '8k' }, 'p.models[0].maxOutputTokens is invalid; expected a whole number above 0.'],
      [
        { prices: { input: -1, output: 1 } },
        'p.models[0].prices.input is invalid; expected a number, 0 or more (US dollars per million tokens).',
      ],
      [{ prices: { input: 1 } }, 'p.models[0].prices.output is missing.'],
      [{ prices: 3 }, 'p.models[0].prices is invalid; expected an object with input and output, in US dollars per million tokens.'],
      [{ capabilities: { images: 'yes' } }, 'p.models[0].capabilities.images is invalid; expected true or false.'],
      [{ capabilities: { framing: { perRequest: 1, perMessage: 1 } } }, 'p.models[0].capabilities.framing.perTool is missing.'],
      [
        { capabilities: { cache: { kind: 'marks', most: 4, minimumTokens: 0, lookBack: null, lifetimes: ['5m', '30m'] } } },
        'p.models[0].capabilities.cache must not mix 30m with other lifetimes: 30m uses another kind of breakpoint.',
      ],
      [
        { capabilities: { cache: { kind: 'marks', most: 4, minimumTokens: 0, lookBack: 20, lifetimes: ['1h', '5m'] } } },
        'p.models[0].capabilities.cache must name its lifetimes once each, the shortest first.',
      ],
      [
        { capabilities: { cache: { kind: 'marks', most: 0, minimumTokens: 0, lookBack: 20, lifetimes: ['1h'] } } },
        'p.models[0].capabilities.cache.most is invalid; expected a whole number above 0.',
      ],
      [
        { capabilities: { cache: { kind: 'sometimes' } } },
        'p.models[0].capabilities.cache.kind is invalid; expected marks, automatic, none or unknown as kind.',
      ],
      [{ capabilities: { smell: true } }, 'p.models[0].capabilities.smell is unknown.'],
      [{ extraBody: 'x' }, 'p.models[0].extraBody is invalid; expected an object with members of the request body.'],
    ];
    for (const [members, problem] of cases) {
      assert.deepEqual(one(withModel(members)), { provider: one(withModel({})).provider, problems: [problem], warning: null });
    }
  });

  it('keeps the prices that are right when one of the cache is wrong', () => {
    const { provider } = one(withModel({ prices: { input: 2, output: 8, cacheRead: 'x' } }));
    assert.equal(provider?.models[0]?.prices?.cacheRead, 2);
  });

  it('has cached tokens at the price of input unless they have their own', () => {
    const pricesOf = (prices: object): unknown => one(withModel({ prices })).provider?.models[0]?.prices;
    assert.deepEqual(pricesOf({ input: 2, output: 8 }), { input: 2, output: 8, cacheRead: 2, cacheWrite5m: 2, cacheWrite1h: 2 });
    assert.deepEqual(pricesOf({ input: 2, output: 8, cacheRead: 0, cacheWrite5m: 3 }), {
      input: 2,
      output: 8,
      cacheRead: 0,
      cacheWrite5m: 3,
      cacheWrite1h: 3,
    });
  });

  it('has the prices of long prompts by rising length, and names a wrong one', () => {
    const rates = (input: number): object => ({ input, output: 8, cacheRead: input, cacheWrite5m: input, cacheWrite1h: input });
    const longPrompts = [
      { above: 400_000, input: 6, output: 8 },
      { above: 200_000, input: 4, output: 8 },
    ];
    assert.deepEqual(one(withModel({ prices: { input: 2, output: 8, longPrompts } })).provider?.models[0]?.prices, {
      ...rates(2),
      longPrompts: [
        { above: 200_000, ...rates(4) },
        { above: 400_000, ...rates(6) },
      ],
    });
    const mixed = [{ input: 4, output: 8 }, ...longPrompts.slice(1), { above: 0, input: 9, output: 9 }, 'free'];
    const wrong = one(withModel({ prices: { input: 2, output: 8, longPrompts: mixed } }));
    assert.deepEqual(wrong.provider?.models[0]?.prices, { ...rates(2), longPrompts: [{ above: 200_000, ...rates(4) }] });
    assert.deepEqual(wrong.problems.map((problem) => problem.split(' ')[0]).toSorted(), [
      'p.models[0].prices.longPrompts[0].above',
      'p.models[0].prices.longPrompts[2].above',
      'p.models[0].prices.longPrompts[3]',
    ]);
  });

  it('has the prices of tiers, and leaves out one that is wrong', () => {
    const serviceTiers = { priority: { input: 4, output: 16 }, flex: { input: 1 } };
    const { provider, problems } = one(withModel({ prices: { input: 2, output: 8, serviceTiers } }));
    const rates = { cacheRead: 4, cacheWrite5m: 4, cacheWrite1h: 4 };
    assert.deepEqual(provider?.models[0]?.prices?.serviceTiers, { priority: { input: 4, output: 16, ...rates } });
    assert.deepEqual(problems, ['p.models[0].prices.serviceTiers.flex.output is missing.']);
  });

  it('cannot take an id with a slash, or one that Loupe uses itself', () => {
    for (const id of ['a/b', '', 'x y', 'ä', 'a'.repeat(101), 7]) {
      assert.match(problemsOf({ ...MINIMAL, id })[0] ?? '', /^p\.id is invalid; expected 1 to 100 letters/, String(id));
    }
    for (const id of [PRACTICE_PROVIDER, `${VSCODE_PROVIDER_PREFIX}copilot`]) {
      assert.ok(isReserved(id));
      assert.deepEqual(one({ ...MINIMAL, id }), {
        provider: null,
        problems: ['p.id is reserved by Loupe. Choose another ID.'],
        warning: null,
      });
    }
  });

  it('has an address without a slash at its end', () => {
    assert.equal(one({ ...MINIMAL, baseUrl: 'https://example.com/v1//' }).provider?.baseUrl, 'https://example.com/v1');
    assert.equal(one({ ...MINIMAL, baseUrl: ' https://example.com ' }).provider?.baseUrl, 'https://example.com');
    for (const rest of ['?', '#', '/?#']) {
      assert.equal(one({ ...MINIMAL, baseUrl: `https://example.com/v1${rest}` }).provider?.baseUrl, 'https://example.com/v1');
    }
    assert.equal(one({ ...MINIMAL, baseUrl: 'http://[::1]:8080/v1/' }).provider?.baseUrl, 'http://[::1]:8080/v1');
  });

  it('refuses an address that has a key in it, or is none, and quotes nothing of it', () => {
    for (const baseUrl of [
      'https://user:the-key@example.com',
      'https://the-key@example.com',
      'https://example.com/?key=the-key',
      'https://example.com/#the-key',
      'the-key',
      'ftp://the-key',
    ]) {
      const { provider, problems } = one({ ...MINIMAL, baseUrl });
      assert.equal(provider, null, baseUrl);
      assert.match(problems[0] ?? '', /^p\.baseUrl /);
      assert.ok(!problems.join('').includes('the-key'));
    }
  });

  it('warns of an address that is not encrypted, unless it is on this computer', () => {
    const isWarned = (baseUrl: string): boolean => {
      const { provider, problems, warning } = one({ ...MINIMAL, baseUrl });
      assert.ok(provider, baseUrl);
      assert.deepEqual(problems, [], baseUrl);
      return warning?.startsWith('Check p.baseUrl. A connection with http:// is not encrypted') === true;
    };
    for (const baseUrl of [
      'http://example.com',
      'http://192.168.0.9:11434/v1',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
    ]) {
      assert.equal(isWarned(baseUrl), true, baseUrl);
    }
    for (const baseUrl of [
      'https://example.com',
      'http://127.0.0.1:1/v1',
      'http://localhost:11434',
      'http://[::1]:1',
      'http://127.9.9.9',
    ]) {
      assert.equal(isWarned(baseUrl), false, baseUrl);
    }
  });

  it('sends no headers that carry keys, and quotes none', () => {
    for (const name of [
      'Authorization',
      'proxy-authorization',
      'x-api-key',
      'X-Goog-Api-Key',
      'api-key',
      'apikey',
      'Cookie',
      'x-auth-token',
    ]) {
      const { provider, problems } = one({ ...MINIMAL, headers: { [name]: 'the-key', 'x-team': 'maps' } });
      assert.deepEqual(provider?.headers, { 'x-team': 'maps' }, name);
      assert.deepEqual(problems, [
        `Loupe does not send p.headers.${name}, because this header contains a key. Enter keys with "Loupe: Set API Key".`,
      ]);
    }
    assert.deepEqual(one({ ...MINIMAL, headers: { 'anthropic-beta': 'x', 'HTTP-Referer': 'y', 'x-keyboard': 'z' } }).problems, []);
    assert.deepEqual(one({ ...MINIMAL, headers: { 'bad name': 'x' } }).provider?.headers, {});
  });

  it('whatever it is, is read without throwing, and what was read is valid', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(1, 'x', true, null, {}, []));
    const model = fc.record(
      { id: fc.oneof(fc.string(), value), prices: value, maxInputTokens: value, capabilities: value, extraBody: value },
      { requiredKeys: [] },
    );
    const provider = fc.record(
      {
        id: fc.constantFrom('a', 'b', 7),
        protocol: fc.constantFrom('anthropic', 'x'),
        baseUrl: fc.constantFrom('https://a', 'x'),
        headers: value,
        label: value,
        models: fc.oneof(value, fc.array(model)),
      },
      { requiredKeys: [] },
    );
    inRuns(depth({ short: 100, deep: 2_500 })).forAll(fc.array(fc.oneof(provider, value)), (values) => {
      const { providers } = parseProviders(values, 'p');
      assert.deepEqual(parseProviders(JSON.parse(JSON.stringify(providers.map(rawProvider))), 'p'), { providers, problems: [] });
    });
  });
});

describe('the list of providers', () => {
  it('keeps the first of two with the same id, and of two models', () => {
    const { providers, problems } = parseProviders(
      [
        { ...MINIMAL, models: [{ id: 'm', label: 'first' }, { id: 'm' }] },
        { ...MINIMAL, label: 'second' },
      ],
      'p',
    );
    const found = providers.map(({ label, models }) => [label, models.map((model) => model.label)]);
    assert.deepEqual(found, [['cloud', ['first']]]);
    assert.deepEqual(problems, [
      'p[0].models[1].id is already used by p[0].models[0]. Loupe ignores this model. Choose another ID.',
      'p[1].id is already used by p[0]. Loupe ignores this provider. Choose another ID.',
    ]);
  });

  it('is empty without one', () => {
    assert.deepEqual(parseProviders(undefined, 'p'), { providers: [], problems: [] });
  });
});
