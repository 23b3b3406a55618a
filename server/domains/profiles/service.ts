/** Profiles by id. Held in memory, so that whoever claims a run inside a transaction can ask without a query. */
import { AppError } from '../../lib/errors';
import { defaultProfile } from './built-in';
import type { Profile } from './schema';

export function createProfileService({ profiles }: { profiles: readonly Profile[] }) {
  const byId = new Map(profiles.map((profile) => [profile.id, profile]));
  return {
    list: (): readonly Profile[] => profiles,
    /** Throws not-found for an unknown id. */
    get(profileId: string): Profile {
      const profile = byId.get(profileId);
      if (profile === undefined) throw new AppError('not-found', `There is no profile ${JSON.stringify(profileId)}.`);
      return profile;
    },
    /** What a session with that id runs under: a profile that went away is no reason to refuse a chat. */
    of: (profileId: string): Profile => byId.get(profileId) ?? byId.get(defaultProfile.id) ?? defaultProfile,
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;
