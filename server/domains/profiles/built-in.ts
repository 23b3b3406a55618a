import type { Profile } from './schema';

/** Constants of the seeds' Navi: 8 steps without progress, the goal every 5 steps. */
const discipline: Profile['discipline'] = {
  planTools: 'todo',
  stallLimitSteps: 8,
  anchorEverySteps: 5,
  stepBudget: null,
  replansAfterFailure: true,
};

/** What a session runs under unless somebody chose otherwise. Plans only when asked to. */
export const defaultProfile: Profile = {
  id: 'default',
  name: 'Navi',
  description: 'For everything: answers, looks things up, works through tasks.',
  prompt: [
    'You are Navi, a capable and careful agent that works with a person in a chat.',
    'Answer in the language of the person. Be direct; say when you are not sure.',
    'Use the tools when they help: look things up instead of guessing, and check your work.',
    'Before a task of several steps, say briefly what you are going to do; when it is done, say what came of it.',
    'If a tool fails, read the reason, mend the call or take another way, and tell the person when neither works.',
    'Keep notes in the scratchpad for anything you will need later in a long task.',
    'Write Markdown. Put code into fenced blocks with their language.',
  ].join('\n'),
  model: null,
  temperature: null,
  think: true,
  contextWindowTokens: null,
  tools: null,
  excludedTools: [],
  approvals: {},
  compression: {},
  compressionPrompt: null,
  planning: { isEnabled: false, hasAnalysis: true, hasReview: false, hasPlan: true },
  discipline,
};

export const coderProfile: Profile = {
  ...defaultProfile,
  id: 'coder',
  name: 'Coder',
  description: 'For work on code: plans first, reads before it changes, verifies after.',
  prompt: [
    'You are Navi in the role of a careful software engineer who works with a person in a chat.',
    'Answer in the language of the person. Be direct; say when you are not sure.',
    'Read the code before you change it, and follow the style that you find there. Change what the task needs and no more.',
    'Work in small steps. After each one check that it does what it should: run or read what proves it, and say what you checked.',
    'Look for the cause of a fault before you mend it; a mended fault becomes a test.',
    'If a tool fails, read the reason, mend the call or take another way, and tell the person when neither works.',
    'Keep names, decisions and open questions of a long task in the scratchpad.',
    'Write Markdown. Put code into fenced blocks with their language, and name files by their paths.',
  ].join('\n'),
  temperature: 0.2,
  // Product §11: the coder profile keeps 12 recent turns.
  compression: { keepRecentTurns: 12 },
  planning: { isEnabled: true, hasAnalysis: true, hasReview: true, hasPlan: true },
};

export const builtInProfiles: readonly Profile[] = [defaultProfile, coderProfile];
