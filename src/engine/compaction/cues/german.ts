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
  phrase(
    'wichtig entscheidend wesentlich unerlässlich notwendig nötig',
    / (?:ist|sind|wäre) (?:\S+ ){0,3}?(?:wichtig|entscheidend|wesentlich|unerlässlich|notwendig|nötig) ,? ?(?:, dass|dass|, daß|für) /,
  ),
  words(
    'ausschliesslich verboten verbieten tabu untersagt zwingend verpflichtend obligatorisch unzulässig ausgeschlossen gefälligst keineswegs',
  ),
  phrase(
    'möchte möchten will wollen wünsche wünschen bestehe bestehen erwarte erwarten verlange verlangen brauche brauchen hätte hätten',
    / (?:ich|wir|kunden|chef|kunde|rechtsabteilung) (?:\S+ )?(?:möchten?|will|wollen|wünschen?|bestehen?|erwarten?|verlangen?|hätten?) (?:\S+ ){0,4}?(?:, dass|, daß|darauf|gerne?|lieber|keine?n?|alle|jede[rsn]?|nur) /,
  ),
  phrase('verzichte verzichtet verzichten', / (?:verzichte|verzichtet|verzichten) (?:\S+ ){0,6}?auf /),
  phrase(
    'frage fragt frag warte wartet rede redet',
    / (?:[.,;:!(-]|und|aber|bitte) (?:frage?|fragt|warte|wartet) (?:\S+ ){0,4}?(?:bevor|vorher|erst|zuerst|bis|immer) /,
  ),
  phrase(
    'verwende verwendet benutze benutzt nutze nutzt nimm schreibe schreib schreibt nenne halte haltet prüfe teste behandle beschränke begrenze',
    / (?:[.!(-]|aber|bitte) (?:bitte )?(?:verwende|verwendet|benutze|benutzt|nutze|nutzt|nimm|schreibe?|schreibt|nenne|halte|haltet|behandle|beschränke|begrenze) (?!das |es |dies |mal |mir )/,
  ),
  phrase(
    'frage option debatte disposition verhandelbar betracht',
    / (?:nicht in frage|keine option|nicht zur (?:debatte|disposition)|nicht verhandelbar|nicht in betracht|außer frage) /,
  ),
  phrase(
    'solange sofern vorausgesetzt bedingung',
    / (?:[.,;:!(-]|nur|gern|ok|okay) (?:solange|sofern|vorausgesetzt) | unter der bedingung /,
  ),
  phrase('mehr weniger länger größer grösser', / (?:nicht|keine?s?falls|nie) (?:mehr|weniger|länger|größer|grösser|kleiner|später) als /),
  phrase(
    'können kann',
    / (?:wir|kunden?|nutzer|man|geräte?) (?:können|kann) (?:\S+ ){0,6}?(?:nicht|kein|keine|keinen|nur) (?!sehen |finden |öffnen |verbinden )/,
  ),
  phrase(
    'kann können',
    / (?:kann|können|könnten|könntest|würden|würdest) (?:du|sie|ihr) (?:\S+ ){0,4}?(?:bitte |künftig |immer |nur |ab jetzt |in zukunft )/,
  ),
  phrase('künftig zukunft zukünftig', / (?:künftig|zukünftig|in zukunft) /),
  phrase(
    'hat haben',
    / (?!(?:ich|wir|du|sie|das|es) )\S+ (?:hat|haben) (?:\S+ ){0,8}?zu (?:bleiben|sein|erfolgen|funktionieren|geschehen|\S+en) [.,!;]/,
  ),
  phrase('finger hände', / (?:die finger|die hände|finger|hände) (?:davon|weg|von) /),
];

const DECISIONS: readonly Cue[] = [
  words('entschieden beschlossen entscheidung festgelegt'),
  phrase('lass lasst', / (?:lass|lasst) uns /),
  phrase('wir', / wir (?:nehmen|verwenden|benutzen|nutzen|bleiben|setzen|behalten|machen es|wechseln) /),
  phrase('statt anstatt stattdessen', / (?:statt|anstatt|stattdessen) /),
  phrase(
    'nehmen bleiben verwenden nutzen setzen wechseln machen',
    / (?:[.,;:!(-]|dann|also|okay|ok|gut|somit) (?:dann )?(?:nehmen|bleiben|verwenden|nutzen|setzen|wechseln) wir /,
  ),
  phrase('machen', / (?:dann|also) machen wir /),
  phrase('fällt gefallen wahl', / (?:die )?(?:wahl|entscheidung) (?:fällt|fiel|ist) (?:\S+ ){0,3}?(?:auf|gefallen) /),
  phrase(
    'stellt stellte herausgestellt ursache',
    / (?:stellt sich heraus|stellte sich heraus|hat sich herausgestellt|(?:die )?ursache (?:ist|war)|es lag (?:an|am|daran)) /,
  ),
  phrase('einigen geeinigt', / (?:einigen|geeinigt) /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('offen offene', / (?:noch offen|ist offen|bleibt offen|offene (?:fragen?|punkte?)) /),
  phrase('klären entscheiden', / (?:noch|später) (?:\S+ )?zu (?:klären|entscheiden) /),
  phrase(
    'offen ungeklärt fraglich',
    / (?:[.,;:!(-]|ist|sind|bleibt|noch) (?:noch )?(?:offen|ungeklärt|fraglich) (?:ist |bleibt |sind )?(?:noch |nur )?(?:, )?(?:ob|wie|wer|was|wann|welche[rsn]?|wo|[.,!]) /,
  ),
  phrase(
    'wissen weiß klären geklärt',
    / (?:noch nicht|nicht) (?:\S+ )?(?:geklärt|klar|entschieden|gewusst)(?: ist)? (?:, )?(?:ob|wie|wer|was|wann|welche[rsn]?|wo) | (?:wissen|weiß) (?:\S+ )?noch nicht /,
  ),
  phrase('unklar', / (?:ist|noch|bleibt) (?:\S+ )?unklar /),
];

export const GERMAN: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'regeln vorgaben einschränkungen anforderungen bedingungen randbedingungen' },
  decision: { cues: DECISIONS, headings: 'entscheidungen beschlüsse' },
  question: { cues: QUESTIONS, headings: 'fragen' },
};
