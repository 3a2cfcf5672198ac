import { type Cue, type Language, phrase, words, wordsUnless } from './cue.js';

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
  phrase(
    'peut peuvent pouvez pouvons',
    / (?:on|nous|vous|ils|elles|il|elle|client|clients) (?:ne |n')(?:peut|peuvent|pouvez|pouvons) (?:\S+ ){0,3}?(?:que|qu'|pas) ?/,
  ),
  phrase('merci prière', / (?:[.,;:!(-]|et|mais) (?:merci|prière) (?:de (?!ton |ta |tes |votre |vos |ces |cette |l'aide )|d')/),
  phrase(
    'interdiction interdits défense défendu hors',
    / (?:interdiction|défense) (?:de|d')|(?:interdiction formelle|strictement interdit|hors de question|pas question|pas négociable) /,
  ),
  phrase(
    'veux voudrais aimerais souhaite souhaitons voulons exige insiste tiens préfère préférerais préférons attends besoin apprécierais veut veulent',
    / (?:je|j'|nous|on|client|ils) ?(?:\S+ )?(?:veux|voudrais|aimerais|souhaite|souhaitons|voulons|exige|insiste|tiens à|préfère|préférerais|apprécierais|veut|veulent) (?:\S+ ){0,2}?(?:que|qu'|pas|aucune?|chaque|tous|toutes|le|la|les|des|un|une) ?/,
  ),
  phrase('plus moins', / pas (?:plus|moins) (?:de|d'|que) ?/),
  phrase('maximum minimum max', / (?:\d+|\S+) (?:\S+ )?(?:maximum|minimum|max) (?:[.,!;]|par|pour) /),
  phrase(
    'important essentiel crucial indispensable nécessaire primordial',
    / (?:c'est|est|sont|il est) (?:\S+ )?(?:important|essentiel|crucial|indispensable|nécessaire|primordial|vital)(?:e|es|s|le|les)? (?:que|qu'|de|d'|pour) ?/,
  ),
  phrase('condition tant pourvu', / (?:à condition|tant que|pourvu que|du moment que) /),
  phrase(
    'demande demandez préviens prévenez attends attendez',
    / (?:[.,;:!(-]|et|mais) (?:demande|demandez|préviens|prévenez|attends|attendez) (?:-moi |-nous |moi |nous )?(?:\S+ ){0,3}?(?:avant|d'abord|que) /,
  ),
  phrase(
    'utilise utilisez écris écrivez mets mettez réponds répondez nomme respecte suis limite limitez privilégie privilégiez',
    / (?:[.!(-]|mais|stp|svp|toujours) (?:utilise|utilisez|écris|écrivez|réponds|répondez|nomme|limitez?|privilégiez?) (?!ça |ceci |cela |le script )/,
  ),
  phrase('arrête arrêtez cesse cessez', / (?:[.,;:!(-]|et|mais) (?:arrêtez?|cessez?) (?:de|d') ?/),
  phrase('censé censée censés censées', / (?:est|sont|doit être) censée?s? /),
  words('strictement proscrit proscrite impératifs impérative'),
];

const DECISIONS: readonly Cue[] = [
  words('décidé décidons choisi optons convenu décision'),
  phrase('part prend garde utilise reste', / on (?:part sur|part avec|prend|garde|utilise|reste) /),
  phrase(
    'finalement alors',
    / (?:[.,;:!(-]|finalement|alors|donc) (?:on|nous) (?:reste|restons|garde|gardons|part|partons|prend|prenons|passe|passons|choisit) (?:sur|avec|à|le|la|les|pour)? ?/,
  ),
  phrase(
    'cause coupable venait vient avère',
    / (?:la cause (?:est|était)|le coupable (?:est|était)|(?:ça|le problème) (?:vient|venait) (?:de|du|d')|il s'avère) /,
  ),
  phrase('plutôt', / plutôt (?:que|qu') ?/),
  phrase('lieu', / au lieu de /),
  phrase('utilisons prenons gardons restons', / (?:utilisons|prenons|gardons|restons) /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('ouverte ouvertes suspens', / (?:questions? ouvertes?|en suspens) /),
  phrase(
    'savoir voir',
    / (?:reste (?:encore )?à (?:savoir|voir)|on ne sait (?:pas|toujours pas) (?:encore )?|pas encore (?:clair|décidé|tranché)) /,
  ),
  phrase('décider clarifier définir', / (?:à|reste à|encore à) (?:décider|clarifier|définir) /),
];

export const FRENCH: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'contraintes règles exigences' },
  decision: { cues: DECISIONS, headings: 'décisions' },
  question: { cues: QUESTIONS, headings: 'questions' },
};
