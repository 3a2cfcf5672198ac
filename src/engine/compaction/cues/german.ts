import { type Cue, type Language, phrase, words, wordsUnless } from './cue.js';

const CONSTRAINTS: readonly Cue[] = [
  wordsUnless(
    'muss müssen müsst musst müsse',
    / (?:das|es) muss (?:ein|eine|an|am|der|die|das|wohl|doch|daran) | (?:ich|wir) (?:muss|müssen) | (?:muss|müssen) (?:ich|wir) | muss (?:\S+ ){0,4}(?:gewesen|haben) /,
  ),
  words('darf dürfen darfst dürft verboten zwingend unbedingt niemals keinesfalls ausschließlich stets pflicht untersagt'),
  wordsUnless(
    'nie',
    / (?:noch|war|habe|hat|hatte|ist|es|das|hab) (?:\S+ )?nie | nie (?:gesehen|gehört|funktioniert|passiert|verstanden|benutzt) /,
  ),
  wordsUnless(
    'immer',
    / immer (?:noch|wieder|mehr|weiter|gleich|schlimmer|dasselbe|derselbe|dieselbe|der|die|das) | (?:ist|war|es|kommt|kam|schlägt|noch|wie|fast|warum|nicht|tritt|passiert) (?:\S+ )?immer /,
  ),
  phrase('bitte', / bitte (?:\S+ ){0,6}(?:nicht|kein|keine|keinen|keiner|nie|nur|immer|ohne) /),
  phrase(
    'nicht',
    / (?:[.,;:!(-]|und|aber) (?:\S+e|\S+t|\S+en|\S+) (?!(?:ist|ich|das|es|wir|geht|weiß|war|noch|kann|warum|auch|gar|leider|funktioniert|klappt) )(?:\S+ ){0,8}nicht (?:mehr )?(?:\S+en )?[.,!;)]/,
  ),
  phrase(
    'nicht',
    / (?:[.,;:!(-]|und|aber|bitte) (?:ändere?|ändert|fass|fasse|lösche?|benutze?|verwende?|schreibe?|nimm|nutze?|rühre?|füge?|mach|mache|vergiss|committe?|entferne?|rufe?|speichere?) (?:\S+ ){0,8}nicht /,
  ),
  phrase(
    'kein keine keinen keiner keinerlei',
    / (?:[.,;:!(-]|und|aber|bitte|will|möchte|wollen|verwenden|nutzen|benutzen) kein(?:e|en|er|erlei)? (?!ahnung |idee |problem |fehler |zeit |sorge |lust |ergebnis |ausgabe |änderung |unterschied )/,
  ),
  phrase(
    'nur',
    / (?:[.,;:!(-]|und|aber|bitte|darf|dürfen|soll|sollen|kann|können|verwende|benutze|nutze|nimm|ändere|schreibe?) (?:\S+ ){0,3}?nur (?!noch |zwei |ein |eine |einen |wenn ich )/,
  ),
  phrase('fall umständen', / (?:auf keinen fall|auf jeden fall|in keinem fall|unter keinen umständen) /),
  phrase('achte achtet', / (?:achte|achtet) (?:darauf|bitte|auf) /),
  phrase('sicher', / (?:stelle?|stellt) (?:bitte )?sicher /),
  phrase('sorge', / sorge? (?:bitte )?dafür /),
  phrase(
    'soll sollen sollte sollten',
    / (?:soll|sollen|sollte|sollten) (?!ich |wir |das |es )(?:\S+ ){0,8}(?:nicht|nie|immer|nur|bleiben|sein|werden|haben|kein|keine|keinen) /,
  ),
  phrase(
    'ohne',
    / ohne (?:\S+ ){0,6}zu (?:ändern|brechen|verändern|fragen|verlieren|löschen|verwenden|benutzen) | ohne (?:neue|externe|weitere|zusätzliche) /,
  ),
  phrase(
    'bleibt bleiben bleibe',
    / (?:bleibt|bleiben) (?:\S+ ){0,4}?(?:so|unverändert|gleich|wie|unter|stabil|kompatibel|unberührt|lesbar|dabei|erhalten|bestehen) /,
  ),
  phrase('lass lasst behalte behaltet belasse', / (?:[.,;:!(-]|und|aber|bitte) (?:lasst?|behaltet?|belasse) /),
  phrase(
    'höchstens mindestens maximal',
    / (?:[.,;:!(-]|darf|dürfen|soll|sollen|bleibt|ist|sind|haben) (?:\S+ ){0,3}?(?:höchstens|mindestens|maximal) /,
  ),
  phrase('vermeide vermeidet', / vermeidet? /),
  phrase('ab', / ab (?:jetzt|sofort) /),
  phrase('denk denke', / denke? (?:bitte )?daran /),
  phrase('wichtig', / (?:[.!(-]|ganz|sehr) wichtig (?:ist )?[:,]/),
];

const DECISIONS: readonly Cue[] = [
  words('entschieden beschlossen entscheidung festgelegt'),
  phrase('lass lasst', / (?:lass|lasst) uns /),
  phrase('wir', / wir (?:nehmen|verwenden|benutzen|nutzen|bleiben|setzen|behalten|machen es|wechseln) /),
  phrase('statt anstatt stattdessen', / (?:statt|anstatt|stattdessen) /),
  phrase('einigen geeinigt', / (?:einigen|geeinigt) /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('offen offene', / (?:noch offen|ist offen|bleibt offen|offene (?:fragen?|punkte?)) /),
  phrase('klären entscheiden', / (?:noch|später) (?:\S+ )?zu (?:klären|entscheiden) /),
  phrase('unklar', / (?:ist|noch|bleibt) (?:\S+ )?unklar /),
];

export const GERMAN: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'regeln vorgaben einschränkungen anforderungen bedingungen randbedingungen' },
  decision: { cues: DECISIONS, headings: 'entscheidungen beschlüsse' },
  question: { cues: QUESTIONS, headings: 'fragen' },
};
