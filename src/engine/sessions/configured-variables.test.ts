import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { failure } from '../../domain/result.ts'
import { withEnvironment } from './configured-variables.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

const agent: AgentSpec = { name: 'will', provider: 'command', roles: ['worker'], env: ['LEVEL', 'TOKEN'] }

async function launched(env: Readonly<Record<string, string>>) {
  const { projectId } = await trial.start()
  const usual = trial.configuration
  trial.configuration = { ...usual, environments: { will: env } }
  const result = await withEnvironment(trial.needs, agent, projectId)
  trial.configuration = usual
  return result
}

describe("an agent's own variables", () => {
  it('have the values that the configuration has now, and no more variables than the job started with', async () => {
    const result = await launched({ LEVEL: '3', TOKEN: 'new', LATER: 'x' })
    expect(result).toEqual({ ok: true, value: { ...agent, env: { LEVEL: '3', TOKEN: 'new' } } })
  })

  it('are a failure if the configuration no longer has them', async () => {
    const result = await launched({ LEVEL: '3' })
    expect(result).toMatchObject({
      ok: false,
      failure: expect.stringContaining('no longer sets TOKEN for the agent will'),
    })
  })

  it('are a failure if the configuration cannot be read, but only for an agent that has some', async () => {
    const { projectId } = await trial.start()
    const problem = { file: 'muster.yaml', field: 'agents', problem: 'is no list' }
    const configuration = {
      read: async () => failure({ type: 'configuration-invalid' as const, ...problem }),
    }
    const needs = { ...trial.needs, configuration }
    expect(await withEnvironment(needs, agent, projectId)).toMatchObject({ ok: false })
    expect(await withEnvironment(needs, { ...agent, env: [] }, projectId)).toMatchObject({ ok: true })
  })
})
