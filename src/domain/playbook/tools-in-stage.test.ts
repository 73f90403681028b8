import { describe, expect, it } from 'vitest'
import { AGENT_TOOLS, type AgentTool } from '../message/agent-tool.ts'
import type { Playbook } from './playbook.ts'
import { toolsInStage } from './tools-in-stage.ts'

type Tools = { readonly role?: readonly AgentTool[]; readonly stage?: readonly AgentTool[] }

function playbook({ role, stage }: Tools): Playbook {
  const roles = { reviewer: { mode: 'read', ...(role && { tools: role }) } }
  const stages = { review: { type: 'role', role: 'reviewer', ...(stage && { tools: stage }) } }
  return { roles, stages } as unknown as Playbook
}

describe('the tools in a stage', () => {
  it.each<[string, Tools, readonly AgentTool[]]>([
    ['all, if neither the role nor the stage names any', {}, AGENT_TOOLS],
    ['those of the role', { role: ['send', 'inbox'] }, ['inbox', 'send']],
    ['those of the stage', { stage: ['send', 'inbox'] }, ['inbox', 'send']],
    ['those that both name', { role: ['inbox', 'send'], stage: ['send', 'ask'] }, ['send']],
    ['none, if a list is empty', { role: [], stage: ['send'] }, []],
  ])('are %s', (_name, tools, expected) => {
    expect(toolsInStage(playbook(tools), 'review')).toEqual(expected)
  })
})
