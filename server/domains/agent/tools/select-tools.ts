import type { PlanToolsMode, Profile } from '../../profiles/schema';
import type { ToolRegistry } from './registry';
import type { Tool } from './types';

/** The tools by which an agent reaches its plan, per mode. AgentPool's are off unless their mode is chosen. */
const planToolNames: Readonly<Record<PlanToolsMode, readonly string[]>> = {
  todo: ['todo'],
  declarative: ['get_plan', 'set_plan'],
  granular: ['get_plan', 'add_plan_entry', 'update_plan_entry', 'remove_plan_entry'],
};
const allPlanTools = new Set(Object.values(planToolNames).flat());

/** What a profile offers to its model, in the registry's order. `switchedOn` are tools that the environment switched on. */
export function selectTools(
  registry: Pick<ToolRegistry, 'select'>,
  { tools, excludedTools, discipline }: Pick<Profile, 'tools' | 'excludedTools' | 'discipline'>,
  switchedOn: readonly string[],
): Tool[] {
  const wanted = planToolNames[discipline.planTools];
  return registry
    .select({ names: tools === null ? null : [...tools, ...wanted], switchedOn: [...switchedOn, ...wanted] })
    .filter(
      (tool) => !excludedTools.includes(tool.name) && (!allPlanTools.has(tool.name) || wanted.includes(tool.name)),
    );
}
