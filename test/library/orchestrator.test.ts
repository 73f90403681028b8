import { once } from 'node:events'
import { afterAll, expect, it, vi } from 'vitest'
import { Orchestrator, type OrchestratorEvent } from '../../src/library/index.ts'
import { APPROVED, runProject, WRITE } from '../support/run-project.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

// Other tests of the same worker must not see these settings.
afterAll(() => vi.unstubAllEnvs())

it('follows a playbook in the words of an orchestrator, and closes its home at the end', async () => {
  await using directory = await temporaryDirectory('muster-home')
  const database = urlOf(await createTestDatabase())
  const settings = { MUSTER_SANDBOX: 'none', MUSTER_TRUST: 'all', MUSTER_DATABASE_URL: database }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  await using repository = await testRepository(
    runProject({ developer: `sleep 1; ${WRITE}`, reviewer: APPROVED }),
  )
  const options = { home: directory.path, repository: repository.path }
  await using orchestrator = new Orchestrator({ workflowTimeout: 600_000 }, options)
  expect(orchestrator.config).toMatchObject({ maxAgents: 4, workflowTimeout: 600_000 })
  expect(orchestrator.getSession()).toBeNull()
  const events: OrchestratorEvent[] = []
  orchestrator.on((event) => events.push(event))

  const session = await orchestrator.startWorkflow('reviewed', 'Write a line')
  expect(session).toMatchObject({ workflowType: 'reviewed', status: 'running', goal: 'Write a line' })
  expect(orchestrator.sessionId).toBe(session.id)
  await expect(orchestrator.startWorkflow('reviewed', 'Again')).rejects.toThrow('running already')
  await expect(orchestrator.spawnAgent('developer')).rejects.toThrow('starts its agents itself')

  const result = await orchestrator.synthesizeResults()
  expect(result).toMatchObject({ success: true, artifacts: ['work.txt'], errors: [] })
  expect(result.agentSummaries.get('reviewer')).toEqual({ role: 'reviewer', tasksCompleted: 1 })
  expect(orchestrator.getSession()).toMatchObject({ status: 'complete', currentStage: 'review' })
  expect(orchestrator.getProgress()).toBe(100)
  expect(orchestrator.isRunning()).toBe(false)
  expect(orchestrator.getAgent('developer')).toMatchObject({ status: 'complete', messageCount: 1 })
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['session_started', 'agent_spawned', 'agent_working', 'agent_complete']),
  )
  expect(events.filter(({ type }) => type === 'stage_transition')).toEqual([
    { type: 'stage_transition', from: '', to: 'implement' },
    { type: 'stage_transition', from: 'implement', to: 'check' },
    { type: 'stage_transition', from: 'check', to: 'review' },
  ])
  expect(events.at(-1)).toMatchObject({ type: 'session_ended', result: { success: true } })
  expect(await orchestrator.exportResults('markdown')).toContain('- work.txt')

  const warning = once(process, 'warning')
  const failing = () => {
    orchestrator.off(failing)
    throw new Error('a handler failed')
  }
  orchestrator.on(failing)
  await orchestrator.startWorkflow('reviewed', 'Write another line')
  await expect.poll(() => orchestrator.getAgent('developer')?.status).toBe('working')
  await orchestrator.sendToAgent('developer', { body: 'Write a short one.' })
  expect(await orchestrator.synthesizeResults()).toMatchObject({ success: true })
  expect(await warning).toMatchObject([{ message: 'a handler failed' }])
})
