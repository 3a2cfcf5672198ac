import { type Cue, type Language, phrase, words, wordsUnless } from './cue.js';

const CONSTRAINTS: readonly Cue[] = [
  wordsUnless(
    'debe deben debes debemos deberá deberán debería deberían',
    / (?:esto|eso) debe (?:ser|de ser) (?:un|una|el|la) | deben? (?:de )?haber /,
  ),
  phrase('tiene tienen', / (?:tiene|tienen) que (?!ver )/),
  phrase('hay', / (?:no )?hay que /),
  wordsUnless('nunca jamás', / (?:nunca|jamás) (?:he|ha|había|han|hemos|funcionó|funciona|vi|pasa|pasó|termina) /),
  wordsUnless(
    'siempre',
    / siempre (?:falla|fallan|pasa|sale|da|igual|lo mismo|el mismo|la misma|ha|he|funciona|dice) | (?:es|está|como|casi) siempre /,
  ),
  phrase(
    'no',
    / (?:[.,;:!(-]|y|pero|por favor) no (?:me |lo |la |los |las |se )?(?!es |tienes |puedes |sabes |crees |ves |hay |sé |está |funciona )\S+(?:es|as|áis|éis|ar|er|ir|en|an) /,
  ),
  phrase(
    'solo sólo solamente únicamente',
    / (?:[.,;:!(-]|y|pero|usa|usar|puede|pueden|debe|deben|se|utiliza) (?:\S+ ){0,2}?(?:solo|sólo|solamente|únicamente) (?!veo |pasa |dos |un |una |funciona |falla |cuando |hay |cambié )/,
  ),
  words('prohibido prohibida obligatorio obligatoria imprescindible exclusivamente'),
  phrase(
    'asegúrate asegúrese asegurate evita evite evitad mantén mantenga mantener deja respeta procura',
    / (?:[.,;:!(-]|y|pero|por favor|siempre) (?:asegúrate|asegurate|asegúrese|evita|evite|evitad|mantén|mantenga|deja|respeta|procura) /,
  ),
  phrase('ningún ninguna', / (?:[.,;:!(-]|y|sin|añadas|agregues|uses) (?:ningún|ninguna) (?!problema |error |idea )/),
  phrase('sin', / sin (?:cambiar|tocar|romper|añadir|agregar|usar|modificar|preguntar|perder|nuevas|nuevos) /),
  phrase('máximo mínimo menos', / (?:como (?:máximo|mínimo)|al menos) /),
  phrase('concepto caso circunstancia', / (?:bajo ningún concepto|en ningún caso|bajo ninguna circunstancia) /),
  phrase('ahora', / (?:a partir de|de) ahora (?:en adelante )?/),
  phrase('puede pueden podemos', / no (?:puede|pueden|podemos|se puede|se pueden) (?!encontrar |ser (?:que|eso) |abrir |conectar )/),
  phrase(
    'quiero queremos quisiera quisiéramos necesito necesitamos exijo insisto preferiría prefiero agradecería agradeceríamos gustaría pido quieren quiere',
    / (?:quiero|queremos|quisiera|quisiéramos|necesito|necesitamos|exijo|insisto|preferiría|prefiero|agradecería|agradeceríamos|gustaría|pido|quieren|quiere) (?:\S+ )?(?:que|no|en|solo|todos|todas|cada|el|la|los|las) /,
  ),
  phrase('más menos mayor menor', / no (?:\S+ ){0,3}?(?:más|menos) de | ni (?:más|menos) de /),
  phrase(
    'opción negociable discusión plantea',
    / (?:no es una opción|no es negociable|fuera de (?:discusión|cuestión)|ni se plantea|descartad[oa]s?) /,
  ),
  phrase(
    'importante esencial crucial necesario fundamental vital clave',
    / (?:es|son|resulta) (?:\S+ )?(?:importante|esencial|crucial|necesario|necesaria|fundamental|vital|clave) (?:que|para|no|mantener|usar|[.,!]) /,
  ),
  phrase('siempre mientras condición', / (?:siempre que|siempre y cuando|mientras (?:no|se|la|el|los|las)|con la condición) /),
  phrase(
    'pregunta pregúntame avisa avísame consulta espera',
    / (?:[.,;:!(-]|y|pero) (?:pregunta|pregúntame|avisa|avísame|consulta|consúltame) (?:\S+ ){0,3}?(?:antes|primero) /,
  ),
  phrase(
    'usa use usad utiliza utilice escribe escriba responde responda pon ponga limita respeta conserva guarda llama',
    / (?:[.!(-]|pero|porfa|por favor|favor) (?:usa|use|usad|utiliza|utilice|escribe|escriba|responde|responda|limita|respeta|conserva) (?!esto |eso |lo )/,
  ),
  phrase('deja deje dejen', / (?:[.,;:!(-]|y|pero) (?:deja|deje|dejen) de \S+(?:ar|er|ir) /),
  phrase('supone', / se supone que /),
  words('únicamente prohibida prohibidos prohibidas obligatorios obligatorias indispensable imperativo'),
  phrase('nada nadie', / (?:nada más|nadie (?:más|salvo|excepto)|nada de) (?!que |por )/),
];

const DECISIONS: readonly Cue[] = [
  words('decidido decidimos elegimos optamos acordamos decisión'),
  phrase('vamos', / vamos (?:a usar|con|a utilizar|a quedarnos|a mantener) /),
  phrase('usemos usamos usaremos quedamos', / (?:[.,;:!(-]|y|entonces|mejor) (?:usemos|usamos|usaremos|quedamos) /),
  phrase('quedamos quedaremos seguimos optamos', / (?:nos (?:quedamos|quedaremos)|seguimos|seguiremos|optamos|apostamos) (?:con|por|en) /),
  phrase(
    'causa culpa culpable resulta',
    / (?:la causa (?:es|era)|el culpable (?:es|era)|la culpa (?:es|era) de|resulta que|resultó (?:que|ser)) /,
  ),
  phrase('lugar vez', / en (?:lugar|vez) de /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('pendiente pendientes abierta abiertas', / (?:queda pendiente|está pendiente|preguntas? (?:abiertas?|pendientes?)) /),
  phrase(
    'sabemos sé saber claro',
    / (?:no (?:sabemos|sé|está claro)|todavía no|aún no) (?:\S+ ){0,3}?(?:si|cómo|qué|quién|cuándo|cuál) | (?:falta|queda) (?:por )?(?:saber|ver) /,
  ),
  phrase('decidir definir aclarar', / (?:por|falta) (?:decidir|definir|aclarar) /),
];

export const SPANISH: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'restricciones reglas requisitos' },
  decision: { cues: DECISIONS, headings: 'decisiones' },
  question: { cues: QUESTIONS, headings: 'preguntas pendientes' },
};
