import assert from 'node:assert/strict';
import { ElicitDialogs } from '../../../src/host/tools/elicitDialogs.js';
import { shownText } from '../../../src/host/tools/shownText.js';
import type { ElicitField, ElicitRequest } from '../../../src/tools/mcp/elicitation.js';
import type { McpInput } from '../../../src/tools/mcp/config/mcpInputs.js';
import { accept, back, cancel, check, pick, ScriptedWizard, type, type Action } from './providers/scriptedWizard.js';
import { column, columns } from '../../support/columns.js';

const NEVER = new AbortController().signal;
const base = { description: null, isRequired: true };
const NAME: ElicitField = {
  ...base,
  name: 'name',
  title: 'Your name',
  description: 'as on the door',
  type: 'text',
  format: null,
  minLength: 1,
  maxLength: null,
  initial: null,
};
const AGE: ElicitField = {
  ...base,
  name: 'age',
  title: 'Age',
  isRequired: false,
  type: 'number',
  isInteger: true,
  minimum: 0,
  maximum: null,
  initial: 42,
};
const AGREED: ElicitField = { ...base, name: 'agreed', title: 'Agreed', type: 'boolean', initial: null };
const COLOR: ElicitField = {
  ...base,
  name: 'color',
  title: 'Color',
  isRequired: false,
  type: 'choice',
  choices: [
    { value: 'r', label: 'Red' },
    { value: 'g', label: 'Green' },
  ],
  initial: 'g',
};
const PETS: ElicitField = {
  ...base,
  name: 'pets',
  title: 'Pets',
  type: 'choices',
  choices: [
    { value: 'cat', label: 'Cats' },
    { value: 'dog', label: 'Dogs' },
  ],
  minItems: 1,
  maxItems: null,
  initial: ['dog'],
};

const FORM: ElicitRequest = { kind: 'form', message: 'Who are you?', fields: [NAME, AGE, AGREED, COLOR, PETS] };

describe('the dialogs of MCP servers', () => {
  let wizard: ScriptedWizard;
  let opened: string[];

  const dialogs = (...script: readonly Action[]): ElicitDialogs => {
    wizard = new ScriptedWizard(script);
    opened = [];
    return new ElicitDialogs({
      wizard: () => wizard,
      open: (url) => {
        opened.push(url);
        return Promise.resolve(true);
      },
    });
  };

  describe('for a form', () => {
    it('ask for consent, then for each field, and say which server asks', async () => {
      const asked = dialogs(pick('Answer'), type('Ada'), accept, pick('Yes'), pick('Green'), accept);
      const answer = await asked.elicit('docs', FORM, NEVER);
      assert.deepEqual(answer, { action: 'accept', content: { name: 'Ada', age: 42, agreed: true, color: 'g', pets: ['dog'] } });
      assert.deepEqual(columns(wizard.shown, 'step', 'text', 'choices'), [
        [
          '1/6',
          'Who are you?',
          ['Answer | What you enter goes to the server. Enter no passwords or keys.', 'Refuse | Loupe informs the server that you refuse'],
        ],
        ['2/6', 'Your name: as on the door', []],
        ['3/6', 'Age (optional)', []],
        ['4/6', 'Agreed', ['Yes', 'No']],
        ['5/6', 'Color (optional)', ['Red', 'Green | suggested', 'No value']],
        ['6/6', 'Pets', ['Cats', 'Dogs']],
      ]);
    });

    it('leave out what has no value', async () => {
      const answer = await dialogs(pick('Answer'), type('Ada'), type(''), pick('No'), pick('No value'), check('Cats')).elicit(
        'docs',
        FORM,
        NEVER,
      );
      assert.deepEqual(answer, { action: 'accept', content: { name: 'Ada', agreed: false, pets: ['cat'] } });
    });

    it('go back to what was entered', async () => {
      const form: ElicitRequest = { kind: 'form', message: 'Who?', fields: [NAME, AGE] };
      const answer = await dialogs(pick('Answer'), type('Ada'), back, accept, type('7')).elicit('docs', form, NEVER);
      assert.deepEqual(answer, { action: 'accept', content: { name: 'Ada', age: 7 } });
      assert.equal(wizard.shown[3]?.value, 'Ada');
    });

    it('keep out what the server does not take', async () => {
      await assert.rejects(dialogs(pick('Answer'), type('')).elicit('docs', FORM, NEVER), /Enter a value/);
      await assert.rejects(dialogs(pick('Answer'), type('Ada'), type('1.5')).elicit('docs', FORM, NEVER), /Enter a whole number/);
    });

    it('tell a refusal from a dialog that was closed', async () => {
      assert.deepEqual(await dialogs(pick('Refuse')).elicit('docs', FORM, NEVER), { action: 'decline' });
      assert.deepEqual(await dialogs(cancel).elicit('docs', FORM, NEVER), { action: 'cancel' });
      assert.deepEqual(await dialogs(pick('Answer'), cancel).elicit('docs', FORM, NEVER), { action: 'cancel' });
    });
  });

  describe('for a page', () => {
    const page = (finished: AbortSignal | null): ElicitRequest => ({
      kind: 'url',
      message: 'Log in',
      url: 'https://login.example/a?b=c',
      finished,
    });

    it('show its whole address, and open it only with consent', async () => {
      assert.deepEqual(await dialogs(pick('Open login.example')).elicit('docs', page(null), NEVER), { action: 'accept', content: {} });
      assert.deepEqual(opened, ['https://login.example/a?b=c']);
      assert.equal(wizard.shown[0]?.choices[0], 'Open login.example | https://login.example/a?b=c');
      assert.deepEqual(await dialogs(pick('Refuse')).elicit('docs', page(null), NEVER), { action: 'decline' });
      assert.deepEqual(opened, []);
    });

    it('wait for the user, or for the server that says that it has what it needs', async () => {
      const open = new AbortController();
      assert.deepEqual(await dialogs(pick('Open login.example'), pick('Continue')).elicit('docs', page(open.signal), NEVER), {
        action: 'accept',
        content: {},
      });
      assert.deepEqual(await dialogs(pick('Open login.example'), cancel).elicit('docs', page(open.signal), NEVER), { action: 'cancel' });
      open.abort();
      assert.deepEqual(await dialogs(pick('Open login.example'), cancel).elicit('docs', page(open.signal), NEVER), {
        action: 'accept',
        content: {},
      });
    });
  });

  describe('for an input', () => {
    const input: McpInput = { id: 'token', description: 'The token', options: null, initial: null, isPassword: true };

    it('hide what is secret, and take no empty value', async () => {
      assert.equal(await dialogs(type('abc')).ask('docs', input, NEVER), 'abc');
      assert.deepEqual([wizard.shown[0]?.password, wizard.shown[0]?.text], [true, 'The token']);
      assert.equal(await dialogs(cancel).ask('docs', input, NEVER), null);
      await assert.rejects(dialogs(type('')).ask('docs', input, NEVER), /Enter a value/);
    });

    it('offer what may be picked', async () => {
      const options = [
        { label: 'Low', value: 'l' },
        { label: 'High', value: 'h' },
      ];
      assert.equal(await dialogs(pick('High')).ask('docs', { ...input, options, isPassword: false }, NEVER), 'h');
    });
  });

  it('come one after the other, and not at all when nobody waits any more', async () => {
    const asked = dialogs(pick('Refuse'), pick('Answer'), type('Ada'), type('7'));
    const gone = new AbortController();
    const form: ElicitRequest = { kind: 'form', message: 'Second', fields: [NAME, AGE] };
    const answers = [asked.elicit('a', FORM, NEVER), asked.elicit('b', FORM, gone.signal), asked.elicit('c', form, NEVER)];
    gone.abort();
    assert.deepEqual(column(await Promise.all(answers), 'action'), ['decline', 'cancel', 'accept']);
    assert.equal(wizard.left, 0);
  });

  it('let nobody wait for the question of another server who does not want the answer any more', async () => {
    const unanswered = new Promise<never>(() => undefined);
    const asked = new ElicitDialogs({
      wizard: () => ({ pick: () => unanswered, pickMany: () => unanswered, input: () => unanswered }),
      open: () => Promise.resolve(true),
    });
    void asked.elicit('a', FORM, NEVER);
    const gone = new AbortController();
    const token: McpInput = { id: 'token', description: 'The token', options: null, initial: null, isPassword: true };
    const second = asked.ask('b', token, gone.signal);
    gone.abort();
    assert.equal(await second, null);
  });

  it('show what hides in a text of a server', () => {
    assert.equal(shownText('a\u202eb\u0000\nc $(alert)'), 'a[U+202E]b[U+0000] c $\u200b(alert)');
    assert.equal(shownText('x'.repeat(1_001)).length, 1_001);
  });
});
