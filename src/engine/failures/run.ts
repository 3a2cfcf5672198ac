import { entries, type Numbers, type Texts } from './entry.js';

/** Failures of requests that the provider did not cause, failures of tools, and defects of Loupe. */
export const RUN_FAILURES = {
  ...entries('internal', {
    'internal.defect': ({ text }: Texts<'text'>) => text,
    'internal.viewOutOfStep': ({ view, reason }: Texts<'view' | 'reason'>) =>
      `${view} lost its state. Loupe sent the whole state again. ${reason}`,
    'internal.unexpected': ({ text }: Texts<'text'>) => `Loupe failed unexpectedly: ${text}`,
  }),
  ...entries('invalidInput', {
    'internal.panelMessage': ({ reason }: Texts<'reason'>) => `A view of Loupe sent an invalid message: ${reason}`,
    'tokens.unknownCounter': ({ id }: Texts<'id'>) => `Loupe has no token counter named ${id}.`,
  }),
  ...entries(
    { kind: 'contextOverflow', actions: ['selectModel'] },
    { 'summary.noRoom': 'The context limit leaves no room for a summary. Raise the limit in the chat settings, or choose another model.' },
  ),
  ...entries('incomplete', {
    'summary.empty': 'The model sent an empty summary.',
    'summary.cutOff': 'The model reached its output limit before the summary was complete.',
    'summary.endedEarly': ({ reason }: Texts<'reason'>) => `The model ended the summary early. Reason from the provider: ${reason}.`,
    'summary.tooLong': 'The summary is longer than the messages that it replaces, so Loupe did not use it.',
    'title.empty': 'The model sent an empty title.',
  }),
  ...entries(
    { kind: 'refused', actions: ['selectModel'] },
    {
      'summary.refused': 'The model refused to write a summary. Choose another model.',
      'title.refused': 'The model refused to write a title. Choose another model.',
    },
  ),
  ...entries({ kind: 'protocol', actions: ['selectModel'] }, { 'summary.calledTool': 'The model called a tool and wrote no summary.' }),
  ...entries('cancelled', {
    'request.stopped': 'The request was stopped.',
    'spend.declined': ({ price }: Texts<'price'>) => `Not sent: you did not allow a request of about ${price}.`,
    'embeddings.overLimit': ({ label }: Texts<'label'>) =>
      `Loupe sent nothing to ${label}, because the request may cost more than your limits (loupe.spend) allow.`,
    'spend.titleNotAsked': ({ price, reason }: Texts<'price' | 'reason'>) =>
      `Loupe did not request a title: the request may cost about ${price}, and ${reason}. To get a title, use "Loupe: Generate Title".`,
  }),
  ...entries(
    { kind: 'cancelled', actions: ['goOnOnce', 'openSpendSettings'] },
    {
      'spend.chatCap': ({ spent, cap, next }: Texts<'spent' | 'cap' | 'next'>) =>
        `Loupe stopped before the next step: this chat has spent ${spent}, and its cap is ${cap}. ${next}`,
      'spend.dayCap': ({ spent, cap, next }: Texts<'spent' | 'cap' | 'next'>) =>
        `Loupe stopped before the next step: this workspace has spent ${spent} today, and the cap for a day is ${cap}. ${next}`,
    },
  ),
  ...entries(
    { kind: 'cancelled', isHarmless: true },
    {
      'spend.noQuestion': 'This question is no longer open.',
      'spend.summaryNotAsked': ({ price, reason }: Texts<'price' | 'reason'>) =>
        `Loupe does not write this summary automatically: the request may cost about ${price}, and ${reason}.`,
    },
  ),
  ...entries('incomplete', { 'request.noEndMarker': 'The reply broke off: the connection closed too early.' }),
  ...entries('invalidInput', { 'request.imagesRefused': ({ problem }: Texts<'problem'>) => problem }),
  ...entries(
    { kind: 'contextOverflow', actions: ['summarize', 'raiseLimit', 'selectModel'] },
    { 'request.overBudget': ({ problem }: Texts<'problem'>) => problem },
  ),
  ...entries('storage', {
    'request.imageMissing': ({ mimeType, blob }: Texts<'mimeType' | 'blob'>) => `An image (${mimeType}) of this chat is missing: ${blob}.`,
    'rebuild.baseMissing': 'Loupe cannot show the request: the record of an earlier request is missing.',
    'rebuild.contentChanged': ({ key }: Texts<'key'>) => `Loupe cannot show the request: the content of ${key} is missing or has changed.`,
  }),
  ...entries('protocol', {
    'request.misplacedPart': ({ format, part, where }: Texts<'format' | 'part' | 'where'>) =>
      `${format} does not allow a ${part} ${where}.`,
    'rebuild.unknownForm': ({ protocol }: Texts<'protocol'>) =>
      `Loupe cannot show the request: this version of Loupe does not know the protocol ("${protocol}").`,
    'tool.badSchema': ({ name }: Texts<'name'>) => `The input schema of the tool "${name}" is not a JSON object.`,
    'request.endlessReply': ({ characters, parts }: Numbers<'characters' | 'parts'>) =>
      `Loupe stopped the reply, because the reply has more than ${characters} million characters or ${parts.toLocaleString('en')} parts.`,
    'request.endlessImages': ({ limit }: Numbers<'limit'>) =>
      `Loupe stopped the reply, because its images have more than ${limit} MB together.`,
  }),
  ...entries('timeout', {
    'tool.tooLong': ({ name, minutes }: Texts<'name'> & Numbers<'minutes'>) =>
      `The tool "${name}" took more than ${minutes} minute${minutes === 1 ? '' : 's'}. Loupe cancelled it.`,
  }),
  ...entries('toolFailed', {
    'tool.noneRan': ({ rounds }: Numbers<'rounds'>) =>
      `Loupe stopped the reply: ${rounds} times in a row, none of the tools that the model called could run.`,
  }),
};
