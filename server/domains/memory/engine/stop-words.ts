/** Words that say nothing about what is looked for. Only a query drops them; an index keeps no list that could be wrong. */
const words = `
a an the and or but if then of to in on at by for with from as is are was were be been being am do does did doing done
have has had having i you he she it we they me him her us them my your his its our their mine yours this that these those
what which who whom whose when where why how not no so than too very can could will would shall should may might must just
about into over under again there here all any both each few more most other some such only own same up down out off s t d
ll m re ve don didn doesn isn wasn aren weren won wouldn couldn also like get got please tell remember
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из
ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять вам ведь там потом себя ничего ей может они тут
где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому этого
какой ним здесь этом один почти мой тем чтобы нее были куда зачем всех можно при об хоть после над больше тот через эти нас
про них какая много разве три эту моя свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между
der die das und oder aber ist sind war waren ein eine einen einem einer nicht mit von zu im am auf für an als auch es ich du
er sie wir ihr was wer wie wo wann warum den dem des
le la les un une des et ou mais est sont était de du au aux à en dans sur pour par avec ne pas que qui quoi où quand je tu il
elle nous vous ils elles ce cette ces
el los las uno una y o pero es son fue era del al con por para en no que quien cuando donde como yo tú él ella nosotros
`;

const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ''));

/** Whether a folded word, before stemming, carries no meaning in a query. */
export const isStopWord = (word: string): boolean => stopWords.has(word);
