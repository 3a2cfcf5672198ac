import { entries, MODEL_GONE, TOO_LONG, type Numbers, type Texts } from './entry.js';

/** What VS Code or the extension that brings a model said; empty where it said nothing. */
interface Said {
  /** The model, as the subject of a sentence. */
  readonly model: string;
  readonly words: string;
}

const withWords = (sentence: string, words: string): string => (words === '' ? sentence : `${sentence} (${words})`);
const failed = ({ model, words }: Said): string => `${model} failed${words === '' ? '.' : `: ${words}`}`;

/** Models that are not to be found, and models of VS Code that give no answer. */
export const MODEL_FAILURES = {
  ...entries(MODEL_GONE, {
    'model.notAvailable': ({ key, remedy }: Texts<'key' | 'remedy'>) => `The model ${key} is not available. ${remedy}`,
    'vscode.notOffered': ({ label }: Texts<'label'>) =>
      `VS Code does not offer the model "${label}" any more. Choose another one below the message.`,
  }),
  ...entries('invalidInput', {
    'model.unknown': ({ key }: Texts<'key'>) => `The model ${key} is not available.`,
  }),
  ...entries('timeout', {
    'vscode.silent': ({ name, minutes }: Texts<'name'> & Numbers<'minutes'>) => `"${name}" has said nothing for ${minutes} minutes.`,
  }),
  ...entries('protocol', {
    'vscode.badCount': ({ name }: Texts<'name'>) => `"${name}" counted tokens, but not in numbers that make sense.`,
    'vscode.noList': ({ words }: Texts<'words'>) => `VS Code could not list its language models: ${words}`,
  }),
};

/** What VS Code and the extensions that bring models into it throw. */
export const LANGUAGE_MODEL_FAILURES = {
  ...entries('auth', {
    'vscode.noPermission': ({ model, words }: Said) =>
      withWords(
        `Loupe may not use ${model}. Allow it with the command "Manage Language Model Access..." (also in the Accounts menu), or when VS Code asks at the next message.`,
        words,
      ),
  }),
  ...entries('rateLimit', {
    // The API's documentation and its widest used provider both mean a quota of requests that is used up for now.
    'vscode.blocked': ({ model, words }: Said) => withWords(`${model} takes no requests of Loupe for now.`, words),
    'vscode.rateLimited': ({ model, words }: Said) => withWords(`${model} gets too many requests.`, words),
    'vscode.tooManyRequests': failed,
  }),
  ...entries(MODEL_GONE, {
    'vscode.modelGone': ({ model, words }: Said) =>
      withWords(`${model} is not there any more. Choose another model below the message.`, words),
  }),
  ...entries('refused', {
    // A used-up allowance comes back after days: sending again soon would only fail again.
    'vscode.quota': ({ model, words }: Said) => withWords(`The allowance for ${model} is used up.`, words),
  }),
  ...entries('incomplete', {
    // Not by the user: VS Code cancels what runs when the model's extension goes away.
    'vscode.cancelled': ({ model, words }: Said) => withWords(`${model} broke off its reply.`, words),
  }),
  ...entries(TOO_LONG, { 'vscode.tooLong': failed }),
  ...entries('overloaded', { 'vscode.overloaded': failed }),
  ...entries('network', { 'vscode.network': failed }),
  ...entries('protocol', {
    // Not retried by itself when nothing is recognized: most such failures, such as a request with too many tools, come
    // again with the same request.
    'vscode.failed': failed,
  }),
};
