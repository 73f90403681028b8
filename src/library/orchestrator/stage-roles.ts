import type { MusterClient, WirePlaybook } from '../../client/index.ts'

/** The roles that work in the stages of a job's runs, each by the playbook of its own run. */
export interface StageRoles {
  /** Reads the playbook of a run, unless it is known. */
  load(runId: string): Promise<void>
  /** Empty if no agent works in the stage, or if its playbook isn't known. */
  roleOf(runId: string, stage: string): string
}

export function createStageRoles(client: Pick<MusterClient, 'getRunPlaybook'>): StageRoles {
  const playbooks = new Map<string, WirePlaybook>()
  return {
    async load(runId) {
      if (playbooks.has(runId)) return
      const playbook = await client.getRunPlaybook(runId)
      if (playbook.ok) playbooks.set(runId, playbook.value)
    },
    roleOf(runId, name) {
      const stage = playbooks.get(runId)?.stages[name]
      return stage?.type === 'role' ? stage.role : ''
    },
  }
}
