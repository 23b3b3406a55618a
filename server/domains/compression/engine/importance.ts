/**
 * How much it would hurt to see only a summary of a turn, 0 to 1. Seed 004 names the score and its use (`_turn_importance`:
 * an important old turn takes the place of a filler-recent one); the weights are ours, chosen so that one lasting instruction
 * outweighs any number of tool calls, and so that small talk stays below everything else.
 */
import type { Message } from '../../messages/schema';
import type { Turn } from './turns';

/** From here on an old turn may take a recent one's place. */
export const IMPORTANT_FROM = 0.6;
/** Up to here a recent turn may lose its place. */
export const FILLER_UP_TO = 0.15;

/** Characters of a request that are looked at: instructions stand early, and the score must stay cheap on 10,000 messages. */
const REQUEST_CHARS = 600;
/** Requests up to this length without any work are small talk. */
const SMALL_TALK_CHARS = 40;

/** Words that make something hold beyond its turn, in the languages people asked for most. */
const lastingInstruction =
  /\b(always|never|from now on|remember|important|must not|do not ever|rule|decided|decision|agreed|requirement|constraint|deadline)\b|всегда|никогда|запомни|важно|отныне|договорились|решили|решение|требовани|нельзя|срок|必须|总是|永远不|记住|重要|决定|immer|niemals|wichtig|merke|entschieden|siempre|nunca|recuerda|importante|toujours|jamais|souviens|重要|必ず|覚えて/iu;
/** Names of things: paths, links, identifiers, amounts. */
const concrete =
  /(?:\/[\w.-]+){2,}|https?:\/\/|\b[A-Z]{2,}-\d+\b|\b[a-z]+(?:_[a-z]+)+\b|\b\d+(?:[.,]\d+)?\s?(?:€|\$|%|eur|usd|руб)/iu;
const acknowledgement =
  /^(?:ok(?:ay)?|thanks?(?: you)?|thx|yes|no|sure|great|cool|go on|continue|next|hi|hello|hey|спасибо|ок|да|нет|хорошо|отлично|дальше|продолжай|привет|danke|ja|nein|weiter|gracias|sí|merci|oui|好的?|谢谢|继续)[\s.!,👍🙏]*$/iu;

/** Scores a turn. Looks at flags, counts and the head of the request, never at whole texts. */
export function turnImportance(turn: Turn): number {
  const request = turn.request?.content.slice(0, REQUEST_CHARS) ?? '';
  let critical = 0;
  let calls = 0;
  let hasFailure = false;
  let hasAttachment = (turn.request?.files?.length ?? 0) + (turn.request?.images?.length ?? 0) > 0;
  for (const unit of turn.units) {
    for (const message of unit.messages) {
      if (message.role === 'tool') calls += 1;
      if (isCritical(message)) critical += 1;
      hasFailure ||= message.metadata.toolStatus === 'failed' || message.metadata.error !== undefined;
      hasAttachment ||= (message.images?.length ?? 0) > 0;
    }
  }
  if (calls === 0 && !hasAttachment && isSmallTalk(request)) return 0;
  let score = 0.25;
  if (lastingInstruction.test(request)) score += 0.4;
  if (concrete.test(request)) score += 0.1;
  if (hasAttachment) score += 0.1;
  if (critical > 0) score += Math.min(0.2, 0.05 * critical);
  if (hasFailure) score -= 0.05;
  return Math.min(1, Math.max(0, score));
}

const isCritical = (message: Message): boolean => message.isCompressionCritical;

function isSmallTalk(request: string): boolean {
  const text = request.trim();
  return text.length <= SMALL_TALK_CHARS && (text === '' || acknowledgement.test(text));
}
