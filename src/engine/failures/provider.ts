import { entries, NEEDS_KEY, NOTHING_TO_ACT_ON, WRONG_ADDRESS, type Numbers, type Texts } from './entry.js';

const time = (seconds: number): string => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

/** Failures of a provider's configuration, and of responses that break its protocol. */
export const PROVIDER_FAILURES = {
  ...entries('invalidInput', {
    'provider.badHeader': ({ label, name }: Texts<'label' | 'name'>) =>
      `The header "${name}" of ${label} has an invalid name or value. Correct the header in the settings.`,
    'setup.keyNoText': 'The API key must be text.',
    'setup.keyEmpty': 'Enter a key. To delete the stored key, use "Loupe: Remove API Key".',
    'setup.keyCharacters': 'Keys contain only letters, digits and symbols, no spaces.',
    'setup.notAdded': ({ faults }: Texts<'faults'>) => `The provider was not added: ${faults}`,
    'setup.unknownModel': ({ label, id }: Texts<'label' | 'id'>) => `${label} has no model ${id} in the settings.`,
    'setup.unknownProvider': ({ id }: Texts<'id'>) => `The provider ${id} does not exist.`,
    'embeddings.unknownProvider': ({ id }: Texts<'id'>) =>
      `loupe.embeddings names the provider ${id}, which is not in loupe.providers. Correct one of these two settings.`,
    'embeddings.otherProtocol': ({ label }: Texts<'label'>) =>
      `${label} has no embeddings: its protocol is not openai-compatible. Name another provider in loupe.embeddings.`,
    'settings.noList': 'loupe.providers in your settings is not a list. Correct it, then add the provider again.',
  }),
  ...entries(NOTHING_TO_ACT_ON, {
    'setup.noProvider': 'No provider is set up yet. Use "Loupe: Add Provider".',
    'setup.takesNoKey': ({ label }: Texts<'label'>) => `${label} needs no key.`,
  }),
  ...entries(NEEDS_KEY, {
    'provider.badKey': ({ label }: Texts<'label'>) => `The key of ${label} contains invalid characters. Enter the key again.`,
    'provider.keyUnknown': ({ label }: Texts<'label'>) => `VS Code's secret storage failed. The key of ${label} could not be read.`,
    'provider.keyOfOtherAddress': ({ label, given, now }: Texts<'label' | 'given' | 'now'>) =>
      `The address of ${label} changed from ${given} to ${now}, so Loupe did not send the stored key.`,
    'provider.keyNotGiven': ({ why }: Texts<'why'>) => `${why} Loupe sends no request until you enter the key again.`,
  }),
  ...entries(
    { kind: 'protocol', ...WRONG_ADDRESS },
    {
      'provider.redirects': ({ label, place }: Texts<'label' | 'place'>) =>
        `${label} redirects to ${place}. Loupe does not follow the redirect, to protect your key. If that address is right, use it as the base URL.`,
      'provider.page': ({ label }: Texts<'label'>) => `${label} sent a web page instead of an answer. Check the base URL. See Details.`,
      'provider.noReply': ({ label }: Texts<'label'>) => `${label} sent something that Loupe cannot read as a reply. See Details.`,
      'provider.badStream': ({ what }: Texts<'what'>) => `The reply does not follow the protocol: it contains ${what}.`,
      'provider.notJson': ({ label }: Texts<'label'>) => `${label} sent an answer that is not valid JSON. See Details.`,
    },
  ),
  ...entries('protocol', {
    'provider.tooLarge': ({ label, what }: Texts<'label' | 'what'>) => `${label} sent ${what}. Loupe stopped reading.`,
    'provider.noCount': ({ label }: Texts<'label'>) => `${label} sent no token count.`,
    'provider.cannotCount': ({ label }: Texts<'label'>) => `${label} cannot count tokens: its protocol does not support it.`,
    'provider.badEmbeddings': ({ label, what }: Texts<'label' | 'what'>) => `${label} sent no usable embeddings: ${what}.`,
    'provider.noModelList': ({ label }: Texts<'label'>) => `${label} offers no list of its models.`,
    'provider.notModelList': ({ label }: Texts<'label'>) => `${label} sent no list of models.`,
    'provider.endlessModelList': ({ label }: Texts<'label'>) => `${label} sent an endless list of models.`,
    'local.noList': ({ address, label }: Texts<'address' | 'label'>) =>
      `The server at ${address} is not ${label}: it sent no list of models.`,
  }),
  ...entries('cancelled', {
    'provider.restNotNeeded': 'Loupe closed the connection, because Loupe does not need the rest of the response.',
  }),
  ...entries('incomplete', {
    'provider.emptyReply': ({ label }: Texts<'label'>) => `${label} sent an empty reply.`,
    'provider.endedUntold': ({ label }: Texts<'label'>) =>
      `${label} ended the reply without marking it as complete. A part of the reply may be missing.`,
    'provider.brokeOff': ({ label }: Texts<'label'>) => `The reply broke off: the connection to ${label} closed too early.`,
  }),
  ...entries('timeout', {
    'embeddings.late': ({ label, seconds }: Texts<'label'> & Numbers<'seconds'>) =>
      `${label} did not send its embeddings within ${time(seconds)}.`,
    'provider.noAnswer': ({ label, seconds }: Texts<'label'> & Numbers<'seconds'>) => `${label} did not answer within ${time(seconds)}.`,
    'provider.silent': ({ label, seconds }: Texts<'label'> & Numbers<'seconds'>) =>
      `${label} sent nothing for ${time(seconds)}. The reply is incomplete.`,
  }),
};
