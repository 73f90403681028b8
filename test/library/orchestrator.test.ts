import { once } from 'node:events'
import { afterAll, expect, it, vi } from 'vitest'
import { Orchestrator, type OrchestratorEvent } from '../../src/library/index.ts'
import { APPROVED, runProject, WRITE } from '../support/run-project.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

// Other tests of the same worker must not see these settings.
afterAll(() => vi.unstubAllEnvs())

/** A home with a database of its own, and the settings that its daemon reads from this process. */
async function newHome() {
  const directory = await temporaryDirectory('muster-home')
  const database = urlOf(await createTestDatabase())
  const settings = { MUSTER_SANDBOX: 'none', MUSTER_TRUST: 'all', MUSTER_DATABASE_URL: database }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return directory
}

it('follows a playbook in the words of an orchestrator, and closes its home at the end', async () => {
  await using directory = await newHome()
  await using repository = await testRepository(
    runProject({ developer: `sleep 1; ${WRITE}`, reviewer: APPROVED }),
  )
  const options = { home: directory.path, repository: repository.path }
  await using orchestrator = new Orchestrator({ workflowTimeout: 600_000 }, options)
  expect(orchestrator.config).toMatchObject({ maxAgents: 4, workflowTimeout: 600_000 })
  expect(orchestrator.getSession()).toBeNull()
  const events: OrchestratorEvent[] = []
  const progress: number[] = []
  orchestrator.on((event) => {
    events.push(event)
    progress.push(orchestrator.getProgress())
  })

  const session = await orchestrator.startWorkflow('reviewed', 'Write a line')
  expect(session).toMatchObject({ workflowType: 'reviewed', status: 'running', goal: 'Write a line' })
  expect(orchestrator.sessionId).toBe(session.id)
  await expect(orchestrator.startWorkflow('reviewed', 'Again')).rejects.toThrow('running already')
  await expect(orchestrator.spawnAgent('developer')).rejects.toThrow('starts its agents itself')

  const result = await orchestrator.synthesizeResults()
  expect(result).toMatchObject({ success: true, artifacts: ['work.txt'], errors: [] })
  expect(result.agentSummaries.get('reviewer')).toEqual({ role: 'reviewer', tasksCompleted: 1 })
  expect(orchestrator.getSession()).toMatchObject({ status: 'complete', currentStage: 'review' })
  expect(progress).toEqual(progress.toSorted((one, two) => one - two))
  expect([progress.at(0), progress.at(-1), orchestrator.getProgress()]).toEqual([0, 100, 100])
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
  expect(await orchestrator.exportResults('markdown')).toMatch(
    /^# reviewed: Write a line\n.*- land, 100 % done\n.*\| developer \| one \|/s,
  )

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

/** A playbook of the project, with one role. */
function playbookOf(name: string, role: string, playbook: object) {
  const prompt = './role.md'
  const whole = {
    ...{ version: 1, name, description: 'An example.', limits: { minutes: 10 }, ...playbook },
    roles: { [role]: { mode: 'write', prompt, agents: ['worker'] } },
    recover: { perVisit: 0, perRun: 0 },
  }
  return {
    [`.muster/playbooks/${name}/playbook.yaml`]: JSON.stringify(whole),
    [`.muster/playbooks/${name}/role.md`]: 'You write a line.',
  }
}

it('reports a run with a run in it as the daemon does, also after it has closed its home', async () => {
  await using directory = await newHome()
  const working = { from: 'head', sees: ['goal'], output: 'change' }
  await using repository = await testRepository({
    ...runProject({ author: WRITE, developer: 'exit 3' }),
    ...playbookOf('inner', 'author', {
      start: 'implement',
      stages: { implement: { role: 'author', ...working, on: { done: 'end.land', failed: 'end.failed' } } },
    }),
    ...playbookOf('outer', 'developer', {
      start: 'draft',
      stages: {
        draft: {
          playbook: 'inner',
          on: { complete: 'implement', partial: 'end.failed', failed: 'end.failed' },
        },
        implement: { role: 'developer', ...working, on: { done: 'end.land', failed: 'end.partial' } },
      },
      result: { partial: 'land' },
    }),
  })
  const orchestrator = new Orchestrator({}, { home: directory.path, repository: repository.path })
  const events: OrchestratorEvent[] = []
  orchestrator.on((event) => events.push(event))
  await orchestrator.startWorkflow('outer', 'Write a line')
  const result = await orchestrator.synthesizeResults()
  expect(result).toMatchObject({ success: false, artifacts: ['work.txt'] })
  expect(result.summary).toMatch(/^The run of outer ended as partial, and its work landed as /)
  expect(result.errors).toMatchObject([{ stage: 'implement', recovered: false }])
  expect(Object.fromEntries(result.agentSummaries)).toEqual({
    author: { role: 'author', tasksCompleted: 1 },
    developer: { role: 'developer', tasksCompleted: 0 },
  })
  expect(events).toContainEqual({ type: 'agent_complete', role: 'author', summary: 'implement: done' })
  expect(events).toContainEqual(expect.objectContaining({ type: 'agent_error', role: 'developer' }))
  expect(await orchestrator.getAgentResults('author')).toMatchObject([{ summary: 'wrote a line' }])
  expect(await orchestrator.exportResults('markdown')).toContain('## Errors')
  expect(JSON.parse(await orchestrator.exportResults('json'))).toMatchObject({ success: false })
})
