import { type Cue, phrase, phraseUnless, words } from './cue.js';

/** Orders that say how to work, not what to do next: a verb where a clause begins. */
const ORDERS: readonly Cue[] = [
  phrase('stop quit cease', / (?:[.,;:!()-]|and|but|please|pls|also|just|to) (?:stop|quit|cease) (?!words )\S+ing /),
  phraseUnless(
    'use',
    / (?:[.,;:!()-]|and|but|please|pls|then|also|just|always) use /,
    / use (?:cases?|this|it|that|of) | use (?:\S+ ){1,6}(?:to|if|when) | use (?:\S+ ){1,4}for (?:that|\S+ing) |^ [.] (?:if|to|in order|alternatively|otherwise|or|install|for example) /,
  ),
  phrase(
    'preserve retain respect honor honour obey follow observe favor favour minimize minimise exclude reserve treat assume beware bear mind justify skip stay',
    / (?:[.,;:!()-]|and|but|please|pls|also|just) (?:preserve|retain|respect|hono(?:u)?r|obey|follow|observe|favou?r|minimi[sz]e|exclude|reserve|treat|assume|beware|bear in mind|mind|skip|stay) (?!tuned |up |me |us |you |@|this |these |the (?:steps|link|instructions) )/,
  ),
  phrase('limit cap restrict confine', / (?:[.,;:!()-]|and|but|please|also|just) (?:limit|cap|restrict|confine) (?:\S+ ){1,6}(?:to|at) /),
  phrase(
    'ask check warn tell notify consult confirm wait talk',
    / (?:[.,;:!()-]|and|but|please|pls|also|just|always) (?:ask|check|warn|tell|notify|consult|confirm|wait|talk) (?:\S+ ){0,5}(?:before|first|until|unless) /,
  ),
  phrase(
    'answer reply respond',
    / (?:[.,;:!()-]|and|but|please|pls|just) (?:answer|reply|respond) (?:me |us |to \S+ )?(?:in|with|only|briefly|without|like|as) /,
  ),
  phrase(
    'write name put store spell format express report return log print show save encode display document comment round name sort',
    / (?:[.,;:!()-]|and|but|please|pls|also|just) (?:write|name|put|store|spell|format|express|report|return|log|print|show|save|encode|display|document|comment|round|sort) (?:(?:all|every|each|everything|only|any) |(?:\S+ ){0,6}(?:in|as|with|to) (?:plain |proper )?(?:english|german|french|spanish|british|american|lower|upper|camel|snake|kebab|pascal|lowercase|uppercase|camelcase|\S+-case|utc|iso|cents?|utf-8|metric|si|present|past|imperative|double|single|short|two|the nearest) )/,
  ),
  phrase(
    'be brief concise careful consistent conservative strict explicit mindful aware terse',
    / (?:[.,;:!()-]|and|but|please|pls|just) be (?:\S+ )?(?:brief|concise|careful|consistent|conservative|strict|explicit|mindful|aware|terse) /,
  ),
  phrase('whenever doubt', / (?:whenever you|(?:when|if) in doubt) /),
  phrase(
    'if when before',
    / (?:[.;:!(-]|and|please) (?:(?:if|when) you (?:add|change|touch|edit|create|rename|delete|write|modify|introduce|commit|refactor|remove)|before (?:you (?!can|could|may|start|know|ask|do )|any|each|every|committing|pushing|merging|deleting|deploying|releasing|changing)) /,
  ),
  phrase('clear away', / (?:steer|stay|keep|stays?) (?:\S+ )?(?:clear|away|out) (?:of|from) /),
  // "Tabs, not spaces."
  phrase(
    'not never',
    / [.;:!] (?!(?:it|this|that|i|he|she|we|they|no|yes|sorry|thanks|sure|ok|okay|well|hm) )(?:\S+ ){1,7}, (?:and )?(?:not|never) (?!yet |sure |really |here |now |bad |only |at all |what |that )(?:\S+ ){1,5}[.!]/,
  ),
];

/** What the user wants, expects or asks for: "I insist on …", "I'd appreciate it if …". */
const WISHES: readonly Cue[] = [
  phrase('insist insists demand', / (?:i|we|they|he|she|\S+s|customer|client|team|boss|legal) (?:must |do )?(?:insists?|demands?) /),
  phrase(
    "want expect require need wish like i'd we'd",
    / (?:i|we|i'd|we'd) (?:do |really |also |just |would |strictly )*(?:want|expect|require|need|wish|like|love) (?:all|every|each|everything|nothing|no|only|that|zero|you to (?!explain|show|tell|look|check|fix|find|help|see|know)|it to|them to|this to|these to|our|to (?:keep|stay|avoid|preserve|retain|be able|stick|remain)|the \S+ (?:\S+ ){0,3}(?:to be|to stay|to remain|to work|to run|to have|to use|in|as)|\S+ (?:\S+ )?(?:to be|to stay|to remain|to work|to have)) /,
  ),
  phrase('appreciate grateful appreciated', / (?:appreciate|grateful|appreciated) (?:it |that |very much )?(?:if|when|that) /),
  phrase(
    'great nice good best better ideal lovely',
    / (?:would|it'd|that'd|i'd) be (?:great|nice|good|best|better|ideal|lovely) (?:if|to have) (?!you could (?:explain|show|tell|look|help|check|fix) )/,
  ),
  phrase("i'd we'd would", / (?:i'd|we'd|i would|we would) (?:much |strongly |really )?(?:rather|prefer|sooner) /),
  phrase(
    'preference fan hate dislike allergic',
    / (?:my|our) (?:\S+ )?preference |(?:not|no) (?:\S+ )?fan of | i (?:really )?(?:hate|dislike) (?!it |this |that |to say )| allergic to /,
  ),
  phrase(
    "won't will wouldn't wont would",
    / (?:i|we) (?:won't|wont|will not|wouldn't|would not) (?:accept|merge|allow|tolerate|approve|review|ship|use|support|pay|take|sign|have) /,
  ),
  phrase('promised guaranteed committed owe', / (?:we|we've|i|i've|sales|have) (?:\S+ )?(?:promised|guaranteed|owe) /),
  // "Fine by me, as long as …"
  phrase(
    'long provided condition providing',
    / (?:fine|ok|okay|good|allowed|free|happy|can|may|could|whatever|anything|welcome|agree|agreed|yes|yeah|sure|go ahead|cool|do) (?:\S+ ){0,10}(?:as long as|so long as|(?:provided|providing) (?:that|you|it|the|we)|, provided|on (?:one |the )?condition) /,
  ),
  phrase(
    'law contract gdpr legal auditors auditor compliance policy license licence customer customers client clients regulator regulators management security accountants boss spec standard team qa ops reviewers reviewer',
    / (?:law|contract|gdpr|legal|auditors?|compliance|policy|licen[sc]e|customers?|clients?|regulators?|management|security|accountants|boss|spec|standard|team|qa|ops|reviewers?) (?:\S+ ){0,2}(?:requires?|rejects?|demands?|wants?|insists?|forbids?|prohibits?|expects?|refuses?) (?!to see |to know |to talk |an? demo )/,
  ),
];

/** What holds, whoever does the work: "… isn't an option", "it is crucial that …", "nobody but …". */
const NORMS: readonly Cue[] = [
  phraseUnless(
    'expected supposed obliged obligated ought',
    / (?:is|are|isn't|aren't|be|not|we're|you're) (?:not |only |always )?(?:expected|supposed|obliged|obligated) (?:to|not) |\S+ ought (?:to|not) /,
    / (?:it|this|that|what|which) (?:is|was|isn't) supposed | ought to (?:be enough|know) /,
  ),
  phrase(
    'option table question taboo no-go unacceptable untouchable sacred dealbreaker breaker starter non-starter illegal must-have unsupported sacrosanct',
    / (?:(?:not|isn't|no|aren't|never) (?:\S+ )?option|off the table|out of the question|taboo|no-go|unacceptable|untouchable|sacred|sacrosanct|deal ?breaker|non-starter|illegal|must-have) /,
  ),
  phrase(
    'frozen fixed final locked immutable append-only read-only confidential stone',
    / (?:formats?|api|schema|interfaces?|contract|spec|files?|layout|protocol|versions?|branch|database|tables?|structure|names?|ids?|signatures?|headers?|keys?|columns?|module|folder|directory|urls?|routes?) (?:\S+ ){0,2}(?:is|are|stays?|remains?) (?:frozen|fixed|final|locked|immutable|append-only|read-only|confidential|stable) | in stone /,
  ),
  phraseUnless(
    'stuck limited restricted bound tied locked confined pinned',
    / (?:we|we're|they're|they|are|is|stays?) (?:still |all )?(?:stuck (?:on|with|at)|(?:limited|restricted|bound|tied|locked|confined|pinned) to) /,
    / (?:i'm|i am|it's|it is|got) stuck /,
  ),
  words('gotta mustnt'),
  phrase(
    'exception exceptions else circumstances times cases price strictly',
    / (?:without exceptions?|no exceptions?|(?:nowhere|nothing|nobody|no one|no-one|noone) else [.,;!)]|under any circumstances|at all times|in all cases|at any price|strictly (?!speaking )) ?/,
  ),
  phrase(
    'nobody nothing none one no-one noone',
    / (?:nobody|nothing|none|no one|no-one|noone) (?!and |or )(?:\S+ ){0,3}(?:but|except|other than|outside|besides|gets|goes|leaves|touches|ships|enters|merges|should|must|may) (?!a chance |wrong |broken )/,
  ),
  phraseUnless(
    'crucial important essential vital critical imperative paramount necessary key must',
    / (?:crucial|important|essential|vital|critical|imperative|paramount|necessary) (?:that|not to|to (?:keep|have|be|stay|preserve|avoid|use|us)|for (?:\S+ ){1,5}(?:to|that)) | (?:is|are) (?:crucial|essential|vital|paramount|imperative|key|a must|a hard \S+|sacred) [.,;:!]/,
    / important to me to /,
  ),
  phraseUnless(
    'needs need',
    / (?!(?:i|we|you|who|they|he|she|only|just|will|still|also|may|might|would|you'll|could|a|to|no|don't|not|should|if|we'll) )\S+ needs? to (?:\S+ )/,
    / needs? to (?:be fixed|be checked|know|restart|talk|leave|go|see|be (?:done|able to know)|find out|ask|decide|think|do (?:this|that|it)|wait|be (?:decided|clarified|discussed|determined)) /,
  ),
  phrase(
    'we you',
    / (?:we|you) (?:also |still |always |really )?(?:have|need) to (?:support|keep|stay|comply|use|stick|avoid|ship|run|work|store|encrypt|ask|be able|fit|follow|respect|preserve|remain|handle|document|sign|anonymi[sz]e|log|target) /,
  ),
  phrase(
    "can't cannot cant can",
    / (?:we|you|users?|customers?|clients?|nobody|no one|it|\S+s) (?:cannot|can't|cant|can not|can never) (?:have|exceed|take (?:more|longer)|be (?!found|resolved|reached|opened|read |loaded|parsed|reproduced|seen|right|true|serious|the |a |an |that |it |so |undone|done |explained|sure)\S+ed |be (?:longer|bigger|larger|slower|blank|empty|null|more|less|later)|go (?:over|above|beyond|below)|grow|leave) ?/,
  ),
  phrase(
    "can't cannot cant",
    / we (?:cannot|can't|cant|can not) (?!see |find |reproduce |tell |say |figure |get |open |connect |know |wait |explain |log in |reach |do much |go on |read |work )/,
  ),
  phrase(
    'only',
    / (?:we|you|they|customers?|clients?|i) only (?:ever )?(?:support|use|accept|allow|ship|deploy|target|speak|store|trust|permit|write|log|take|merge|release|want|need) /,
  ),
  phrase(
    'every each all',
    / (?:[.,;:!(-]|and|but|that) (?:every|each|all) (?!of (?:the|these|those) )(?:\S+ ){1,4}(?:comes?|stays?|is|are) (?:from |to |in |on |under |stored|written|logged|kept|named|signed|encrypted|documented|tested|reviewed|prefixed|validated|checked|versioned|sorted|covered|typed|formatted|escaped)/,
  ),
  phrase('are is', / (?:is|are) to (?:be (?!honest|fair|able)|stay|remain|have) ?/),
  phrase(
    'belong belongs place business',
    / (?:belongs? (?:in|into|on|under|only|nowhere|outside|behind)|(?:has|have) no (?:place|business)) /,
  ),
  phrase(
    'convention conventions policy law rule here everywhere throughout style repo project codebase rules',
    / (?:by (?:convention|contract|law|policy)|as a (?:general )?rule|(?:house|company|our|team) (?:rules?|policy|style|convention)|we (?:use|write|store|keep|name|log|indent|follow|support|target) (?:\S+ ){1,10}(?:everywhere|throughout|in this (?:repo|project|codebase|file)|here|for everything)) /,
  ),
  phrase(
    'precedence first beats trumps over matters important priority',
    / (?:takes? precedence over|comes? first|matters? more than|more important than|beats|trumps|priority over) /,
  ),
  phrase('possible', / as (?:\S+ ){1,4}as possible /),
  phrase(
    'budget limit ceiling cap maximum minimum max min upper lower hard',
    / (?:(?:budget|ceiling|cap|maximum|minimum) (?:is|of|for|stays) |(?:hard|upper|lower) (?:limit|bound|deadline) |(?:max|min|maximum|minimum) (?:\. )?\d|limit (?:is|stays) (?!reached|not|wrong))/,
  ),
  phrase(
    'than',
    / (?:(?:no|never|nothing|not) (?:\S+ )?|(?:don't|shouldn't|mustn't|can't|cannot|must not|may not|should not) (?:\S+ ){1,5})(?:more|less|longer|later|larger|bigger|older|newer|deeper|higher|fewer|slower|lower|greater) than /,
  ),
  phrase('got', / (?!(?:i|i've|we|we've) )\S+ (?:has|have|must've) got to /),
  // "Names are in English", "Money is stored in cents": the form in which things are written.
  phrase(
    'english german french spanish british american utc iso cents lowercase uppercase metric plain',
    / (?:in|as|only|be|are|all) (?:plain |simple |proper |british |american )?(?:english|german|french|spanish|utc|iso|cents|lowercase|uppercase|metric|plain (?:language|text|javascript|sql|c|css|\S+)) (?!version|translation|file|part|part|error)/,
  ),
  // A plural without an article speaks of all of them: "Commit messages start with the ticket number."
  phrase(
    'start begin end go live stay carry come',
    /^ [.] (?!(?:they|we|you|i|these|those|some|most|both|many|things|the|my|our|his|her|their|two|three|several|users|let's|please|then|now|just|and|so|can|could|let) )(?:\S+ ){0,2}\S+s (?:start|begin|end|go|live|stay|carry|come) (?:with|in|into|next|under|through|from|on|at|inside|behind|to|out|private|small|an?) /,
  ),
  phrase('goes go', / (?:any|every|everything|nothing|all) (?:\S+ ){0,5}goe?s? (?:through|in|into|under|to|next|via) /),
  phrase(
    'everything',
    / (?:[.,;:!(-]|and|but) everything (?!else )(?:\S+ ){0,5}(?:is|stays|has|must|goes|gets|lives|needs) (?!fine|ok|okay|good|green|gone|empty|clear|works|the same|else|broken|in place|there|slow)/,
  ),
  phrase('only', / (?:we|you|they|customers?|users?|admins?|clients?) can only (?!see |find |reproduce |guess |hope |say |imagine )/),
  phraseUnless(
    'every each',
    / [.,;:!(] (?:please |and |also )?\S+ (?:every|each) (?!time |day |month |week |of the |other |line |one |now |second |minute |hour )/,
    / [.,;:!(] (?:i|we|for|in|at|after|on|it|they|almost|nearly|not|is|of|from|with|by|once|and|but|so|that|where|how|what|why|when|which|because|as|to|or) (?:every|each) /,
  ),
  phrase('stick stay remain', / (?:we|i) (?:still |will )?(?:stick|stay|remain) (?:to|with|on|at|below|under|within) /),
  phrase(
    'approval sign-off permission consent',
    / (?:needs?|requires?|without|after|get|gets|has|have|ask for) (?:\S+ ){0,3}(?:approval|sign-off|permission|consent) /,
  ),
  phrase(
    'without way like exactly',
    / (?:[.,;:!()-]|and|but|please) (?:do|build|write|make|solve|implement|name|structure) (?:it|this|that|everything|them) (?:without|the way|like|exactly) /,
  ),
  phrase('ask consult', / (?:[.,;:!(-]|and|but|please|always|just) (?:ask|consult) (?:me|us|\S+ first) /),
  phrase('except but other', / (?:any \S+|anything|everything|everyone|anyone|whatever) (?:except|but|other than) /),
  phrase(
    'nothing',
    / (?:[.,;:!(-]|and|but|ship|merge|add|commit|deploy|change) nothing (?:\S+er|from|beyond|else|more|that|but|under|fancy|without) (?!works |happens )/,
  ),
  phraseUnless(
    "don't do dont",
    / we (?:really |just )?(?:do not|don't|dont) \S+ /,
    / we (?:really |just )?(?:do not|don't|dont) (?:know|think|see|have|understand|remember|get|find|believe|need to|care|yet) /,
  ),
  phrase('saying', / goes without saying /),
  phrase(
    'aim target try',
    / (?:[.,;:!(-]|and|but|please) (?:aim (?:for|at|to)|(?:the |our )?target (?:is|:)|try to (?:keep|stay|avoid|stick|limit)) /,
  ),
  phrase('so', / so no (?!change|luck|problem|idea|difference|error|help|effect|one|need|wonder|big)\S+ /),
  phrase(
    'require follow use match need',
    /^ [.] (?!(?:they|we|you|i|these|those|some|most|both|many|things|the|my|our|his|her|their|two|three|several|users|customers|tests|does|let's) )(?:\S+ )?\S+s (?:require|follow|use|match|need) /,
  ),
  phrase('better', / (?:you'd|we'd|it'd|had) better /),
  phrase('zero', / [.,;:!(-] zero \S/),
  phrase("shouldnt shouldn't", / (?!(?:this|that|it) )\S+ shouldnt /),
];

/** What makes an English sentence a constraint though it has no word such as "must" or "never". */
export const ENGLISH_DEMANDS: readonly Cue[] = [...ORDERS, ...WISHES, ...NORMS];
