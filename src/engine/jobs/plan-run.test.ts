import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

const agent = (name: string, roles: readonly string[]): AgentSpec => ({
  name,
  provider: 'command',
  roles,
  env: [],
})

describe('a job that follows a playbook', () => {
  it('needs no agent that plans', async () => {
    trial.configuration = { ...trial.configuration, agents: [agent('will', ['worker'])] }
    const { plan } = await trial.start({ playbook: { name: 'solo', inputs: {} } })
    expect(plan).toMatchObject({ approach: { cast: { developer: [{ agent: 'will' }] } } })
    expect(plan).not.toHaveProperty('planner')
  })
})
