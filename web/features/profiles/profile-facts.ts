/** What sets a profile apart, in a few words. Pure. */
import type { Profile } from '../../../server/domains/profiles/schema';
import { formatCount, plural } from '../../lib/format';

/** Only what a person would notice; what follows the server's settings is left out. */
export function profileFacts(profile: Profile): string[] {
  const { planning, compression, discipline, contextWindowTokens, temperature, model, tools, excludedTools } = profile;
  const facts: (string | false)[] = [
    model !== null && `runs on ${model}`,
    planning.isEnabled && `plans first${planning.hasReview ? ', with a review' : ''}`,
    contextWindowTokens !== null && `window of ${formatCount(contextWindowTokens)} tokens`,
    compression.keepRecentTurns !== undefined &&
      `keeps ${plural(compression.keepRecentTurns, 'recent turn')} through a compression`,
    discipline.stepBudget !== null && `at most ${plural(discipline.stepBudget, 'step')} a turn`,
    temperature !== null && `temperature ${temperature}`,
    tools !== null && plural(tools.length, 'tool'),
    excludedTools.length > 0 && `without ${excludedTools.join(', ')}`,
  ];
  return facts.filter((fact) => fact !== false);
}
