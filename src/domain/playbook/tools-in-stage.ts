import { AGENT_TOOLS, type AgentTool } from '../message/agent-tool.ts'
import type { Playbook } from './playbook.ts'

/** The tools that an agent may use in a stage: those that both its role and the stage allow. */
export function toolsInStage({ roles, stages }: Playbook, name: string): readonly AgentTool[] {
  const stage = stages[name]
  if (stage?.type !== 'role') return AGENT_TOOLS
  const lists = [roles[stage.role]?.tools, stage.tools].filter((tools) => tools !== undefined)
  return AGENT_TOOLS.filter((tool) => lists.every((tools) => tools.includes(tool)))
}
