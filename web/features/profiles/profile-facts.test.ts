import { describe, expect, it } from 'vitest';
import { builtInProfiles } from '../../../server/domains/profiles/built-in';
import { profileFacts } from './profile-facts';

describe('what sets a profile apart', () => {
  it('is nothing for the default, and what differs for the coder', () => {
    expect(builtInProfiles.map(profileFacts)).toEqual([
      [],
      ['plans first, with a review', 'keeps 12 recent turns through a compression', 'temperature 0.2'],
    ]);
  });
});
