import { type Cue, type Language, phrase, phraseUnless, words, wordsUnless } from './cue.js';

/** Orders that say how to work, and wishes. */
const WISHES: readonly Cue[] = [
  phrase('merci', / merci (?:de |d'|par avance de )(?!m'expliquer|me dire)/),
  phrase(
    "utilise utilisez préfère préférez privilégie privilégiez réponds répondez arrête arrêtez cesse cessez limite limitez proscris bannis bannissez conserve conservez demande demandez préviens prévenez pense pensez rappelle rappelle-toi rappelez-vous limite écris écrivez maintiens maintenez oublie n'oublie n'oubliez",
    / (?:[.,;:!(-]|et|mais|donc|surtout|stp|toujours|svp) (?:utilisez?|préférez?|privilégiez?|réponds|répondez|arrêtez?|cessez?|limitez?|proscris|bannis|bannissez|conservez?|(?:demandez?|préviens|prévenez) (?:\S+ ){0,4}avant|pensez? à|rappelle-toi|rappelez-vous|(?:écris|écrivez) (?:\S+ ){0,5}(?:en|sans|avec)|maintiens|maintenez|n'oubliez? pas|oublie pas) /,
  ),
  phrase('attention garde', / (?:attention (?:à|de|:|,)|fais attention|prends garde) /),
  phrase(
    "veux voudrais souhaite exige préfère tiens voulons souhaitons exigeons préférons préférerais j'aimerais j'exige j'insiste insiste aimerais aimerions",
    / (?:veux|voudrais|souhaite|exige|préfère|tiens|voulons|souhaitons|exigeons|préférons|préférerais|j'aimerais|j'exige|j'insiste|insiste|aimerais|aimerions) (?:bien |vraiment |absolument )?(?:que |qu'|pas de |aucun|seulement |uniquement |toujours |à ce |pour que |sur )(?!tu m'expliques |tu me dises |tu regardes )/,
  ),
  phrase('pas plus', / (?:[.,;:!(-]|et|mais|jamais|surtout) (?:pas|jamais) (?:plus|moins|davantage) (?:de |d'|que )/),
  phrase('plus', / (?:[.,;:!(-]|et) plus (?:de |d'|aucun|jamais |rien )/),
  phrase('pas', / (?:touche|touchez|oublie|modifie|change|supprime|mets|utilise|fais|lance) (?:surtout )?pas /),
  phrase('avant', / (?:[.,;:!(-]|et) avant (?:de |d'|toute?|chaque )/),
  phrase('désormais dorénavant avenir', / (?:désormais|dorénavant|à l'avenir) /),
  phrase(
    'client contrat loi règlement rgpd',
    / (?:client|contrat|loi|règlement|rgpd) (?:\S+ ){0,2}(?:exige|impose|interdit|refuse|veut|demande) (?!à voir )/,
  ),
];

/** What holds, whoever does the work. */
const NORMS: readonly Cue[] = [
  words(
    'interdiction proscrit proscrite proscrits bannir inacceptable exclue tabou défense faudra faudrait strictement exigent imposent inadmissible',
  ),
  phraseUnless(
    'dois devez doit devons',
    / (?:tu|vous|on|nous) (?:ne )?(?:dois|devez|doit|devons) /,
    / (?:on|nous) (?:doit|devons) (?:parler|partir|attendre) /,
  ),
  wordsUnless('devrait devraient', / (?:ça|cela|ce) devrait | devraient? (?:marcher|fonctionner|arriver|passer|suffire) /),
  phrase('question', / (?:hors de|pas) question (?:de |d'|que )?/),
  // "On ne peut utiliser que …"
  phraseUnless('que', / (?:ne (?:\S+ ){1,4}?|n'\S+ (?:\S+ ){0,3}?)que /, / (?:pas|plus|jamais|rien|sais|pense|crois) (?:\S+ ){0,3}?que /),
  phraseUnless("qu'un", / ne (?:\S+ ){1,4}?qu'\S+ /, / (?:pas|plus|jamais|rien|sais|pense|crois) /),
  phrase(
    'peut peuvent peux pouvez pouvons',
    / (?:ne (?:peut|peuvent|doit|doivent)|(?:on|vous|tu|nous) (?:ne )?(?:peut|pouvez|peux|pouvons)) (?:pas|plus|jamais|en aucun cas) (?!voir |trouver |savoir |comprendre |reproduire |ouvrir |lire )/,
  ),
  phrase(
    'indispensable primordial essentiel crucial important nécessaire vital capital préférable',
    / (?:indispensable|primordial|essentiel|crucial|important|nécessaire|vital|capital|préférable) (?:que |qu'|de |d'|: )/,
  ),
  phrase('exception ailleurs autre faute', / (?:sans (?:aucune )?exception|nulle part ailleurs|rien d'autre|personne d'autre|sans faute)/),
  phrase('autre', / (?:rien|personne) d'autre /),
  phrase("d'autre", / (?:rien|personne) d'autre [.,;!]/),
  phrase('personne', / personne (?:ne (?:doit|peut|touche|modifie)|sauf|hormis|à part) /),
  phrase(
    'seul seuls seule seules',
    / (?:[.,;:!(-]|que) seule?s? (?:les|le|la|l'\S+|un|une) (?:\S+ ){1,6}(?:peut|peuvent|doit|doivent|ont|a) /,
  ),
  phrase(
    'chaque tous toutes tout toute',
    / (?:[.,;:!(-]|que|et) (?:chaque|tous les|toutes les|tout|toute) (?:\S+ ){1,6}(?:passe|passent|reste|restent|utilise|utilisent|porte|portent|exige|(?:est|sont) \S+ée?s?) /,
  ),
  phrase(
    'condition pourvu moment tant',
    / (?:à condition (?:que |qu'|de |d')|pourvu qu|du moment qu|(?:ok|d'accord|bon|bien|va) (?:\S+ ){0,6}tant qu)/,
  ),
  phrase(
    'négociable option acceptable autorisé autorisée autorisés permis envisageable toléré',
    / (?:pas|non|n'est|jamais) (?:\S+ ){0,3}(?:négociable|une option|acceptable|autorisé|autorisée|autorisés|permis|envisageable|toléré) /,
  ),
  phrase('censé censée censés censées tenu tenus', / (?:censée?s?|tenue?s?) (?:de |d'|ne |être )/),
  phrase('grand max maximum', / (?:au grand maximum|(?:max|maximum) [.:]? ?\d|\d+ (?:\S+ )?(?:max|maximum)) /),
  phrase(
    'anglais français allemand espagnol utc centimes iso minuscules majuscules',
    / en (?:bon )?(?:anglais|français|allemand|espagnol|utc|centimes|iso\S*|minuscules|majuscules) (?!traduis)/,
  ),
  phrase(
    'demande-moi demandez-moi préviens-moi prévenez-moi limite-toi limitez-vous tiens-toi tenez-vous contente-toi contentez-vous abstiens-toi',
    / (?:(?:demande|demandez|préviens|prévenez)-moi (?:\S+ ){0,3}(?:avant|d'abord)|(?:limite|tiens|contente|abstiens)-toi|(?:limitez|tenez|contentez)-vous) /,
  ),
  phrase('reste restez', / (?:[.,;:!(-]|et|mais|donc) restez? (?:sur|en|dans|compatible|sous|avec) /),
  phrase('évitons respectons conservons', / (?:évitons|respectons|conservons) /),
  phrase('sorte', / (?:fais|faites|faire) en sorte /),
  phrase('ne', / (?:[.,;:!(-]|et|mais|de|à) ne (?:pas|jamais|plus|rien) (?!marche)/),
  phrase(
    'éviter garder conserver respecter privilégier utiliser',
    / (?:[.,;:!(-]|et|mais) (?:éviter|garder|conserver|respecter|privilégier|utiliser) /,
  ),
  phrase('sans', / (?:[.,;:!(-]|et|mais) (?:fais-le|faites-le|fais ça|faites ça|tout|le tout) (?:\S+ ){0,3}sans /),
  phrase('possible', / le (?:plus|moins) (?:\S+ ){1,3}possible /),
];

const CONSTRAINTS: readonly Cue[] = [
  wordsUnless('doit doivent devez devra devront', / (?:ça|cela|ce) doit être (?:un|une|le|la|à|dû) | doit (?:avoir|être) (?:été|eu) /),
  phrase('faut', / (?:il|qu'il|faut) (?:ne )?faut (?:pas |jamais |toujours |absolument |que )?(?!voir |dire )/),
  wordsUnless(
    'jamais',
    / (?:n'ai|n'a|n'ont|n'avais|n'avait|n'est|suis|ça|c'est) (?:\S+ )?jamais | jamais (?:vu|eu|marché|fonctionné|compris|utilisé|essayé) /,
  ),
  wordsUnless(
    'toujours',
    / toujours (?:pas|la même|le même|les mêmes|aussi|en|un|une) | (?:c'est|est|ça|j'ai|il|elle|cela|sont|marche|suis|a) (?:\S+ )?toujours /,
  ),
  phrase(
    'pas plus rien',
    / (?:[.,;:!(-]|et|mais|surtout|donc) (?:surtout )?(?:ne |n')(?!sais |marche |fonctionne |est |a |ai |y )(?:\S+ ){1,3}?(?:pas|plus|rien) /,
  ),
  phrase('pas', / (?:[.,;:!(-]|et|mais|surtout) pas d(?:e |')(?!problème|souci|erreur|chance|idée|réponse)/),
  phrase('aucun aucune', / (?:[.,;:!(-]|et|mais|avec) aucune? (?!idée |erreur |problème |souci )/),
  phrase(
    'seulement uniquement',
    / (?:[.,;:!(-]|et|mais|peut|peuvent|doit|doivent) (?:\S+ ){0,5}?(?:seulement|uniquement) (?!deux |une? |quand )/,
  ),
  words('interdit interdite interdits interdites obligatoire obligatoires impératif impérativement exclusivement'),
  phrase(
    'assure-toi assurez-vous assure assurez veille veillez garde gardez conserve conservez évite évitez laisse laissez respecte respectez',
    / (?:[.,;:!(-]|et|mais|donc|surtout|stp|toujours) (?:assure-toi|assurez-vous|assure|assurez|veillez?|gardez?|conservez?|évitez?|laissez?|respectez?) /,
  ),
  phrase('sans', / sans (?:modifier|toucher|changer|casser|ajouter|utiliser|jamais|demander|perdre|aucune?|supprimer|nouvelle) /),
  phrase('plus maximum moins minimum', / (?:[.,;:!(-]|doit|peut|prendre) (?:\S+ ){0,3}?au (?:plus|maximum|moins|minimum) /),
  phrase('cas prétexte', / (?:en aucun cas|sous aucun prétexte|dans tous les cas) /),
  phrase('maintenant désormais', / (?:[.!(-]|et) (?:à partir de maintenant|désormais) /),
  phrase(
    'doivent reste restent rester',
    / (?:doit|doivent|reste|restent) (?:rester |être )?(?:compatible|inchangé|inchangée|lisible|stable|sous|tel|telle) /,
  ),
  phrase('peut peuvent peux', / ne (?:peut|peuvent) (?:pas|jamais) (?:être|dépasser|changer|contenir) /),
  ...WISHES,
  ...NORMS,
];

const DECISIONS: readonly Cue[] = [
  words('décidé décidons choisi optons convenu décision'),
  phrase('part prend garde utilise reste', / on (?:part sur|part avec|prend|garde|utilise|reste) /),
  phrase('plutôt', / plutôt (?:que|qu') ?/),
  phrase('lieu', / au lieu de /),
  phrase(
    'utilisons prenons gardons restons partons optons choisissons abandonnons',
    / (?:utilisons|prenons|gardons|restons|partons sur|choisissons|abandonnons) /,
  ),
  phrase(
    'abandonne passe bascule opte retient choisit migre laisse retenu tranché opté pris abandonné',
    / (?:on|j'|nous|a|ai|avons|j'ai|c'est) (?:finalement |donc |bien |enfin )?(?:abandonne|passe (?:à|sur|en)|bascule|opte|retient|choisit|migre|laisse tomber|retenu|tranché|opté|abandonné|pris) /,
  ),
  words('tranché acté opté'),
  phrase("d'accord", / (?:sommes|est|mis|mettons|tombés) (?:\S+ )?d'accord (?:sur|pour) /),
  phrase('finalement', / finalement ,? ?(?:on|nous|je|c'est|ce) /),
  phrase('ce', / ce sera /),
  phrase("s'avère s'avérait avère", / s'(?:avère|avérait|est avéré) /),
  phraseUnless(
    'cause problème erreur bug raison souci plantage',
    / (?:(?:la|en) (?:cause|raison) (?:est|était|de)|c'est à cause d\S+|(?:problème|erreur|bug|souci|plantage) (?:vient|venait|provient)) /,
    / (?:peut-être|sans doute) /,
  ),
];

const QUESTIONS: readonly Cue[] = [
  phrase('reste', / reste (?:encore )?à (?:savoir|voir|décider|trancher|définir|vérifier|choisir|déterminer) /),
  phrase(
    'sait savons encore',
    / (?:on ne sait|nous ne savons|on sait|je ne sais) pas (?:encore|si) |pas encore (?:décidé|tranché|défini|clair|fixé|choisi|sûr|arrêté) /,
  ),
  phrase('confirmer trancher préciser', / à (?:confirmer|trancher|préciser) /),
  phrase('ouverte ouvertes suspens', / (?:questions? ouvertes?|en suspens) /),
  phrase('décider clarifier définir', / (?:à|reste à|encore à) (?:décider|clarifier|définir) /),
];

export const FRENCH: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'contraintes règles exigences' },
  decision: { cues: DECISIONS, headings: 'décisions' },
  question: { cues: QUESTIONS, headings: 'questions' },
};
