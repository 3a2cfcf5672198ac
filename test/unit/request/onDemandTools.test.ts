import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { ToolReference } from '../../../src/engine/model/part.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import { PrefixHash } from '../../../src/engine/request/prefixHash.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import type { Request, RequestInput } from '../../../src/engine/request/request.js';
import { forgottenReplies } from '../../../src/engine/request/toolMemory.js';
import { FIND_TOOLS } from '../../../src/engine/tools/findTools.js';
import { column } from '../../support/columns.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { OPEN_MODEL, TOOLLESS_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { RecordedChat, requestOf } from '../../support/engine/requests.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import type { ToolNameRule } from '../../../src/engine/model/model.js';

function offered(name: string, description: string): OfferedTool {
  const definition = { type: 'toolDefinition', name: `git__${name}`, description, schema: { type: 'object' }, isRetired: false } as const;
  return { key: `tool:git/${name}`, definition };
}

const LOG = offered('log', 'Shows commits.');
const READ = offered('read file', 'Reads a file.');
const STATUS = offered('status', 'Says what has changed.');
const ONE = characters.count('git__log\nShows commits.\n{"type":"object"}');
const { perTool } = OPEN_MODEL.capabilities.framing;
const reference = (name: string): ToolReference => ({ type: 'toolReference', name });

function search(...names: readonly string[]): SentMessage[] {
  return [
    assistant('s', { ...call('c', { query: 'git' }), name: FIND_TOOLS }),
    results('r', { ...result('c', ...names.map(reference)), name: FIND_TOOLS }),
  ];
}

const BASE = { tools: [LOG, READ, STATUS], onDemand: new Set([LOG.key, READ.key]), messages: [user('u', 'What is new?')] };

const SEARCHED = { messages: [...BASE.messages, ...search('git__log')] };

function request(change: Partial<RequestInput>): Request {
  return requestOf({ ...BASE, ...change }, new BlockFactory(characters, sha256));
}

function resultIn({ prompt }: Request): unknown {
  return promptBlocks(prompt).find(({ role }) => role === 'tool-results')?.part;
}

describe('tools on demand in a request', () => {
  it('stand behind the others and the search, each deferred and without tokens', () => {
    const { prompt, onDemand } = request({});
    assert.deepEqual(
      prompt.tools.map(({ key, item, tokens, part }) => [key, item, tokens > 0, 'isDeferred' in part]),
      [
        ['tool:git/status', 'tool:git/status', true, false],
        ['findTools:2', null, true, false],
        ['deferred:tool:git/log', 'tool:git/log', false, true],
        ['deferred:tool:git/read file', 'tool:git/read file', false, true],
      ],
    );
    assert.deepEqual(column(onDemand.definitions, 'name'), ['git__log', 'git__read file']);
    assert.equal(onDemand.loaded.size, 0);
    assert.equal(request({ onDemand: new Set() }).prompt.tools.length, 3, 'no search where nothing is to be found');
  });

  it('count where they are loaded, and nowhere else', () => {
    const before = request({});
    const after = request(SEARCHED);
    const call = promptBlocks(after.prompt).find(({ part }) => part.type === 'toolCall');
    const framing = 2 * OPEN_MODEL.capabilities.framing.perMessage + perTool;
    assert.equal(after.size.counted - before.size.counted, (call?.tokens ?? 0) + ONE + framing);
    assert.deepEqual([...after.onDemand.loaded], [['git__log', ONE]]);
    assert.deepEqual(after.prompt.tools, before.prompt.tools);
  });

  it('leave the prefix as it was when they are loaded', () => {
    const hashOf = ({ prompt }: Request, blocks: number): string => new PrefixHash(promptBlocks(prompt).slice(0, blocks), sha256).value;
    const before = request({});
    const { length } = promptBlocks(before.prompt);
    assert.equal(hashOf(request(SEARCHED), length), hashOf(before, length));
  });

  it('are loaded under the names that are sent', () => {
    const model = withCapabilities(OPEN_MODEL, { toolNames: { characters: 'a-z_', first: null, maxLength: 64 } });
    const { prompt, toolNames, onDemand } = request({ model, messages: [...BASE.messages, ...search('git__read file')] });
    const [[own, sent] = []] = toolNames;
    assert.equal(own, 'git__read file');
    const part = promptBlocks(prompt).find(({ role }) => role === 'tool-results')?.part;
    assert.deepEqual(part?.type === 'toolResult' ? part.content : null, [reference(sent ?? '')]);
    const deferred = prompt.tools.find(({ part: tool }) => 'name' in tool && tool.name === sent);
    assert.equal(deferred?.tokens, 0);
    assert.deepEqual([...onDemand.loaded.keys()], ['git__read file']);
  });

  it('are text in a result that loads what the request does not offer on demand', () => {
    const told = [{ type: 'text', text: '(The tool git__log was loaded here.)' }];
    for (const change of [{ tools: [STATUS, READ] }, { onDemand: new Set([READ.key]) }, { onDemand: new Set<string>() }]) {
      const part = resultIn(request({ ...SEARCHED, ...change }));
      assert.deepEqual((part as { content: unknown }).content, told);
    }
    const asText = request({ ...SEARCHED, model: TOOLLESS_MODEL });
    assert.deepEqual([asText.prompt.tools.length, asText.onDemand.definitions.length], [0, 0]);
  });

  it('are listed once while they stay the same', () => {
    const factory = new BlockFactory(characters, sha256);
    const list = (tools: readonly OfferedTool[]): unknown => requestOf({ ...BASE, tools }, factory).prompt.tools[1];
    assert.equal(list(BASE.tools), list(BASE.tools));
    const changed = [offered('log', 'Shows all commits.'), READ, STATUS];
    assert.deepEqual(list(changed), requestOf({ ...BASE, tools: changed }, new BlockFactory(characters, sha256)).prompt.tools[1]);
  });

  it('are rebuilt to the byte', async () => {
    const chat = new RecordedChat();
    chat.send(BASE);
    const { attempt, prompt } = chat.send({ ...BASE, ...SEARCHED });
    assert.deepEqual(await chat.rebuild(attempt), prompt);
  });

  it('stay loaded, whatever the tool memory forgets', () => {
    const read = [assistant('a', call('d', {})), results('b', result('d'))];
    const messages = [
      ...SEARCHED.messages,
      ...read,
      assistant('e', 'Done.'),
      user('v', 'Go on'),
      assistant('f', 'Done.'),
      user('w', 'Go on'),
    ];
    assert.deepEqual([...forgottenReplies(messages, { forgetAfterConclusions: 0, pinned: new Set() }, false)], ['a']);
  });
});

function describedAs(description: string): OfferedTool {
  const definition = { type: 'toolDefinition', name: 'git__read file', description, schema: { type: 'object' }, isRetired: false } as const;
  return { key: 'tool:git/read file', definition };
}

function chat() {
  const counted: string[] = [];
  const counter: TokenCounter = {
    ...characters,
    count: (text) => {
      counted.push(...(text.includes('"object"') ? [text.split('\n')[1] ?? ''] : []));
      return characters.count(text);
    },
  };
  const factory = new BlockFactory(counter, sha256);
  const request = (tool: OfferedTool, toolNames: ToolNameRule | null): Request =>
    requestOf({ model: withCapabilities(OPEN_MODEL, { toolNames }), tools: [tool] }, factory);
  return { counted, request };
}

const ANY = null;
const LONG = { characters: 'a-z_', first: null, maxLength: 64 };
const SHORT = { characters: 'a-z_', first: null, maxLength: 16 };

describe('the definition of an offered tool', () => {
  it('is counted once while the tool stays the same, and once more under the name that is sent', () => {
    const { counted, request } = chat();
    const tool = describedAs('Reads.');
    const first = request(tool, LONG);
    assert.deepEqual(request(tool, LONG), first);
    assert.deepEqual(counted, ['Reads.', 'Reads.']);
  });

  it('is another one once its server has changed the tool', () => {
    const { request } = chat();
    request(describedAs('Reads.'), LONG);
    const changed = describedAs('Reads a file.');
    assert.deepEqual(request(changed, LONG), chat().request(changed, LONG));
  });

  it('has the name that each model takes', () => {
    const { request } = chat();
    const tool = describedAs('Reads.');
    for (const rule of [LONG, SHORT, ANY, LONG]) {
      assert.deepEqual(request(tool, rule), chat().request(tool, rule));
    }
  });
});
