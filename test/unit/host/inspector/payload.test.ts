import assert from 'node:assert/strict';
import type { HeldBlock } from '../../../../src/host/inspector/heldRequest.js';
import { PayloadLines } from '../../../../src/host/inspector/payloadLines.js';
import { payloadPlaces } from '../../../../src/host/inspector/inspected.js';
import type { BlockRole, WirePart } from '../../../../src/engine/model/block.js';
import { convert as convertAnthropic } from '../../../../src/providers/anthropic/convert.js';
import { convert as convertOpenAi } from '../../../../src/providers/openaiCompatible/convert.js';
import { BlockFactory } from '../../../../src/engine/request/blockFactory.js';
import { promptBlocks } from '../../../../src/engine/model/prompt.js';
import { assistant, call, result, results, text, user } from '../../../support/engine/messages.js';
import { characters, sha256 } from '../../../support/engine/ports.js';
import { PLAIN, requestOf } from '../../../support/engine/requests.js';

const all = (lines: PayloadLines): string[] => lines.read(0, lines.count, Infinity).map((line) => line.text);

describe('The lines of a payload', () => {
  it('add line breaks and indentation between values, and change nothing else', () => {
    const body = '{"a":[1.0,{"b":"x,{\\"}\\\\"},[],{}],"c\\u0041":"\u2028","d":{}}';
    const lines = all(new PayloadLines(body));
    assert.deepEqual(lines, [
      '{',
      '  "a":[',
      '    1.0,',
      '    {',
      '      "b":"x,{\\"}\\\\"',
      '    },',
      '    [],',
      '    {}',
      '  ],',
      '  "c\\u0041":"\u2028",',
      '  "d":{}',
      '}',
    ]);
    assert.equal(lines.map((line) => line.trimStart()).join(''), body);
  });

  it('are cut where they are long, and say by how much', () => {
    assert.deepEqual(new PayloadLines(`{"a":"${'x'.repeat(100)}"}`).read(1, 2, 10), [{ text: '  "a":"xxxxx', cut: 96 }]);
  });

  it('around a text are those of its object, or of the message that holds nothing else', () => {
    const body = JSON.stringify({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'one' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'two' },
            { type: 'text', text: 'three' },
          ],
        },
      ],
    });
    const lines = new PayloadLines(body);
    const around = (words: string): string =>
      lines
        .read(...lines.around(body.indexOf(`"${words}"`)), Infinity)
        .map((line) => line.text.trimStart())
        .join('');
    assert.equal(around('one'), '{"role":"user","content":[{"type":"text","text":"one"}]},');
    assert.equal(around('two'), '{"type":"text","text":"two"},');
  });
});

describe('The places of blocks in a payload', () => {
  const held = (blocks: readonly { readonly role: BlockRole; readonly part: WirePart }[]): HeldBlock[] =>
    blocks.map((block) => ({
      ...{
        key: '',
        hash: '',
        category: 'conversation',
        item: null,
        form: 'full',
        tokens: 1,
        tier: 'active',
        breakpoint: null,
        problem: null,
        isPending: false,
      },
      ...block,
    }));

  for (const [name, convert] of [
    ['Anthropic', convertAnthropic],
    ['OpenAI', convertOpenAi],
  ] as const) {
    it(`are found for every block, equal texts in turn (${name})`, () => {
      const { prompt, params, model } = requestOf(
        {
          ...PLAIN,
          systemPrompt: 'Be brief.',
          tools: [
            {
              key: 'tool:files/write',
              definition: {
                type: 'toolDefinition',
                name: 'write',
                description: 'Writes a file.',
                schema: { type: 'object' },
                isRetired: false,
              },
            },
          ],
          messages: [
            user('u', 'user'),
            assistant('a', 'user', { ...call('c', { path: 'a.md' }), name: 'write' }),
            results('r', { ...result('c', text('No space left.')), name: 'write', isError: true }),
            user('v', 'user'),
          ],
        },
        new BlockFactory(characters, sha256),
      );
      const { body } = convert(model, prompt, params, new Map());
      const blocks = held(promptBlocks(prompt));
      const places = payloadPlaces(body, blocks);
      const areFound = places.every((place) => place !== null);
      assert.ok(areFound, JSON.stringify(places));
      assert.equal(new Set(places).size, places.length, 'each has a place of its own');
      const said = places.filter((_, at) => blocks[at]?.part?.type === 'text' && blocks[at].part.text === 'user');
      assert.equal(said.length, 3);
      const sorted = said.toSorted((a, b) => a - b);
      assert.deepEqual(said, sorted);
      assert.ok(said.every((place) => /^"(?:text|content)":"user"/.test(body.slice(place))));
    });
  }
});
