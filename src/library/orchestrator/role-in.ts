import type { WireValidPlaybook } from '../../client/index.ts'

/** The role of a stage; empty if no agent works in it. */
export function roleIn({ playbook }: WireValidPlaybook, name: string): string {
  const stage = playbook.stages[name]
  return stage?.type === 'role' ? stage.role : ''
}
