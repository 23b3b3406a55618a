import { CircleHelp, Link2, Monitor, Moon, Sun } from 'lucide-react';
import { IconButton } from '../components/button';
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '../components/menu';
import { useSharing } from '../lib/sharing';
import { type Theme, themes, useTheme } from '../lib/theme';

const names: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };
const icons = { system: Monitor, light: Sun, dark: Moon };

export function SidebarFooter({ onHelp }: { onHelp(): void }) {
  const [theme, setTheme] = useTheme();
  const { hasAny, showAll } = useSharing();
  const Icon = icons[theme];
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <IconButton label={`Theme: ${names[theme]}`}>
            <Icon size={17} strokeWidth={1.75} />
          </IconButton>
        </MenuTrigger>
        <MenuContent side="top" align="start">
          <MenuRadioGroup value={theme} onValueChange={(next) => setTheme(themes.find((t) => t === next) ?? 'system')}>
            {themes.map((option) => (
              <MenuRadioItem key={option} value={option}>
                {names[option]}
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
        </MenuContent>
      </Menu>
      <IconButton label="Keyboard shortcuts" onClick={onHelp}>
        <CircleHelp size={17} strokeWidth={1.75} />
      </IconButton>
      {hasAny && (
        <IconButton label="Shared chats" onClick={showAll}>
          <Link2 size={17} strokeWidth={1.75} />
        </IconButton>
      )}
    </>
  );
}
