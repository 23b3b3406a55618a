import { ChevronDown, UserRound } from 'lucide-react';
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../../components/menu';
import { profileFacts } from './profile-facts';
import { DEFAULT_PROFILE_ID, useProfiles } from './use-profiles';

interface ProfilePickerProps {
  value: string;
  onPick(profileId: string): Promise<boolean>;
}

/** Under which profile the agent works: what it is told, how it plans, what it may use. */
export function ProfilePicker({ value, onPick }: ProfilePickerProps) {
  const profiles = useProfiles();
  // A profile that went away: the server takes the default, too.
  const current = profiles?.find(({ id }) => id === value) ?? profiles?.find(({ id }) => id === DEFAULT_PROFILE_ID);
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <button
          type="button"
          disabled={profiles === undefined}
          aria-label={current === undefined ? 'Profile' : `Profile: ${current.name}`}
          className="flex h-8 min-w-0 items-center gap-1.5 rounded-control px-2 text-meta text-muted hover:bg-hover hover:text-text data-[state=open]:bg-hover"
        >
          <UserRound size={14} aria-hidden className="shrink-0 text-faint" />
          <span className="truncate max-[400px]:sr-only">{current?.name ?? 'Profile'}</span>
          <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
        </button>
      </MenuTrigger>
      <MenuContent side="top" align="start" className="w-80">
        <MenuRadioGroup value={current?.id ?? ''} onValueChange={(profileId) => void onPick(profileId)}>
          {profiles?.map((profile) => (
            <MenuRadioItem key={profile.id} value={profile.id} className="items-baseline py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{profile.name}</span>
                <span className="block text-muted text-small">{profile.description}</span>
                <ProfileFacts facts={profileFacts(profile)} />
              </span>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}

function ProfileFacts({ facts }: { facts: readonly string[] }) {
  if (facts.length === 0) return null;
  const [first = '', ...rest] = facts;
  return (
    <span className="mt-0.5 block text-faint text-small">
      {[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' · ')}
    </span>
  );
}
