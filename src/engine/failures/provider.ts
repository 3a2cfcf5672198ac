import { entries, NEEDS_KEY, type Numbers, type Texts } from './entry.js';

const time = (seconds: number): string => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

/** The configuration of a provider, and its answers where they are not what its protocol says. */
export const PROVIDER_FAILURES = {
  ...entries('invalidInput', {
    'provider.badHeader': ({ label, name }: Texts<'label' | 'name'>) => `The header "${name}" configured for ${label} cannot be sent.`,
    'provider.badHeaders': ({ label }: Texts<'label'>) => `A header that is configured for ${label} holds characters that none may have.`,
    'setup.keyNoText': 'The key of a provider is a text.',
    'setup.keyEmpty': 'The key is empty. "Loupe: Remove API Key" takes a key away.',
    'setup.keyCharacters': 'A key has no spaces, line ends or special letters.',
    'setup.notAdded': ({ faults }: Texts<'faults'>) => `The provider was not added: ${faults}`,
    'setup.noProvider': 'No provider is set up yet. "Loupe: Add Provider" sets one up.',
    'setup.unknownProvider': ({ id }: Texts<'id'>) => `There is no provider ${id}.`,
    'setup.takesNoKey': ({ label }: Texts<'label'>) => `${label} takes no key in Loupe.`,
    'settings.noList': 'loupe.providers in your settings is no list, so nothing can be added to it. Correct it there first.',
  }),
  ...entries(NEEDS_KEY, {
    'provider.badKey': ({ label }: Texts<'label'>) => `The key of ${label} holds characters that no key has. Enter it again.`,
    'provider.keyUnknown': ({ label }: Texts<'label'>) => `VS Code's secret storage failed, so the key of ${label} is not known.`,
    'provider.keyOfOtherAddress': ({ label, given, now }: Texts<'label' | 'given' | 'now'>) =>
      `The key of ${label} was given for ${given}, and its address is now ${now}.`,
    'provider.keyNotGiven': ({ why }: Texts<'why'>) => `${why} Set the key to go on.`,
  }),
  ...entries('protocol', {
    'provider.redirects': ({ label, place }: Texts<'label' | 'place'>) =>
      `${label} sends requests on to ${place}. Loupe does not follow, since the key would go there too. If that is the right address, make it the base URL.`,
    'provider.noSuchStatus': ({ label, status }: Texts<'label'> & Numbers<'status'>) =>
      `${label} answered with the status ${status}, which HTTP has not.`,
    'provider.tooLarge': ({ label, what }: Texts<'label' | 'what'>) => `${label} sent ${what}. The answer was stopped there.`,
    'provider.noStream': ({ label, instead }: Texts<'label' | 'instead'>) =>
      `${label} did not stream its reply but sent ${instead}. Check its base URL.`,
    'provider.noReply': ({ label, instead }: Texts<'label' | 'instead'>) => `${label} answered, but not with a reply: it sent ${instead}.`,
    'provider.badStream': ({ what }: Texts<'what'>) => `The reply does not follow the protocol: it holds ${what}.`,
    'provider.notJson': ({ label }: Texts<'label'>) => `${label} sent an answer that is not valid JSON.`,
    'provider.unreadable': ({ label, words }: Texts<'label' | 'words'>) => `${label} sent an answer that cannot be read: ${words}`,
    'provider.noCount': ({ label }: Texts<'label'>) => `${label} answered, but not with a count of tokens.`,
    'provider.cannotCount': ({ label }: Texts<'label'>) => `${label} cannot count tokens: its protocol has no request for that.`,
    'provider.noModelList': ({ label }: Texts<'label'>) => `${label} offers no list of its models.`,
    'provider.notModelList': ({ label }: Texts<'label'>) => `${label} answered, but not with a list of models.`,
    'provider.endlessModelList': ({ label }: Texts<'label'>) => `The list of models of ${label} does not end.`,
    'local.status': ({ url, status }: Texts<'url'> & Numbers<'status'>) => `${url} answered with status ${status}.`,
    'local.notJson': ({ url }: Texts<'url'>) => `${url} did not answer with JSON.`,
    'local.tooLarge': ({ url, mebibytes }: Texts<'url'> & Numbers<'mebibytes'>) => `${url} answered with more than ${mebibytes} MiB.`,
    'local.noList': ({ url }: Texts<'url'>) => `${url} did not answer with a list of models.`,
  }),
  ...entries('cancelled', {
    'provider.restNotNeeded': 'The rest of the answer is not needed.',
    'local.searchStopped': 'The search was stopped.',
  }),
  ...entries('incomplete', {
    'provider.brokeOff': ({ label }: Texts<'label'>) => `The connection to ${label} broke off before the answer was complete.`,
  }),
  ...entries('timeout', {
    // An SDK takes "timed out" in an error for a limit of its own, and loses the error.
    'provider.noAnswer': ({ label, seconds }: Texts<'label'> & Numbers<'seconds'>) => `${label} did not answer within ${time(seconds)}.`,
    'provider.silent': ({ label, seconds }: Texts<'label'> & Numbers<'seconds'>) =>
      `${label} sent nothing more for ${time(seconds)}; the answer is not complete.`,
    'local.noAnswer': ({ url, seconds }: Texts<'url'> & Numbers<'seconds'>) => `${url} did not answer within ${seconds} seconds.`,
  }),
  ...entries('network', { 'local.unreachable': ({ url }: Texts<'url'>) => `${url} cannot be reached.` }),
};
