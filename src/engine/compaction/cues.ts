import type { FactKind } from './fact.js';

export type SentenceKind = Extract<FactKind, 'constraint' | 'decision' | 'question'>;

/*
 * English patterns that show that a sentence is a constraint, a decision or a question. They are matched against the
 * plain form of the sentence (`plainSentence`). User sentences that match no pattern, in any language, are kept as
 * statements (`statements.ts`). So a pattern is only needed for one of these reasons:
 * - The sentence is a rule of the user, which must be kept even if it exceeds the token budget.
 * - The model wrote the sentence. Loupe keeps only rules, decisions and open questions of the model, not statements.
 * - The sentence would otherwise look like a task: "Write every message in English."
 *
 * Each pattern takes linear time: fixed words between single spaces.
 */

/** A pattern, or a pair: a sentence must match the first pattern (`when`) and must not match the second (`unless`). */
type Cue = RegExp | readonly [when: RegExp, unless: RegExp];

/** Instructions about how to work, such as "leave … unchanged". */
const ORDERS: readonly RegExp[] = [
  /(?:do not|don't|dont) (?!(?:worry|know|mind|think|see|remember|understand|care|have|get|believe|forget it|bother) )\S+/,
  /leave (?:\S+ ){1,12}(?:alone|untouched|unchanged|as|intact|be|out|in|where|there|empty|off|on)/,
  /(?:stop|quit|cease) (?!words )\S+ing/,
  /(?:remember|note) (?:that|to)/,
  /(?:use|write|put|call|name) (?:\S+ ){1,8}(?:, not|instead of|rather than)/,
  // How to write or store something: "write all messages in English".
  /(?:write|name|put|store|return|log|print|show|save|sort) (?:(?:all|every|each|everything|only|any)|(?:\S+ ){0,6}(?:in|as|with|to) (?:plain )?(?:english|german|french|spanish|lowercase|uppercase|\S+-case|utc|iso|cents?|metric))/,
];

/** An instruction at the start of a clause: "do not" is an instruction there, but not in "I do not". */
const ORDER = new RegExp(
  ` (?:[.,;:!()-]|and|but|so|please|pls|then|also|just|always) (?:${ORDERS.map(({ source }) => source).join('|')}) `,
);

const CONSTRAINTS: readonly Cue[] = [
  // Binding words, except in guesses and reports: "it must be the proxy", "it never worked".
  [
    / must(?:n't)? /,
    / (?:this|that|it|there|he|she) must be (?!in |on |at |able |kept |left |under |below )| must have (?:been|gone|had|broken|forgotten|happened|come|got|done|made|lost|seen|\p{L}+ed) /u,
  ],
  [
    / never /,
    / (?:it|this|that|has|have|had|i've|it's|was|were|they|he|she) never | i never (?!want |accept )| never (?:mind|worked|works|happened|happens|seen|saw|heard|used|tried|understood|noticed|passes|knew|returns|finishes|ends|gets) /,
  ],
  [
    / always /,
    / (?:it|this|that|has|have|had|i|it's|i've|they|he|she|that's|was|were|which|almost|nearly|not) always | (?:it|this|that) is always | always (?:the same|fails|failed|works|worked|happens|happened|says|said|crashes|gets|returns|been|had|opens?|takes|took) /,
  ],
  / (?:shall|ensures?|ensuring|forbidden|prohibited|mandatory|banned|non-negotiable|off-limits|disallowed|gotta) /,
  / (?:under no circumstances|in no case|in any case|at all costs|from now on|without exceptions?|at all times) /,
  [
    / only /,
    / (?:it|it's|this|that|i|i've|we|he|she|they|you|was|were|is|are|has|have|had|if|my|our|which|not|there's|can|the|one|for|with|see|saw|got) only | only (?:happens|happened|fails|failed|works|worked|occurs|appears|shows|breaks|one|an?|two|three|some|then|now|when i|thing|problem|difference|reason|changed|had|has) /,
  ],
  / (?:may|can|must|should|shall|will|is|are|be) only (?:be |use |run |read |write |accept |contain |import |allowed |permitted |supported )/,
  / (?:[.,;:!(-]|and|but|please|with) no (?!problem|idea|luck|worries|need |rush|change|clue|error|difference|way|one |wonder|thanks|reason|longer|doubt|matter|output|such |result|response|question|hurry|effect|sign|sense|warning|test|answer|funciona|se |hay |es |tengo |me |lo |la |le |puedo|entiendo|veo |[.,;:!?()])/,
  / please (?:no|not|never) /,
  // "Use single quotes.": too short to be kept as a statement.
  / (?:[.,;:!()-]|and|but|please|also|always) (?:use|follow|respect|obey|be) (?!it |this |that |them |sure )(?:\S+ ){1,2}[.!]/,
  ORDER,
  / (?:do not|don't) forget (?:to|that) /,
  / (?:i|we) (?:really |also |just )?(?:do not|don't|dont) (?:want|like|use|allow|accept|ship|support|store|log|commit|write|add|mock|test|trust|deploy) /,
  / (?:[.,;:!()-]|and|but|so|please|then|also|just|to|should|must|always|you|let's) keep (?!getting |seeing |running |going |on |up |having |trying |wondering |hearing |telling )/,
  / (?:make|be|making) (?:absolutely |very )?sure (?!you (?:are|were|have) )/,
  / (?:take care (?:to|not|that|of)|(?:be|very) careful (?:to|not|that|with)|refrain from) /,
  / (?:[.,;:!()-]|and|but|so|please|then|also|just|to|should|must|we|always|you) avoid /,
  / (?:[.,;:!()-]|and|please|must|should|always|to) (?:stick|adhere|conform|comply|stay) (?:to|with|within|on|below|under|in|away|off|at|as) /,
  / (?:[.,;:!()-]|i|we|always|please|and) prefer /,
  // A rule without a verb: "Tabs, not spaces."
  / [.;:!] (?!(?:it|this|that|i|he|she|we|they|no|yes|sorry|thanks|sure|ok|okay|well|hm) )(?:\S+ ){1,7}, (?:and )?(?:not|never) (?!yet |sure |really |here |now |bad |only |at all |what |that )(?:\S+ ){1,5}[.!]/,
  // "Commit messages start with the ticket number.": a plural without an article means all messages.
  /^ [.] (?!(?:they|we|you|i|these|those|some|most|both|many|things|the|my|our|his|her|their|two|three|several|users|let's|please|then|now|just|and|so|can|could|let) )(?:\S+ ){0,2}\S+s (?:start|begin|end|go|live|stay|carry|come) (?:with|in|into|next|under|through|from|on|at|inside|to|out|private|small|an?) /,
  // Rules about a thing, without a person: "… is not allowed".
  / (?:not|only|never|isn't|aren't|nothing|nobody|no \S+) (?:\S+ ){0,4}(?:allowed|permitted|acceptable|ok|okay) /,
  / (?:is|are|be) (?:always |strictly )?required (?!a |several |some |in order )/,
  / may (?:not|only|never) (?!be (?:an?|the|related|worth) |work |help |matter |have )| (?:nothing|nobody|none|no \S+|no \S+ \S+) (?:\S+ ){0,6}may /,
  / should (?:never|always|not|only|stay|remain|keep|be (?:at|no|under|below|within|in|on|kept|left|able|lower|upper|read|\S+-case|\S+able|\S+ed|\S+less|iso|utc)|use|have|return|follow|match|contain|accept|support|default|require|include|fit|run|work) (?!happen |matter |be (?:hard|happening|a problem|difficult|fixed|gone) |work now |work again )/,
  / (?:we|you|users?|customers?|clients?|nobody) (?:cannot|can't|can not) (?:use|add|change|touch|break|rely|ship|upgrade|update|install|depend|require|assume|exceed|drop|move|rename|store|send|log|afford|switch|modify|remove|delete|accept|rewrite|replace|call|access) /,
  / (?!(?:i|we|you|who|they|i'd|he|she) )\S+ (?:has|have) to (?!do with |say |offer )/,
  [
    / (?!(?:i|we|you|who|they|he|she|only|just|will|still|also|may|might|would|could|an?|to|no|don't|not|should|if) )\S+ needs? to /,
    / needs? to (?:be fixed|be checked|know|restart|talk|leave|go|see|be done|find out|ask|decide|think|do (?:this|that|it)|wait|be (?:decided|clarified|discussed|determined)) /,
  ],
  / (?:[.,;:!(-] at (?:most|least)|not exceed|no (?:more|less|later|fewer|longer) than|limited to|(?:limit|maximum|minimum) (?:is|stays)) (?!reached )/,
  / (?:unless|until|before|without) (?:i|we|me|my) (?:say|said|agree|approve|asked|tell|told|ask|confirm|confirmed|approval|permission|consent|ok|okay|explicitly|have (?:said|agreed|approved|confirmed)) /,
  / without (?:any |ever )?(?:changing|touching|breaking|adding|using|asking|modifying|altering|introducing|new |external |my |additional |losing|renaming|removing|requiring)/,
  / (?:[.,;:!(-]|one|our|the|another|hard) (?:very )?(?:important|rule|constraint|requirement|caution) (?:is )?[:,] /,
];

const DECISIONS: readonly Cue[] = [
  / (?:decided|agreed|settled|opted) (?:to|on|against|for|that|not|upon|in) /,
  / (?:[.,;:!(-]|the|our|final|my) (?:final )?(?:decision|plan|approach|verdict|conclusion|outcome) (?:is|was|:) /,
  / (?:let's|lets|let us) (?:use|go|keep|stick|take|drop|skip|ship|make|call|name|store|put|stay|switch|move|avoid|leave) /,
  / (?:we'll|we will|i'll|i will|we are|we're|i'm|i am) (?:go|going|use|using|take|taking|keep|keeping|ship|shipping|stick|sticking|switch|switching|stay|staying|drop|dropping|adopt|call|store) /,
  / (?:[.,;:!(-]|and|so|ok|okay|we|i) (?:going|go|went) (?:with|for) /,
  / (?:chosen|chose|instead of|rather than) /,
  / (?:we|i|was|were|is|are|been) (?:picked|ruled out|rejected|dropped|abandoned|adopted|scrapped|ditched) /,
  / (?:i've|we've|i|we|have) (?:finally |now )?(?:settled|landed) on /,
  / (?:we|i|have|has) (?:switched|moved|migrated) (?:to|from|over) /,
  // A finding is also kept as a decision: "it turned out that …".
  / (?:turned|turns) out /,
  [
    / (?:(?:root |real |actual )?cause|reason|culprit|explanation) (?:is|was|turned|for \S+ (?:\S+ ){0,6}(?:is|was)) /,
    / (?:might|maybe|perhaps|what|could|possible|no) (?:\S+ ){0,3}(?:cause|reason|culprit) /,
  ],
  [
    / (?:fails?|failed|crash(?:es|ed)?|breaks?|broke|hangs?|hung|happens|happened|slow|wrong|empty|missing|leaks?|leaked|times out|timed out|stops|stopped|died|dies) (?:\S+ ){0,8}(?:because|due to|since the) /,
    / (?:maybe|perhaps|probably|might|could) /,
  ],
  / (?:(?:is|was|were|are|been) caused by|(?:i|we|i've|we've) (?:traced|tracked|narrowed) (?:it|this|that|the)|boils down to) /,
];

const QUESTIONS: readonly Cue[] = [
  / (?:todo|tbd|fixme|remains to be) /,
  / (?:open|unresolved|outstanding|unanswered) (?:questions?|issues?|points?|problems?) /,
  / (?:is|are|remains?|still) (?:still )?(?:open|unclear|undecided|unresolved)(?: whether| how| which| what| if| who| when)? [.,;:!?]/,
  / (?:unclear|open|undecided) (?:whether|how|which|what|if|who|when) /,
  / (?:to be|not yet|not been|still needs? to be|needs? to be|must be|yet to be) (?:decided|clarified|determined|discussed) /,
  / (?:haven't|hasn't|have not|has not|not|nobody|don't|didn't|unsure|still) (?:\S+ ){0,5}(?:decided|figured|agreed|settled|worked out|found out|sure|clear|know|knows|clarified|answered|unclear|unsure|wondering) (?:\S+ ){0,4}?(?:yet|whether|if|how|which|who|what|when|where) /,
  / (?:the|one|another|remaining|big) (?:\S+ )?question (?:is|remains|stays|:)/,
  / (?:still|later) (?:need|needs|have|has|to) (?:\S+ )?(?:to )?(?:decide|find out|figure|clarify|ask|check whether|agree|choose|determine) /,
];

const CUES: Readonly<Record<SentenceKind, readonly Cue[]>> = { constraint: CONSTRAINTS, decision: DECISIONS, question: QUESTIONS };

/** Whether a sentence matches a pattern of this kind. `words` is the plain form of the sentence (`plainSentence`). */
export function hasCue(kind: SentenceKind, words: string): boolean {
  return CUES[kind].some((cue) => (cue instanceof RegExp ? cue.test(words) : cue[0].test(words) && !cue[1].test(words)));
}

/** Words in the heading of a list, by the kind of its items, in four languages. Items often match no pattern. */
export const HEADINGS: Readonly<Record<SentenceKind, ReadonlySet<string>>> = {
  constraint: new Set(
    `constraints rules requirements guardrails conventions restrictions don'ts must-haves guidelines non-goals limits
    regeln vorgaben anforderungen bedingungen einschrankungen randbedingungen regles contraintes exigences restricciones reglas requisitos`.split(
      /\s+/,
    ),
  ),
  decision: new Set(['decisions', 'decided', 'entscheidungen', 'beschlusse', 'decisiones']),
  question: new Set(['questions', 'todo', 'todos', 'unresolved', 'open-questions', 'unclear', 'fragen', 'preguntas', 'pendientes']),
};
