import assert from 'node:assert/strict';
import type { NextRequestView } from '../../src/protocol/panel/view.js';
import { DIALECTS } from '../support/faults/dialects.js';
import { useHouses, type House } from '../support/faults/house.js';
import { turn, until } from '../support/host/clocks.js';
import { json } from '../support/http/answers.js';

/** More than the waits between a key and a count. */
const STEPS = 20;

const COUNTED = 4_321;

describe('a draft', () => {
  const houses = useHouses();
  const [anthropic] = DIALECTS;

  async function type(house: House, text: string, edit: number): Promise<void> {
    const tokens = (): number => house.shown.nextRequest?.totalTokens ?? 0;
    const before = tokens();
    await house.test.say({ type: 'draft', chatId: house.session.id, text, edit });
    await until(() => tokens() !== before, 'the draft is part of the next request');
    for (let step = 0; step < STEPS; step += 1) {
      house.clock.step();
      await turn();
    }
  }

  function allow(house: House, countsTokens: boolean): void {
    house.settings.configs = house.settings.configs.map((config) => ({ ...config, countsTokens }));
    house.providers.update();
  }

  const next = (house: House): NextRequestView => {
    const { nextRequest } = house.shown;
    assert.ok(nextRequest);
    return nextRequest;
  };

  const sent = (): string[] => houses.server.requests.map(({ request }) => `${request.path} ${request.body.toString('utf8')}`);

  it('leaves this computer only while the user lets the provider count, and the panel says which it is', async () => {
    assert.ok(anthropic);
    const house = await houses.open(anthropic, {});
    await type(house, 'my secret draft', 1);
    assert.deepEqual(sent(), []);
    assert.deepEqual(next(house).providerCount, { label: 'House AI', isOn: false, switchable: 'house' });

    houses.server.play(...json(200, { input_tokens: COUNTED }));
    allow(house, true);
    await type(house, 'my secret draft, a little longer', 2);
    await until(() => next(house).totalTokens === COUNTED, 'the count has come');
    assert.equal(sent().length, 1);
    assert.match(sent()[0] ?? '', /^\/v1\/messages\/count_tokens .*my secret draft, a little longer/);
    assert.deepEqual(
      [next(house).basis, next(house).providerCount],
      ['providerCount', { label: 'House AI', isOn: true, switchable: 'house' }],
    );

    allow(house, false);
    await type(house, 'my secret draft, again longer than it was before', 3);
    assert.deepEqual([sent().length, next(house).basis], [1, 'estimate']);
  });
});
