import { type Cue, type Language, phrase, phraseUnless, words, wordsUnless } from './cue.js';

/** Orders that say how to work, and wishes. */
const WISHES: readonly Cue[] = [
  phrase(
    'verzichte verzichtet verzichten beachte beachtet beachten berücksichtige befolge befolgt halte haltet verwende verwendet benutze benutzt nutze nutzt nimm nehmt beschränke beschränkt begrenze bewahre bevorzuge unterlasse unterlasst antworte antwortet respektiere bleib bleibt meide hüte behandle',
    / (?:[.,;:!()-]|und|aber|bitte|also|dann|sondern) (?:verzichtet?|beachtet?|(?:verzichten|beachten|verwenden|benutzen|nutzen|vermeiden|halten|antworten|beschränken) sie|berücksichtige|befolgt?e?|halte?t? (?:dich|euch|die|den|das|alle|es)|verwendet?|benutz(?:e|t)|nutz(?:e|t)|nimm|nehmt|beschränk(?:e|t)|begrenze|bewahre|bevorzuge|unterlass(?:e|t)|antwortet?|respektiere|bleibt? (?:bei|unter|auf|in|im)|meide|hüte|behandle) /,
  ),
  phrase(
    'verwenden benutzen nutzen vermeiden halten antworten',
    / (?:[.,;:!()-]|und|aber|bitte) (?:verwenden|benutzen|nutzen|vermeiden|halten|antworten) sie /,
  ),
  phrase(
    'frag frage fragt fragen warne sag',
    / (?:[.,;:!()-]|und|aber|bitte) (?:frage?t?|fragen sie|warne?|sag) (?:\S+ ){0,6}(?:bevor|vorher|erst|zuerst|vor|nach) /,
  ),
  phrase('finger hände', / (?:finger|hände) (?:\S+ )?(?:weg|von|davon) /),
  phrase('hör hört', / (?:[.,;:!()-]|und|aber|bitte) hört? (?:\S+ ){0,3}auf /),
  phrase(
    'pass merk vergiss bedenke bedenkt beachtet',
    / (?:pass(?:t)? (?:bitte )?(?:auf|darauf)|merkt? (?:dir|euch)|vergiss (?:bitte )?nicht|bedenket?) /,
  ),
  phrase(
    'möchte will wünsche erwarte bestehe verlange wollen möchten erwarten bestehen verlangen hätte hätten fände',
    / (?:ich|wir) (?:möchten?|will|wollen|wünschen?|erwarten?|bestehen?|verlangen?|hätten?|fände) (?:mir |uns |bitte |gern |gerne |es |gut )*(?:, (?:dass|wenn)|darauf|auf|kein\S*|nur|immer|nie|nirgends|nicht|alle|jede\S*|überall|lieber) /,
  ),
  phrase('möchte will', / (?:möchte|will|wünsche) ich (?:\S+ )?(?:nicht|kein\S*|nur|immer|überall|, dass) /),
  phrase('lieber', / (?:ich|wir|bitte|dann|und|hätte|[.,;:!(-]) (?:\S+ )?lieber (?!nicht wissen )/),
  phrase('künftig zukünftig zukunft weiterhin', / (?:künftig|zukünftig|in zukunft|weiterhin|von nun an) (?!besteht |tritt |kommt )/),
  phrase(
    'kunde vertrag gesetz prüfer revision vorschrift richtlinie dsgvo datenschutz',
    / (?:kunde|vertrag|gesetz|prüfer|revision|vorschrift|richtlinie|dsgvo|datenschutz) (?:\S+ ){0,2}(?:verlangt|fordert|besteht|verbietet|schreibt|erlaubt|will|erwartet) /,
  ),
  phrase('laut', / laut (?:\S+ )?(?:vertrag|vorschrift|gesetz|vorgabe|richtlinie|norm) /),
];

/** What holds, whoever does the work. */
const NORMS: readonly Cue[] = [
  words(
    'untersagt unzulässig tabu vorgeschrieben verpflichtend erforderlich ausgeschlossen unabdingbar unerlässlich vorausgesetzt ausnahmslos keinerlei duerfen muessen ausschliesslich strikt nirgends nirgendwo',
  ),
  phrase(
    'gestattet erlaubt zulässig erwünscht akzeptabel option drin verhandelbar frage',
    / (?:nicht|kein\S*|nur|niemand\S*) (?:\S+ ){0,4}(?:gestattet|erlaubt|zulässig|erwünscht|akzeptabel|option|drin|verhandelbar|in frage) /,
  ),
  phrase(
    'wichtig entscheidend essenziell zentral wesentlich',
    / (?:wichtig|entscheidend|essenziell|zentral|wesentlich|zwingend) (?:, (?:dass|daß)|ist|:|ist , dass) /,
  ),
  phraseUnless(
    'soll sollen sollte sollten',
    / \S+ (?:soll|sollen|sollte|sollten) (?:\S+ ){0,12}\S+(?:en|rn|ln|ein) (?:[.,;:!)]|können )/,
    / (?:es|das|was|wie|wo|wer|warum|wann|ob|dies) (?:soll|sollen|sollte|sollten) | (?:soll|sollte|sollen|sollten) (?:ich|wir|es|das) /,
  ),
  phrase(
    'müssen',
    / wir müssen (?:\S+ ){1,10}(?:unterstützen|bleiben|einhalten|behalten|aufbewahren|sicherstellen|vermeiden|verschlüsseln|können|laufen) /,
  ),
  phrase('niemand nichts keiner', / (?:niemand|nichts|keiner) (?:(?:\S+ ){0,3}(?:außer|darf|soll|anderes|verlässt|ändert)) |sonst nichts /),
  phrase(
    'solange sofern bedingung wenn',
    / (?:ok|okay|gern|gerne|gut|recht|ordnung|einverstanden|meinetwegen|darfst|kannst|können) (?:\S+ ){0,8}(?:, solange|solange|, sofern|sofern|unter der bedingung|nur wenn) /,
  ),
  phrase('als', / (?:nicht|nie|kein\S*|nichts) (?:\S+ )?(?:mehr|länger|größer|später|langsamer|älter|weniger|höher|tiefer|schneller) als /),
  phraseUnless(
    'zu',
    / (?:ist|sind|hat|haben) (?:\S+ ){1,8}zu (?!tun |finden |sehen |erkennen |hören |lesen |haben |viel |wenig )\S+en [.,;!]/,
    / (?:ich|er|sie|es|das|schwer|leicht|einfach|nicht|nichts|keine\S*) (?:\S+ ){0,4}zu /,
  ),
  phrase('gehört gehören', / (?:gehört|gehören) (?:\S+ ){0,3}(?:nicht|in|ins|nur|unter|nie|niemals|hinter) /),
  phrase(
    'jede jeder jedes alle sämtliche',
    / (?:[.,;:!(-]|und|aber|dass) (?:jede|jeder|jedes|alle|sämtliche) (?:\S+ ){1,6}(?:braucht|brauchen|bekommt|bekommen|benötigt|benötigen|wird|werden|kommt|kommen|läuft|laufen|trägt|tragen|hat|haben) (?!rot |fehl)/,
  ),
  phrase(
    'maximal höchstens mindestens minimum maximum max',
    / (?:[.,;:!(-]|und) (?:\S+ ){0,4}(?:maximal|höchstens|mindestens|max|maximum) (?:\. )?\d/,
  ),
  phrase(
    'deutsch englisch französisch spanisch utc cent iso kleinbuchstaben großbuchstaben',
    / (?:auf|in|als) (?:reinem? |gutem? )?(?:deutsch|englisch|französisch|spanisch|utc|cent|iso\S*|kleinbuchstaben|großbuchstaben) (?!übersetz)/,
  ),
  phrase(
    'kein keine keinen keinerlei',
    / (?:bloß|nur|also|wirklich|am besten|hier|dort|da|sonst|deshalb|daher) kein(?:e|en|er|erlei)? (?!ahnung |idee |problem|fehler |zeit |sorge |lust |ergebnis |unterschied )/,
  ),
  phrase('pro', / pro \S+ (?:genau|nur|höchstens|maximal|mindestens|immer) /),
  phrase('nur', / wir (?:\S+ ){1,3}nur (?!noch |zwei |ein |eine |einen |einmal )/),
  phrase('alles', / [.,;:!(] alles (?:unter|über|auf|ohne|mit|muss|in|was) /),
  phrase('ohne', / ohne (?:\S+ ){1,4}(?:wird|werden|geht|läuft|darf|kommt|dürfen) (?:\S+ ){0,4}(?:nichts|nicht|kein\S*) /),
  phrase('ohne', / (?:[.,;:!(-]|und|aber|bitte|das) (?:\S+ ){0,3}ohne (?!erfolg |problem|fehler |grund |ergebnis |das |dass )\S+ [.,;!]/),
  phrase(
    'nichts',
    / (?:[.,;:!(-]|und|aber|bitte) (?:änder|ändere|ändert|lösch|lösche|verändere|entferne|schreib|schreibe|speichere|committe|installiere|mach|mache) (?:\S+ ){0,3}nichts /,
  ),
  phrase(
    'zuerst vorher',
    / (?:[.,;:!(-]|und|bitte) (?:schreib|schreibe|mach|mache|teste?|prüfe?|lies|bau|baue) (?:\S+ ){1,5}(?:zuerst|vorher) /,
  ),
  phrase('änder rühr fass', / (?:[.,;:!(-]|und|aber|bitte) (?:änder|rühr|fass|lösch) (?:\S+ ){1,8}nicht /),
  phrase('möglich', / so (?:\S+ )wie möglich /),
];

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
    / (?:[.,;:!(-]|und|aber) (?!(?:ich|wir|er|es|sie|das|leider|mir|hier|da) )\S+ (?!(?:ist|ich|das|es|wir|geht|weiß|war|noch|kann|warum|auch|gar|leider|funktioniert|klappt) )(?:\S+ ){0,8}nicht (?:mehr )?(?:\S+en )?[.,!;)]/,
  ),
  phrase(
    'nicht',
    / (?:[.,;:!(-]|und|aber|bitte) (?:ändere?|änder|ändert|fass|fasse|lösche?|benutze?|verwende?|schreibe?|nimm|nutze?|rühre?|füge?|mach|mache|vergiss|committe?|entferne?|rufe?|speichere?) (?:\S+ ){0,8}nicht /,
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
  phrase('sorge sorg sorgt', / sorg(?:e|t)? (?:bitte )?dafür /),
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
  ...WISHES,
  ...NORMS,
];

const DECISIONS: readonly Cue[] = [
  words('entschieden beschlossen entscheidung festgelegt'),
  phrase('lass lasst', / (?:lass|lasst) uns /),
  phrase('wir', / wir (?:nehmen|verwenden|benutzen|nutzen|bleiben|setzen|behalten|machen es|wechseln) /),
  phrase('statt anstatt stattdessen', / (?:statt|anstatt|stattdessen) /),
  words('einigen geeinigt einigten abgemacht vereinbart verworfen gestrichen beschluss herausgestellt'),
  phrase(
    'wir',
    / (?:[.,;:!(-]|also|dann|und|damit) (?:\S+ )?(?:nehmen|verwenden|benutzen|nutzen|bleiben|setzen|behalten|wechseln|streichen|verwerfen|machen) wir /,
  ),
  phrase('nehme bleibe gehen', / (?:ich (?:nehme|bleibe bei)|wir gehen (?:mit|auf)) /),
  phrase('wahl', / (?:fiel|fällt|ist) die wahl |die wahl (?:fiel|fällt|ist) /),
  phrase('doch', / (?:also|dann) (?:also )?doch /),
  phrase('steht bleibt', / (?:(?:steht|stehen) (?:\S+ )?fest|(?:es|damit) bleibt (?:es )?(?:also )?bei) /),
  phrase('heraus', / (?:stellte|stellt|hat) (?:\S+ ){1,3}heraus/),
  phraseUnless(
    'ursache grund schuld',
    / (?:ursache|grund|schuld) (?:\S+ ){0,5}(?:ist|war|sind|waren|daran) | (?:ist|war|sind) schuld /,
    / (?:kein\S*|vielleicht|welche\S*) (?:\S+ )?(?:ursache|grund) /,
  ),
  phraseUnless('liegt lag', / (?:[.,;:!(-]|es|fehler|problem) (?:liegt|lag) (?:\S+ )?(?:an|daran|am) /, / (?:wohl|vielleicht|vermutlich) /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('offen ungeklärt frage', / (?:offen (?:ist|bleibt)|ungeklärt|(?:bleibt|ist) die frage|die frage (?:ist|bleibt)) /),
  phrase(
    'wissen weiß klar entschieden geklärt',
    / (?:noch nicht|nicht) (?:\S+ ){0,3}?(?:klar|entschieden|geklärt|festgelegt)(?: ist)? [.,;!]| (?:wissen|weiß) (?:\S+ ){0,3}noch nicht /,
  ),
  phrase('klären entscheiden', / (?:müssen|muss) (?:\S+ ){0,4}noch (?:\S+ ){0,5}(?:klären|entscheiden|geklärt|entschieden) /),
  phrase('offen offene', / (?:noch offen|ist offen|bleibt offen|offene (?:fragen?|punkte?)) /),
  phrase('klären entscheiden', / (?:noch|später) (?:\S+ )?zu (?:klären|entscheiden) /),
  phrase('unklar', / (?:ist|noch|bleibt) (?:\S+ )?unklar /),
];

export const GERMAN: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'regeln vorgaben einschränkungen anforderungen bedingungen randbedingungen' },
  decision: { cues: DECISIONS, headings: 'entscheidungen beschlüsse' },
  question: { cues: QUESTIONS, headings: 'fragen' },
};
