import { type Scenario, say } from '../turn';

/** Words that say nothing in a name. */
const FILLER = new Set(
  'a an and are can could do for i in is it me my of on or please the this to what with would you'.split(' '),
);
const LONGEST_NAME_WORDS = 5;

/** Names the session when it is asked to: a call without tools whose instructions speak of a name or title. */
export const naming: Scenario = {
  name: 'naming',
  matches: (turn) =>
    !turn.hasTools &&
    /\b(name|title)\b[\s\S]{0,80}\b(chat|session|conversation)\b|\b(chat|session|conversation)\b[\s\S]{0,80}\b(name|title)\b/i.test(
      `${turn.systemText}\n${turn.userText.slice(0, 300)}`,
    ),
  play(turn) {
    const words = turn.userText
      .replace(/^(user|person)\s*:\s*/i, '')
      .split(/[^\p{L}\p{N}'-]+/u)
      .filter((word) => word !== '' && !FILLER.has(word.toLowerCase()));
    const name = words.slice(0, LONGEST_NAME_WORDS).join(' ');
    return [say(name === '' ? 'Demo session' : name.charAt(0).toUpperCase() + name.slice(1))];
  },
};
