import { type Cue, type Language, phrase, phraseUnless, words, wordsUnless } from './cue.js';

/** Orders that say how to work, and wishes. */
const WISHES: readonly Cue[] = [
  phrase(
    'quiero queremos necesito necesitamos exijo exigimos prefiero preferimos quisiera gustaría espero pido agradecería agradezco agradeceríamos ruego insisto',
    / (?:quiero|queremos|necesito|necesitamos|exijo|exigimos|prefiero|preferimos|quisiera|gustaría|espero|pido|agradecería|agradeceríamos|agradezco|ruego|insisto) (?:en )?(?:que (?!me expliques |me digas |mires )|solo |no |todo|toda|cada |ningun|nada )/,
  ),
  phrase('prefiero preferimos', / (?:prefiero|preferimos|preferiría) /),
  phrase(
    'usa usad utiliza utilice emplea emplee conserva conserve respete prioriza prefiere limita limite restringe responde contesta cuida vigila recuerda recuerde olvides trata escribe escriba mantén manten',
    / (?:[.,;:!(-]|y|pero|por favor|porfa|siempre) (?:usa|usad|utiliza|utilice|emplea|emplee|conserva|conserve|respete|prioriza|prefiere|(?:limita|limite|restringe) (?:\S+ ){1,6}a|(?:responde|contesta)(?:me)? (?:en|con|solo|sin)|cuida|vigila|recuerda que|recuerde que|no olvides|trata|manten|(?:escribe|escriba) (?:\S+ ){0,5}(?:en|sin|con)) (?!esto |ese |este )/,
  ),
  phrase(
    'pregunta pregúntame avisa avísame consulta consúltame',
    / (?:[.,;:!(-]|y|pero|por favor) (?:pregunta|pregúntame|avisa|avísame|consulta|consúltame) (?:\S+ ){0,5}antes /,
  ),
  phrase('cuenta cuidado ojo', / (?:ten(?:ga)? en cuenta|ten(?:ga)? cuidado|ojo (?:con|,|:)|cuidado con) /),
  phrase('nada', / (?:[.,;:!(-]|y|pero) nada de /),
  phrase('ni', / (?:ni (?:un|una) (?:solo|sola) |ni se te ocurra |ni hablar)/),
  phrase(
    'no',
    / (?:[.,;:!(-]|y|pero|por favor|porfa) no (?:me |lo |la |los |las |se )?(?:use|toque|borre|cambie|modifique|añada|agregue|haga|envíe|guarde|escriba|suba|ponga|elimine|mezcle|ejecute|llame|quite|mueva|rompa) /,
  ),
  phrase('antes', / (?:[.,;:!(-]|y) antes de (?!ayer )/),
  phrase('adelante futuro', / (?:en adelante|en el futuro) /),
  phrase(
    'cliente contrato ley normativa reglamento rgpd',
    / (?:cliente|contrato|ley|normativa|reglamento|rgpd) (?:\S+ ){0,2}(?:exige|obliga|prohíbe|requiere|pide|quiere) /,
  ),
];

/** What holds, whoever does the work. */
const NORMS: readonly Cue[] = [
  words(
    'exigen obligatorios obligatorias inaceptable innegociable intocable vetado vetada prohibidos prohibidas estrictamente terminantemente vale-todo prohíbe',
  ),
  phraseUnless(
    'puede pueden podemos podrá podrán debe',
    / no (?:se )?(?:puede|pueden|podemos|podrá|podrán|pueda|puedan) (?:\S+ )?\S+(?:ar|er|ir|arse|erse|irse|arlo|arla) /,
    / (?:reproducir|ver|encontrar|abrir|entender|conectar|leer|cargar) /,
  ),
  phrase(
    'puede pueden podemos',
    / (?:no|nunca|jamás) (?:se )?(?:puede|pueden|podemos) (?:haber|tener|quedar|salir|tardar|ser|estar|pasar) /,
  ),
  phrase(
    'opción negociable aceptable permitido permitida permitidos discusión mesa',
    / (?:no|nunca|fuera) (?:\S+ ){0,3}(?:opción|negociable|aceptable|permitido|permitida|permitidos|discusión) /,
  ),
  phrase(
    'permite permiten admite admiten acepta aceptan toca tocan cambia borra usa usan modifica',
    / no se (?:permite|permiten|admite|admiten|acepta|aceptan|toca|tocan|cambia|cambian|borra|borran|usa|usan|modifica|modifican) /,
  ),
  phrase(
    'necesario importante crucial fundamental esencial preferible vital indispensable mejor',
    / (?:necesario|importante|crucial|fundamental|esencial|preferible|vital|indispensable|clave) (?:que|no|:|mantener|evitar|usar|conservar) /,
  ),
  phrase('han ha', / (?:ha|han) de /),
  phrase(
    'tenemos debemos habría convendría conviene',
    / (?:(?:tenemos|tienes) que (?:mantener|soportar|cumplir|usar|evitar|conservar|poder|respetar)|habría que|convendría|conviene) /,
  ),
  phrase(
    'más mucho sumo máximo menos',
    / (?:no (?:\S+ ){0,5}(?:más|menos) (?:de|que)|como mucho|a lo sumo|máximo (?:de |: )?\d\S*|\d+ (?:\S+ )?(?:como )?máximo) /,
  ),
  phrase('más menos', / (?:[.,;:!(-]|y) (?:no|nunca|ni) más (?:de|que) /),
  phrase(
    'excepción nadie otro más excepciones',
    / (?:sin (?:ninguna )?excepción|sin excepciones|nadie más|nadie (?:salvo|excepto|puede|debe|toca)|ningún otro|(?:y|,) nada más) /,
  ),
  phrase('cuando tal condición solo siempre', / (?:siempre (?:y cuando|que)|con tal de que|a condición de|solo si) (?!falla |pasa )/),
  phrase(
    'cada todo toda todos todas',
    / (?:[.,;:!(-]|y|que) (?:cada|todo|toda|todos|todas) (?:\S+ ){1,6}(?:lleva|llevan|va|van|pasa|pasan|necesita|necesitan|usa|usan|requiere|requieren|queda|quedan|lleve|lleven|pase|pasen|(?:se (?:guardan?|escriben?|prueban?|revisan?|cifran?|almacenan?))) /,
  ),
  phrase('manera mundo momento modo', / (?:de ninguna manera|de ningún modo|por nada del mundo|en ningún momento) /),
  phrase('soportamos admitimos aceptamos permitimos usamos', / solo (?:soportamos|admitimos|aceptamos|permitimos|usamos|damos) /),
  phrase(
    'inglés español castellano francés alemán utc céntimos centavos iso minúsculas mayúsculas',
    / en (?:inglés|español|castellano|francés|alemán|utc|céntimos|centavos|formato iso|iso\S*|minúsculas|mayúsculas) /,
  ),
  phrase('que', / [.,;:!(] que no (?:se )?\S+ /),
  phrase('necesitamos', / necesitamos (?:soportar|mantener|cumplir|poder|conservar|evitar|guardar|usar|respetar) /),
  phrase('sin con', / (?:[.,;:!(-]|y|pero) (?:haz|hazlo|hazla|escríbelo|trabaja|déjalo|ponlo|todo|hacedlo) (?:\S+ ){0,4}sin /),
  phrase(
    'evitar mantener conservar respetar usar utilizar usen eviten mantengan',
    / (?:[.,;:!(-]|y|pero|por favor) (?:evitar|mantener|conservar|respetar|usar|utilizar|usen|eviten|mantengan) /,
  ),
  phrase('posible', / lo (?:más|menos) (?:\S+ ){1,3}posible /),
];

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
  phrase(
    'puede pueden podemos',
    / no (?:puede|pueden|podemos|se puede) (?:cambiar|usar|añadir|superar|contener|depender|tocar|romper|modificar|modificarse|exceder) /,
  ),
  ...WISHES,
  ...NORMS,
];

const DECISIONS: readonly Cue[] = [
  words('decidido decidimos elegimos optamos acordamos decisión'),
  phrase('vamos', / vamos (?:a usar|con|a utilizar|a quedarnos|a mantener) /),
  phrase('usemos usamos usaremos quedamos', / (?:[.,;:!(-]|y|entonces|mejor) (?:usemos|usamos|usaremos|quedamos) /),
  words('descartamos descartado optado opté escogimos escogido acordado elegido'),
  phrase(
    'quedamos quedo pasamos cambiamos migramos usaremos seguimos',
    / (?:nos quedamos con|me quedo con|(?:nos )?(?:pasamos|cambiamos|migramos) a|usaremos|seguimos con|al final ,? ?(?:usamos|vamos)) /,
  ),
  phrase('decidido acordado cerrado', / (?:queda|está) (?:decidido|acordado|cerrado) /),
  words('decidí decidió decantamos decanto decantado'),
  phrase('resulta resultó', / (?:resulta|resultó) (?:que|ser) /),
  phraseUnless(
    'causa debe problema error fallo culpa',
    / (?:la (?:causa|culpa) (?:es|era|fue)|se debe a|se debía a|(?:problema|error|fallo|bug) (?:viene|venía|es que|era que|está en|estaba en)|por culpa de) /,
    / (?:quizá|quizás|tal vez|igual) /,
  ),
  phrase('porque', / (?:falla|fallaba|falló|rompe|rompía|cuelga) (?:\S+ ){0,6}porque /),
  phrase('lugar vez', / en (?:lugar|vez) de /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('queda falta quedan', / (?:queda|quedan|falta) (?:por )?(?:saber|decidir|definir|ver|confirmar|resolver|aclarar|determinar) /),
  phrase(
    'sabemos sé claro decidido',
    / (?:no sabemos|aún no|todavía no|no (?:está|tenemos|me queda) claro) (?:\S+ )?(?:sabemos|si|aún|todavía|hemos decidido|está claro|cuándo|cómo|quién|qué|cuál) /,
  ),
  phrase('sin', / (?:sigue|está|queda) (?:\S+ )?sin (?:decidir|definir|resolver|aclarar) /),
  phrase('aún todavía', / (?:aún|todavía) no (?:\S+ ){0,3}(?:sabemos|sabe|claro|decidido|definido|resuelto) /),
  phrase('pendiente', / pendiente (?:de )?(?:definir|decidir|saber|confirmar|si) /),
  phrase('pendiente pendientes abierta abiertas', / (?:queda pendiente|está pendiente|preguntas? (?:abiertas?|pendientes?)) /),
  phrase('decidir definir aclarar', / (?:por|falta) (?:decidir|definir|aclarar) /),
];

export const SPANISH: Language = {
  constraint: { cues: CONSTRAINTS, headings: 'restricciones reglas requisitos' },
  decision: { cues: DECISIONS, headings: 'decisiones' },
  question: { cues: QUESTIONS, headings: 'preguntas pendientes' },
};
