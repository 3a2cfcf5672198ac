import { entries, MODEL_GONE, TOO_LONG, type Numbers, type Texts } from './entry.js';

/** An error of VS Code or of the extension that provides a model. */
interface ModelError {
  /** The model, as the subject of a sentence. */
  readonly model: string;
  /** The error's message; empty if the error has no message. */
  readonly words: string;
}

const withWords = (sentence: string, words: string): string => (words === '' ? sentence : `${sentence} (${words})`);
const failed = ({ model, words }: ModelError): string => `${model} failed${words === '' ? '.' : `: ${words}`}`;

/** Models that cannot be found, and VS Code's models that do not answer. */
export const MODEL_FAILURES = {
  ...entries(MODEL_GONE, {
    'model.notAvailable': ({ key, remedy }: Texts<'key' | 'remedy'>) => `${key} is no longer available. ${remedy}`,
    'vscode.notOffered': ({ label }: Texts<'label'>) => `"${label}" is no longer available in VS Code. Choose another model.`,
  }),
  ...entries('invalidInput', {
    'model.unknown': ({ key }: Texts<'key'>) => `The model ${key} is not available.`,
  }),
  ...entries('timeout', {
    'vscode.silent': ({ name, minutes }: Texts<'name'> & Numbers<'minutes'>) => `"${name}" sent nothing for ${minutes} minutes.`,
  }),
  ...entries('protocol', {
    'vscode.badCount': ({ name }: Texts<'name'>) => `"${name}" reported an invalid token count.`,
    'vscode.noList': ({ words }: Texts<'words'>) => `VS Code could not list its language models: ${words}`,
  }),
};

/** Errors that VS Code and the extensions that provide its models throw. */
export const LANGUAGE_MODEL_FAILURES = {
  ...entries('auth', {
    'vscode.noPermission': ({ model, words }: ModelError) =>
      withWords(
        `Loupe has no permission to use ${model}. Allow it with the command "Manage Language Model Access..." (also in the Accounts menu), or when VS Code asks at the next message.`,
        words,
      ),
  }),
  ...entries('rateLimit', {
    // VS Code's API documentation, and its most used provider, use this error if a request quota is used up for now.
    'vscode.blocked': ({ model, words }: ModelError) => withWords(`${model} is not accepting requests right now.`, words),
    'vscode.rateLimited': ({ model, words }: ModelError) => withWords(`${model}: Rate limit reached.`, words),
    'vscode.tooManyRequests': failed,
  }),
  ...entries(MODEL_GONE, {
    'vscode.modelGone': ({ model, words }: ModelError) => withWords(`${model} is no longer available. Choose another model.`, words),
  }),
  ...entries('refused', {
    // The quota is restored only after days, so an early retry would fail again.
    'vscode.quota': ({ model, words }: ModelError) => withWords(`Your quota for ${model} is used up. Choose another model.`, words),
  }),
  ...entries('incomplete', {
    // The user did not cancel: VS Code cancels running requests when the model's extension stops.
    'vscode.cancelled': ({ model, words }: ModelError) => withWords(`The reply of ${model} broke off.`, words),
  }),
  ...entries(TOO_LONG, { 'vscode.tooLong': failed }),
  ...entries('overloaded', { 'vscode.overloaded': failed }),
  ...entries('network', { 'vscode.network': failed }),
  ...entries('protocol', {
    // An unrecognized error is not retried: most such errors, for example too many tools, recur with the same request.
    'vscode.failed': failed,
    'vscode.defect': ({ model }: ModelError) =>
      `${model} sent no reply that Loupe can read. The extension that provides the model has a defect. See Details.`,
  }),
};
