import { type Cue, type Language, phrase, phraseUnless, words, wordsUnless } from './cue.js';
import { ENGLISH_DEMANDS } from './englishDemands.js';

/*
 * The patterns are alternatives of fixed words between single spaces: each is linear in the sentence. "Clause start" is a
 * mark or a word after which an order can begin: "do not" there is one, and in "I do not" it is not.
 */

const CONSTRAINTS: readonly Cue[] = [
  wordsUnless(
    "must mustn't",
    / (?:this|that|it|there|he|she) must be (?!in |on |at |able |possible |kept |left |done |made |at |under |below )| must have (?:been|gone|had|changed|broken|forgotten|missed|happened|come|got|gotten|done|made|lost|seen|\p{L}+ed) /u,
  ),
  wordsUnless(
    'never',
    / (?:it|this|that|has|have|had|i've|it's|was|were|they|he|she) never | i never (?!want |ever want |like to |accept )| never (?:mind|worked|works|happened|happens|seen|saw|heard|used|tried|understood|noticed|passes|knew|had|been|returns|finishes|appears|shows|ends|gets) /,
  ),
  wordsUnless(
    'always',
    / (?:it|this|that|has|have|had|i|it's|i've|they|he|she|that's|was|were|which|almost|nearly|not) always | (?:it|this|that) (?:is|was|has) always | always (?:the same|fails|failed|works|worked|happens|happened|says|said|crashes|gets|returns null|returns undefined|been|had|open|opens|takes|took) /,
  ),
  phrase(
    "do don't dont",
    / (?:[.,;:!()-]|and|but|so|please|pls|then|also|just|or|you|really|certainly|everyone|whatever) (?:please |also |just )?(?:do not|don't|dont) (?!worry |know |mind |think |see |remember |understand |care |have |get |believe |forget it |bother )/,
  ),
  phrase(
    "do don't dont",
    / (?:i|we) (?:really |also |just )?(?:do not|don't|dont) (?:want|like|use|allow|accept|ship|support|store|log|need any|commit|write|add|mock|test|trust|deploy) /,
  ),
  phrase("forget don't", / (?:do not|don't) forget (?:to|that) /),
  wordsUnless(
    'only',
    / (?:it|it's|this|that|i|i've|we|he|she|they|you|was|were|is|are|has|have|had|if|my|our|which|not|there's|can) only | (?:the|our|my|one) only (?!allowed |permitted |supported |accepted )| (?:is|was|are|were|for|with|had|has|got|see|saw) (?:\p{L}+ )?only | only (?:happens|happened|fails|failed|works|worked|occurs|occurred|appears|shows|breaks|one|a|an|two|three|four|some|see|saw|got|then|now|when i|thing|problem|difference|reason|changed|had|has) /u,
  ),
  phrase(
    'only',
    / (?:may|can|must|should|shall|will|is|are|be) only (?:be |use |run |read |write |accept |contain |import |allowed |permitted |supported )/,
  ),
  phrase(
    'no',
    / (?:[.,;:!(-]|and|but|please|with) no (?!problem|idea|luck|worries|need |rush|change|clue|error|difference|way|one |wonder|thanks|reason|longer|doubt|matter|output|such |result|response|question|hurry|effect|success|big|joke|sign|sense|warning|test|answer|more questions|funciona|sé |hay |es |tengo |me |se |lo |la |le |puedo|entiendo|veo |está|[.,;:!?()])/,
  ),
  phrase('ever', / (?:no|not|nothing|nobody|don't|without) (?:\S+ ){0,6}ever /),
  phrase(
    'keep',
    / (?:[.,;:!()-]|and|but|so|please|then|also|just|to|should|must|always|you|let's) keep (?!getting |seeing |running |going |on |up |having |trying |wondering |hearing |telling )/,
  ),
  phrase('sure', / (?:make|be|making|made) (?:absolutely |very )?sure (?!you (?:are|were|have) )/),
  words('ensure ensures ensuring forbidden prohibited mandatory banned non-negotiable off-limits compulsory disallowed'),
  phrase('careful', / (?:be|very) careful (?:to|not|that|with) /),
  phrase('care', / take care (?:to|not|that|of) /),
  phrase('avoid', / (?:[.,;:!()-]|and|but|so|please|then|also|just|to|should|must|we|always|you) avoid /),
  phrase('refrain', / refrain from /),
  phrase(
    'stick adhere conform comply stay',
    / (?:[.,;:!()-]|and|please|must|should|always|to) (?:stick|adhere|conform|comply|stay) (?:to|with|within|on|below|under|in|away|off|at|as) /,
  ),
  phrase(
    'stays stay remains remain staying',
    / (?:stays?|remains?) (?:as|at|below|under|within|in|the|un\S+|on|with|readable|compatible|out|off|private|public|valid|stable|intact|free|constant|optional|required|read-only|where|backwards?|what) /,
  ),
  phrase(
    'leave',
    / (?:[.,;:!()-]|and|but|so|please|then|just|also) leave (?:\S+ ){1,12}(?:alone|untouched|unchanged|as|intact|be|out|in|where|there|empty|off|on) /,
  ),
  phrase('alone off', / (?:hands off|leave \S+ alone|off limits) /),
  phrase(
    'allowed permitted acceptable ok okay',
    / (?:not|only|never|isn't|aren't|nothing|nobody|no \S+) (?:\S+ ){0,4}(?:allowed|permitted|acceptable|ok|okay) /,
  ),
  phrase('required', / (?:is|are|be) (?:always |strictly )?required (?!a |several |some |in order )/),
  phrase(
    'may',
    / may (?:not|only|never) (?!be (?:a|an|the|related|worth) |work |help |matter |have )| (?:nothing|nobody|none|no \S+|no \S+ \S+) (?:\S+ ){0,6}may /,
  ),
  words('shall'),
  phrase(
    'should',
    / should (?:never|always|not|only|stay|remain|keep|be (?:at|no|under|below|within|in|on|kept|left|able|lower|upper|read|\S+-case|\S+able|\S+ive|\S+ed|\S+less|\S+al|iso|utc)|use|have|return|follow|match|contain|accept|support|default|require|include|fit|run|work) (?!happen |matter |be (?:hard|happening|a problem|difficult) |be fixed |work now |work again |be gone )/,
  ),
  phrase("shouldn't", / (?!(?:this|that|it) )\S+ shouldn't /),
  phrase(
    'circumstances case event account costs means',
    / (?:under no circumstances|in no case|in any case|in no event|on no account|at all costs|by all means) /,
  ),
  wordsUnless(
    'cannot',
    / (?:i|it|this|that|he|she|they|you|which) cannot | cannot (?:reproduce|find|see|connect|resolve|open|read|be (?:found|resolved|reached|opened|read)) /,
  ),
  phrase(
    "can cannot can't",
    / (?:we|you|users?|customers?|clients?|nobody) (?:cannot|can't|can not) (?:use|add|change|touch|break|rely|ship|upgrade|update|install|depend|require|assume|exceed|drop|move|rename|store|send|log|have|afford|switch|modify|remove|delete|accept|rewrite|replace|call|access) /,
  ),
  phrase('has have', / (?!(?:i|we|you|who|they|i'd|he|she) )\S+ (?:has|have) to (?!do with |say |offer )/),
  phrase(
    'need needs',
    / (?:needs?) to (?:stay|remain|work|run|support|fit|pass|keep|be (?:able|at|below|under|compatible|in|on|within|kept|\S+able|\S+ed)) /,
  ),
  phrase(
    'every each all any',
    / (?:[.,;:!(-]|and|but|that) (?:every|each|all|any) (?!of the )(?:new )?\S+ (?:\S+ ){0,5}?(?:needs?|gets?|goes|go|has|have|starts?|ends?|carry|carries|requires?|returns?|uses?|lives?|live) (?!to be fixed |wrong |red |green |errors? )/,
  ),
  phrase(
    'most least than more exceed exceeding maximum minimum limit limited',
    / (?:[.,;:!(-] at (?:most|least) |not exceed | no (?:more|less|later|fewer|longer) than |exceeding |limited to |(?:limit|maximum|minimum) (?:is|stays) (?!reached ))/,
  ),
  phrase(
    'unless until before without',
    / (?:unless|until|before|without) (?:i|we|me|my) (?:say|said|agree|approve|asked|tell|told|ask|confirm|confirmed|approval|permission|consent|ok|okay|explicitly|have (?:said|agreed|approved|confirmed)) /,
  ),
  phrase(
    'without',
    / without (?:any |ever )?(?:changing|touching|breaking|adding|using|asking|modifying|altering|introducing|new |external |my |additional |losing|renaming|removing|requiring)/,
  ),
  phrase('now', / from now on /),
  phrase('remember note', / (?:[.,;:!()-]|and|please) (?:remember|note) (?:that|to) /),
  phrase('prefer', / (?:[.,;:!()-]|i|we|always|please|and) prefer /),
  phrase(
    'important rule constraint requirement warning caution',
    / (?:[.,;:!(-]|one|our|the|another|hard) (?:very )?(?:important|rule|constraint|requirement|caution) (?:is )?[:,] /,
  ),
  phrase('instead rather not', / (?:[.,;:!(-]|please|and|but) (?:use|write|put|call|name) (?:\S+ ){1,8}(?:, not|instead of|rather than) /),
  phrase('please no not', / please (?:no|not|never) /),
  ...ENGLISH_DEMANDS,
];

const DECISIONS: readonly Cue[] = [
  phrase('decided agreed settled opted', / (?:decided|agreed|settled|opted) (?:to|on|against|for|that|not|upon|in) /),
  phrase('decision', / (?:[.,;:!(-]|the|our|final|my) (?:final )?decision (?:is|was|:|to|[:-]) /),
  phrase(
    "let's lets let",
    / (?:let's|lets|let us) (?:use|go|keep|stick|take|drop|skip|ship|make|call|name|store|put|stay|switch|move|avoid|leave|do (?:it|that|this|the))/,
  ),
  phrase(
    "we'll will i'll going",
    / (?:we'll|we will|i'll|i will|we are|we're|i'm|i am) (?:go|going|use|using|take|taking|keep|keeping|ship|shipping|stick|sticking|switch|switching|stay|staying|drop|dropping|adopt|call|store) /,
  ),
  phrase('going go went', / (?:[.,;:!(-]|and|so|ok|okay) (?:going|go|went) (?:with|for) /),
  words('chosen chose'),
  phrase('instead', / instead of /),
  phrase('rather', / rather than /),
  phrase('picked ruled rejected dropped abandoned', / (?:we|i|was|were|is|are|been) (?:picked|ruled out|rejected|dropped|abandoned) /),
  phrase('plan approach', / the (?:plan|approach) is /),
  phrase(
    'call settled final agreed done',
    / (?:final|my|the) call [:,-]| (?:is|are|that's|it's) (?:settled|final|decided|agreed|a done deal) /,
  ),
  phrase('settled settling', / (?:i've|we've|i|we|have) (?:finally |now )?(?:settled|landed) on /),
  phrase(
    'choose choosing pick picking adopt adopting drop dropping scrap scrapping ditch ditching',
    / (?:i|we|we're|i'm|we'll|i'll) (?:finally |now )?(?:choose|choosing|pick|picking|adopt|adopting|adopted|dropping|scrap|scrapping|scrapped|ditch|ditching|ditched) /,
  ),
  phrase('verdict conclusion outcome consensus resolution', / (?:verdict|conclusion|outcome|consensus|resolution) (?:is|was|:|:) /),
  phraseUnless(
    'we',
    / [.,;:!(] (?:so |then |and |hence )?we (?:take|go with|keep|stay with|stick with|drop|skip) /,
    / (?:if|when|until|can|should) we /,
  ),
  phrase('voted went', / (?:voted|went) (?:for|with|against) /),
  phrase('it', / (?:[.,;:!(-]|so|then) (?:\S+ ){0,3}it is (?:then )?[.!,]/),
  phrase('won wins win', / (?:\S+ )won [.,;:!]| (?:the )?winner is /),
  // What was found out is settled as well.
  phrase('turned turns', / (?:turned|turns) out /),
  phraseUnless(
    'cause reason culprit',
    / (?:(?:root |real |actual )?cause|reason|culprit|explanation) (?:is|was|turned|for \S+ (?:\S+ ){0,6}(?:is|was)) /,
    / (?:might|maybe|perhaps|what|could|possible|no) (?:\S+ ){0,3}(?:cause|reason|culprit) /,
  ),
  phraseUnless(
    'because due',
    / (?:fails?|failed|crash(?:es|ed)?|breaks?|broke|hangs?|hung|happens|happened|slow|wrong|empty|missing|leaks?|leaked|times out|timed out|stops|stopped|died|dies) (?:\S+ ){0,8}(?:because|due to|since the) /,
    / (?:maybe|perhaps|probably|might|could) /,
  ),
  phrase(
    'caused traced tracked boils narrowed',
    / (?:(?:is|was|were|are|been) caused by|(?:i|we|i've|we've) (?:traced|tracked|narrowed) (?:it|this|that|the)|boils down to) /,
  ),
  phrase('switched moved migrated', / (?:we|i|have|has) (?:switched|moved|migrated) (?:to|from|over) /),
];

const QUESTIONS: readonly Cue[] = [
  phrase('todo tbd fixme', / (?:todo|tbd|fixme) /),
  phrase('open unresolved outstanding unanswered', / (?:open|unresolved|outstanding|unanswered) (?:questions?|issues?|points?|problems?) /),
  phrase(
    'open unclear undecided unresolved',
    / (?:is|are|remains?|still) (?:still )?(?:open|unclear|undecided|unresolved)(?: whether| how| which| what| if| who| when)? [.,;:!?]/,
  ),
  phrase('unclear open', / (?:unclear|open|undecided) (?:whether|how|which|what|if|who|when) /),
  phrase(
    'decided clarified determined discussed',
    / (?:to be|not yet|not been|still needs? to be|needs? to be|must be|yet to be) (?:decided|clarified|determined|discussed) /,
  ),
  phrase('decide clarify', / (?:still|have to|need to|must|later) (?:decide|clarify) /),
  phrase(
    "yet still haven't hasn't",
    / (?:haven't|hasn't|have not|has not|not|nobody|don't|didn't|unsure|still) (?:\S+ ){0,5}(?:decided|figured|agreed|settled|worked out|found out|sure|clear|know|knows|clarified|answered|unclear|unsure|wondering) (?:\S+ ){0,4}?(?:yet|whether|if|how|which|who|what|when|where) /,
  ),
  phrase('question', / (?:the|one|another|remaining|big) (?:\S+ )?question (?:is|remains|stays|:)/),
  phrase('seen', / remains to be /),
  phrase(
    'still',
    / still (?:need|needs|have|has|to) (?:\S+ )?(?:to )?(?:decide|find out|figure|clarify|ask|check whether|agree|choose|determine) /,
  ),
  phrase('follow-up', / (?:[.,;:!(-]|as) (?:a )?follow-up [:,]/),
];

export const ENGLISH: Language = {
  constraint: {
    cues: CONSTRAINTS,
    headings: "constraints rules requirements guardrails conventions restrictions don'ts must-haves guidelines non-goals limits",
  },
  decision: { cues: DECISIONS, headings: 'decisions decided' },
  question: { cues: QUESTIONS, headings: 'questions todo todos unresolved open-questions unclear' },
};
