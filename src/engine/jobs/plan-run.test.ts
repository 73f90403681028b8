import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { startJob } from './start-job.ts'

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

  describe('with agents that the person names', () => {
    const castOf = async (playbook: object) => {
      const agents = [agent('will', ['worker']), agent('rae', ['reviewer']), agent('shy', [])]
      trial.configuration = { ...trial.configuration, agents }
      const request = {
        repositoryPath: trial.repositoryPath,
        requestDocument: 'Grow',
        autoStart: false,
        playbook: { name: 'reviewed', inputs: {}, ...playbook },
      }
      const started = await startJob(trial.needs, request)
      if (!started.ok) return started.failure
      const cast = Object.entries(started.value.plan.approach?.cast ?? {})
      return Object.fromEntries(cast.map(([role, members]) => [role, members.map((one) => one.agent)]))
    }

    it('gives them every role, or single ones', async () => {
      expect(await castOf({})).toMatchObject({ developer: ['will'], reviewer: ['rae', 'will'] })
      expect(await castOf({ agent: 'shy' })).toEqual({ developer: ['shy'], reviewer: ['shy'] })
      const both = { agent: 'will', agents: { reviewer: 'shy' } }
      expect(await castOf(both)).toEqual({ developer: ['will'], reviewer: ['shy'] })
    })

    it('refuses roles and agents that do not exist', async () => {
      expect(await castOf({ agents: { devloper: 'shy' } })).toEqual({
        type: 'playbook-input-invalid',
        name: 'reviewed',
        problem: 'there is no role "devloper"; did you mean "developer"?',
      })
      const unknown = { type: 'agent-unknown', known: ['will', 'rae', 'shy'] }
      expect(await castOf({ agents: { developer: 'wil' } })).toEqual({ ...unknown, agent: 'wil' })
      // A role isn't an agent.
      expect(await castOf({ agent: 'worker' })).toEqual({ ...unknown, agent: 'worker' })
    })

    it('gives them the roles of playbooks within it too', async () => {
      await mkdir(join(trial.repositoryPath, '.muster/playbooks/outer'), { recursive: true })
      const on = { complete: 'end.land', partial: 'end.partial', failed: 'end.failed' }
      const outer = {
        version: 1,
        name: 'outer',
        description: 'It follows another.',
        roles: {},
        limits: { minutes: 60, parallel: 1 },
        start: 'inner',
        stages: { inner: { playbook: 'reviewed', on } },
      }
      await writeFile(
        join(trial.repositoryPath, '.muster/playbooks/outer/playbook.yaml'),
        JSON.stringify(outer),
      )
      const { plan } = await trial.start({ playbook: { name: 'outer', inputs: {}, agent: 'shy' } })
      const inner = plan.approach?.children?.['reviewed']
      expect(Object.values(inner?.cast ?? {}).map(([first]) => first?.agent)).toEqual(['shy', 'shy'])
      expect(await trial.needs.store.read.pinnedPlaybooks.find(inner?.hash ?? '')).toBeDefined()
    })
  })
})
