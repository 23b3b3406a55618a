/**
 * Whether what a summariser returned may replace messages at all. Others stored an empty text, "No conversation history
 * provided", or half a sentence, and the history was gone (cases A09, A10).
 */
import { splitKeysLine } from './keys-line';

export type SummaryFault = 'empty' | 'refusal' | 'only-reasoning' | 'tool-markup' | 'cut-by-length';

export type SummaryVerdict = { isValid: true; text: string; keys: string[] } | { isValid: false; fault: SummaryFault };

/** Fewest characters of a summary without its keys: shorter ones say nothing that a placeholder would not. */
const MIN_SUMMARY_CHARS = 20;
/** A refusal is short; a long text that begins politely is a summary. In characters. */
const MAX_REFUSAL_CHARS = 600;
/** The beginning of a text, in characters, where a refusal shows. */
const REFUSAL_HEAD_CHARS = 200;

/** Ways to say "I cannot" or "there is nothing", at the beginning of an answer. */
const refusals: readonly RegExp[] = [
  /^\W*(?:i(?:'|’)?m (?:sorry|afraid|unable|not able)|i am (?:sorry|afraid|unable|not able)|sorry|unfortunately|apologies|i (?:can(?:no|'|’)t|cannot|won(?:'|’)t|must decline|do(?:n(?:'|’)t| not) (?:see|have)))/iu,
  /\b(?:as an ai\b|can(?:not|'t|’t) (?:assist|help|comply|summari[sz]e|provide)|unable to (?:assist|help|summari[sz]e|provide)|no (?:conversation|chat|message)s?(?: history)? (?:was |were |has been |is )?(?:provided|given|available|found|to (?:compress|summari[sz]e))|summary (?:is )?(?:unavailable|not available)|nothing to (?:compress|summari[sz]e)|please (?:provide|share|paste) (?:the|a|your) (?:conversation|text|messages?|history|transcript))/iu,
  /^\W*(?:извините|простите|к сожалению|прошу прощения|я не могу|не могу (?:помочь|выполнить|обобщить|предоставить))|как (?:ии|языковая модель)|(?:нет|не предоставлен[аоы]?) (?:истори[ияю]|диалога|сообщений|текста|разговора)|предоставьте (?:текст|историю|диалог|разговор)/iu,
  /^\W*(?:抱歉|对不起|很抱歉|我无法|我不能|無法|无法)|没有(?:提供|可供)(?:的)?(?:对话|聊天|内容)|请提供(?:对话|内容|文本)/u,
  /^\W*(?:申し訳|すみません|お手伝いできません)|会話(?:履歴)?(?:が|は)(?:ありません|提供されていません)/u,
  /^\W*(?:es tut mir leid|tut mir leid|entschuldigung|leider|ich kann (?:das|dies|dabei|ihnen|dir)?\s?(?:leider )?nicht)|kein(?:e|en)? (?:gespräch|unterhaltung|verlauf|nachrichten)\w* (?:vorhanden|angegeben|bereitgestellt)/iu,
  /^\W*(?:lo siento|lamentablemente|no puedo|me temo)|no (?:hay|se (?:ha )?proporcion[oóa]d?o?) (?:ninguna )?(?:conversación|historial)/iu,
  /^\W*(?:je suis désolée?|désolée?|malheureusement|je ne peux pas|je ne suis pas en mesure)|aucune? (?:conversation|historique) (?:n'a été )?fournie?/iu,
  /^\W*(?:desculpe|sinto muito|infelizmente|não posso)|^\W*(?:вибачте|на жаль|перепрошую|я не можу)|^\W*(?:mi dispiace|purtroppo|non posso)|^\W*(?:죄송합니다|할 수 없습니다)|^\W*(?:przepraszam|niestety|nie mogę)/iu,
];

/** A list is an answer, whatever its items say: "- the vendor cannot provide invoices" refuses nothing. */
const bullet = /^\s*(?:[-*•]|\d+[.)])\s+\S/gmu;
const reasoningBlock = /<(think|thinking|reasoning|analysis|reflection)>[\s\S]*?(?:<\/\1>|$)/giu;
const danglingReasoning = /^[\s\S]*<\/(?:think|thinking|reasoning|analysis|reflection)>/iu;
const toolMarkup =
  /<(tool_call|function_call|function_calls|tool_use|invoke|tool_response)\b[\s\S]*?(?:<\/\1>|$)|<\|(?:tool|python_tag|channel)[^|]*\|>[\s\S]*?(?=<\|(?!end)|$)|\[TOOL_CALLS\][\s\S]*$|```(?:tool_code|tool_call)[\s\S]*?(?:```|$)/giu;
/** Inline code and fences quote; a fence that says it is a call is none. */
const quotation = /(?:^|\n)(`{3,}|~{3,})(?!tool_)[^\n]*\n[\s\S]*?\n\1[^\n]*(?=\n|$)|(`+)[^`\n]+\2(?!`)/gu;
const bareCall = /^\s*\{\s*"(?:name|tool|function|tool_calls)"\s*:[\s\S]*\}\s*$/u;

/**
 * Judges one answer. `finishReason` is the provider's: `length` means that the end is missing. Reasoning and tool markup are
 * taken out; what is left must be a summary.
 */
export function validateSummary(answer: {
  text: string;
  finishReason: string;
  hasToolCalls?: boolean;
}): SummaryVerdict {
  if (answer.finishReason === 'length') return { isValid: false, fault: 'cut-by-length' };
  const raw = answer.text.trim();
  if (raw === '') return { isValid: false, fault: answer.hasToolCalls === true ? 'tool-markup' : 'empty' };
  const spoken = strip(raw, (text) => text.replace(reasoningBlock, '').replace(danglingReasoning, ''));
  if (spoken === '') return { isValid: false, fault: 'only-reasoning' };
  const said = bareCall.test(spoken) ? '' : strip(spoken, (text) => text.replace(toolMarkup, ''));
  if (said === '') return { isValid: false, fault: 'tool-markup' };
  const { text, keys } = splitKeysLine(said);
  if (isRefusal(text)) return { isValid: false, fault: 'refusal' };
  if (meaningfulChars(text) < MIN_SUMMARY_CHARS) return { isValid: false, fault: 'empty' };
  return { isValid: true, text: text.trim(), keys };
}

/**
 * Takes markup out of a text, but not what the text quotes: a summary of work on `<tool_call>` would otherwise end at that
 * word, and all that stands behind it would be gone. A text that is nothing but quotations is taken at its word.
 */
function strip(text: string, take: (text: string) => string): string {
  const quoted: string[] = [];
  const masked = text.replace(quotation, (whole) => `\uE000${quoted.push(whole) - 1}\uE001`);
  const left = take(masked);
  if (meaningfulChars(left.replace(/\uE000\d+\uE001/gu, '')) < MIN_SUMMARY_CHARS) return take(text).trim();
  return left.replace(/\uE000(\d+)\uE001/gu, (_, index: string) => quoted[Number(index)] ?? '').trim();
}

function isRefusal(text: string): boolean {
  if (text.length > MAX_REFUSAL_CHARS || (text.match(bullet)?.length ?? 0) >= 2) return false;
  const head = text.trim().slice(0, REFUSAL_HEAD_CHARS);
  return refusals.some((pattern) => pattern.test(head));
}

/** Letters and digits; one ideograph says as much as three letters. */
function meaningfulChars(text: string): number {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const ideographs =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return letters + 2 * ideographs;
}
