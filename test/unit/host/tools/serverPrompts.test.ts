import assert from 'node:assert/strict';
import { failure } from '../../../../src/engine/errors.js';
import { type FilledBlanks, fillBlanks } from '../../../../src/host/tools/prompts/fillBlanks.js';
import { failedPrompt } from '../../../../src/host/tools/prompts/failedPrompt.js';
import { type ServerPrompts, promptMessage, promptRows } from '../../../../src/host/tools/prompts/promptFinder.js';
import { ServerLists } from '../../../../src/host/tools/serverLists.js';
import type { McpPrompt } from '../../../../src/tools/mcp/config/mcpEntries.js';
import { type Action, ScriptedWizard, accept, back, cancel, pick, type } from '../providers/scriptedWizard.js';
import { column, columns } from '../../../support/columns.js';
import { noCommands } from '../../../support/host/noCommands.js';

const prompt = (name: string, change: Partial<McpPrompt>): McpPrompt => ({ name, title: null, description: null, blanks: [], ...change });

const offers = (name: string, change: Partial<ServerPrompts>): ServerPrompts => ({
  ...{ server: { name, status: 'running', problem: null, signInState: 'none' }, items: [], isReading: false, problem: null },
  ...change,
});

const rowsOf = (text: string, ...servers: readonly ServerPrompts[]): ReturnType<typeof promptRows> =>
  promptRows(text, noCommands(), { files: [], servers });

describe('the prompts of servers', () => {
  describe('behind a /', () => {
    const docs = offers('docs', {
      items: [prompt('review', { title: 'Review', description: 'Reads a change' }), prompt('sum-up', { description: 'In one line' })],
    });
    const names = (text: string, ...servers: readonly ServerPrompts[]): readonly string[] =>
      rowsOf(text, ...servers).rows.map(({ name }) => name);

    it('have the name of their server, with their title and description', () => {
      const [first] = rowsOf('', docs).rows;
      assert.deepEqual(first, {
        ...{ key: 'prompt:docs/review', kind: 'prompt', name: 'docs:review', about: 'Review: Reads a change' },
        ...{ matches: [], isIn: false, tokens: null, problem: null },
      });
    });

    it('are found by server, name and title, but not by single letters: a line may begin with a command', () => {
      const others = offers('data', { items: [prompt('rows', {})] });
      assert.deepEqual(names('', docs, others), ['data:rows', 'docs:review', 'docs:sum-up']);
      assert.deepEqual(names('sum', docs, others), ['docs:sum-up']);
      assert.deepEqual(names('DATA:', docs, others), ['data:rows']);
      assert.deepEqual(names('dw', docs, others), []);
    });

    it('of a server that does not run show when the user starts it: typing starts nothing', () => {
      const [stopped, failed, starting] = (['stopped', 'failed', 'starting'] as const).map((status) =>
        offers(status, { server: { name: status, status, problem: status === 'failed' ? 'It ended.' : null, signInState: 'none' } }),
      );
      assert.ok(stopped !== undefined && failed !== undefined && starting !== undefined);
      const { rows, notes } = rowsOf('', docs, stopped, failed, starting);
      assert.deepEqual(columns(rows, 'key', 'kind', 'name', 'about').slice(2), [
        ['stopped', 'server', 'stopped', 'not running. Start the server to see its prompts'],
        ['failed', 'server', 'failed', 'failed. Start the server again to see its prompts'],
        ['failed', 'serverLog', 'failed', 'show why the server does not run'],
      ]);
      assert.deepEqual(notes, ['failed: It ended.', 'Starting starting…']);
      const wants = { name: 'tickets', status: 'failed', problem: 'The server wants you to sign in.', signInState: 'wanted' } as const;
      const asked = rowsOf('', offers('tickets', { server: wants }));
      assert.deepEqual(column(asked.rows, 'about'), ['sign in to see its prompts', 'show why the server does not run']);
      assert.deepEqual(asked.notes, ['tickets: The server wants you to sign in.']);
    });

    it('come with what is to be known of servers that tell none', () => {
      const servers = [docs, offers('slow', { isReading: true }), offers('broken', { problem: 'The server "broken" does not run.' })];
      assert.deepEqual(rowsOf('', ...servers).notes, ['Asking slow for its prompts…', 'The server "broken" does not run.']);
      assert.deepEqual(rowsOf('bro', ...servers).notes, ['The server "broken" does not run.']);
      assert.deepEqual(rowsOf('tool', ...servers).notes, []);
    });
  });

  it('name their server when they fail, with its log and a new start, or a sign-in where that is missing', () => {
    const actions = (signInState: 'none' | 'wanted'): unknown =>
      columns(failedPrompt({ name: 'docs', signInState }, failure('mcp.promptGone')).actions, 'label', 'action', 'argument');
    assert.deepEqual(actions('none'), [
      ['Show log', 'showServerLog', 'docs'],
      ['Start again', 'restartServer', 'docs'],
      ['Dismiss', 'dismiss', ''],
    ]);
    assert.deepEqual(actions('wanted'), [
      ['Sign in', 'signInServer', 'docs'],
      ['Show log', 'showServerLog', 'docs'],
      ['Dismiss', 'dismiss', ''],
    ]);
  });

  describe('as text', () => {
    it('name the speakers of a conversation only', () => {
      const ask = { role: 'user', text: 'Why?' } as const;
      assert.equal(promptMessage([ask, { role: 'user', text: '' }, { role: 'user', text: 'Say.' }]).text, 'Why?\n\nSay.');
      assert.equal(promptMessage([ask, { role: 'assistant', text: 'Because.' }]).text, 'User: Why?\n\nAssistant: Because.');
    });

    it('tell what is left out', () => {
      const image = 'image (image/png, 3 KiB)';
      assert.deepEqual(
        promptMessage([
          { role: 'user', noText: image },
          { role: 'user', text: 'Look' },
        ]),
        { text: 'Look', skipped: [image] },
      );
    });
  });

  describe('with blanks', () => {
    const BLANKS = [
      { name: 'city', description: 'Name of the city', isRequired: true },
      { name: 'state', description: null, isRequired: false },
    ];
    const asked: string[] = [];
    let wizard: ScriptedWizard;
    const fill = (suggestions: Record<string, readonly string[]>, ...script: readonly Action[]): Promise<FilledBlanks | null> => {
      wizard = new ScriptedWizard(script);
      asked.length = 0;
      const suggest = (name: string, filled: FilledBlanks): Promise<readonly string[]> => {
        asked.push(`${name} ${JSON.stringify(filled)}`);
        return Promise.resolve(suggestions[name] ?? []);
      };
      return fillBlanks('docs:weather', BLANKS, { questions: wizard, suggest });
    };

    it('are asked for one by one; what may be left out is', async () => {
      assert.deepEqual(await fill({}, type('Oslo'), type('')), { city: 'Oslo' });
      assert.deepEqual(columns(wizard.shown, 'step', 'text'), [
        ['1/2', 'city: Name of the city'],
        ['2/2', 'state (optional)'],
      ]);
      await assert.rejects(fill({}, type('')), /Enter a value/);
    });

    it('can be gone back to, and given up', async () => {
      assert.deepEqual(await fill({}, type('Oslo'), back, accept, type('Viken')), { city: 'Oslo', state: 'Viken' });
      assert.equal(await fill({}, type('Oslo'), cancel), null);
    });

    it('have what the server suggests, by what is filled in; another value can be entered', async () => {
      const suggestions = { city: ['Oslo', 'Bergen'], state: ['Viken'] };
      assert.deepEqual(await fill(suggestions, pick('Bergen'), pick('No value')), { city: 'Bergen' });
      assert.deepEqual(asked, ['city {}', 'state {"city":"Bergen"}']);
      assert.deepEqual(wizard.shown[1]?.choices, ['Viken', 'Another value…', 'No value']);
      assert.deepEqual(await fill(suggestions, pick('Another value…'), type('Hamar'), pick('Viken')), { city: 'Hamar', state: 'Viken' });
    });
  });

  describe('in lists', () => {
    const docs = { name: 'docs', identity: 'docs 1' };

    it('are kept for a while, and read anew where that failed', async () => {
      let now = 0;
      const results = [
        () => ['a'],
        () => ['b'],
        (): string[] => {
          throw failure('mcp.notMcp');
        },
        () => ['c'],
      ];
      const lists = new ServerLists<typeof docs, string>(() => Promise.resolve().then(() => results.shift()?.() ?? []), { now: () => now });
      let changes = 0;
      const read = async (): Promise<readonly string[]> => {
        await lists.refresh([docs], () => (changes += 1));
        return lists.of(docs).items;
      };
      assert.deepEqual([await read(), await read(), changes], [['a'], ['a'], 1]);
      now = 60_000;
      const reading = lists.refresh([docs], () => undefined);
      assert.deepEqual(lists.of(docs), { items: ['a'], isReading: true, problem: null });
      let seen = 0;
      const second = lists.refresh([docs], () => (seen += 1));
      await Promise.all([reading, second]);
      assert.equal(seen, 1, 'who asks while it is read is told, too');
      assert.deepEqual(lists.of(docs).items, ['b']);
      now = 120_000;
      assert.deepEqual(await read(), []);
      assert.match(lists.of(docs).problem ?? '', /does not speak MCP/);
      assert.deepEqual(await read(), ['c']);
      assert.deepEqual(lists.of({ ...docs, identity: 'docs 2' }).items, [], 'a server that is configured anew is another one');
    });
  });
});
