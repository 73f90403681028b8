import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createClaudeCodeProvider } from '../../adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../../adapters/agents/codex/codex-provider.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { failure, success } from '../../domain/result.ts'
import { startJob } from '../jobs/start-job.ts'
import { createPersonalSession } from '../sessions/create/create-personal-session.ts'
import { AgentProviderRegistry } from './agent-provider-registry.ts'

let trial: JobTrial
beforeAll(async () => {
  trial = await openJobTrial()
})
afterAll(() => trial[Symbol.asyncDispose]())

const agent = (name: string, program: string, more: Partial<AgentSpec> = {}): AgentSpec => ({
  name,
  provider: 'command',
  command: [program],
  roles: ['worker', 'planner'],
  env: [],
  ...more,
})

const start = (agents: readonly AgentSpec[], providers = trial.needs.providers) => {
  trial.configuration = { ...trial.configuration, agents }
  const request = { repositoryPath: trial.repositoryPath, requestDocument: 'Grow', autoStart: true }
  return startJob({ ...trial.needs, providers }, request)
}

describe('an agent whose program is not installed', () => {
  it('keeps a job from starting, before a planner is paid', async () => {
    trial.sent.length = 0
    const here = agent('here', 'sh', { roles: ['planner'] })
    const gone = agent('gone', 'no-such-program', { roles: ['worker'] })
    expect(await start([here, gone])).toMatchObject({
      failure: { type: 'program-missing', agent: 'gone', program: 'no-such-program' },
    })
    expect(await trial.needs.store.read.jobs.listOpen()).toEqual([])
    expect(trial.sent).toEqual([])
  })

  it('keeps a personal session from starting', async () => {
    trial.configuration = { ...trial.configuration, agents: [agent('gone', 'no-such-program')] }
    const request = { repositoryPath: trial.repositoryPath, mode: 'headless', prompt: 'hello' } as const
    expect(await createPersonalSession(trial.needs, request)).toMatchObject({
      failure: { type: 'program-missing', agent: 'gone' },
    })
  })

  it('keeps nothing from starting if it is only a fallback', async () => {
    const here = agent('here', 'sh', { fallback: ['gone'] })
    expect(await start([here, agent('gone', 'no-such-program')])).toMatchObject({ ok: true })
  })
})

it('names the commands that install an agent if none is configured or installed', async () => {
  const claude = createClaudeCodeProvider()
  const missing = { type: 'missing', install: 'npm install -g claude' } as const
  const providers = new AgentProviderRegistry(
    [
      {
        ...claude,
        availability: async () => missing,
        plan: async () => failure({ type: 'program-missing', program: 'claude', install: missing.install }),
      },
    ],
    'claude-code',
  )
  expect(await start([], providers)).toMatchObject({
    failure: { type: 'agent-absent', installs: ['npm install -g claude'] },
  })
})

/** Starts a job with Codex, which needs a log-in, in a daemon that has this `CODEX_HOME`. */
async function startCodex(codexHome: string, seen: unknown[] = []) {
  const providers = new AgentProviderRegistry(
    [
      {
        ...createCodexProvider(),
        availability: async () => ({ type: 'available', version: '1' }),
        plan: async () => success({ command: ['codex'], environment: {} }),
        readiness: async ({ environment }) => {
          seen.push(environment['CODEX_HOME'])
          return { type: 'unready', cause: 'login', reason: 'no log-in', remedy: 'log in' }
        },
      },
    ],
    'codex',
  )
  const settings = {
    ...trial.needs.settings,
    personHome: '/srv/people/ada',
    musterHome: '/srv/muster',
    credentialsOf: (names: readonly string[]) =>
      Object.fromEntries(names.filter((name) => name === 'CODEX_HOME').map((name) => [name, codexHome])),
  }
  trial.configuration = { ...trial.configuration, agents: [agent('codex', 'codex', { provider: 'codex' })] }
  const request = { repositoryPath: trial.repositoryPath, requestDocument: 'Grow', autoStart: true }
  return startJob({ ...trial.needs, providers, settings }, request)
}

it('asks a program in the home that the person named, as its sessions would', async () => {
  const seen: unknown[] = []
  expect(await startCodex('/srv/codex', seen)).toMatchObject({
    failure: { type: 'agent-unready', reason: 'no log-in' },
  })
  expect(new Set(seen)).toEqual(new Set(['/srv/codex']))
})

describe('a directory that the person named for a program', () => {
  it.each([
    ['/srv/people/ada/', 'names /srv/people/ada, which is your home directory'],
    ['/srv/people', 'names /srv/people, which contains your home directory'],
    ['/', 'names /, which contains your home directory'],
    ['/srv/muster', "names /srv/muster, which is Muster's home directory"],
  ])('keeps a job from starting if it is %s', async (path, reason) => {
    expect(await startCodex(path)).toMatchObject({
      failure: {
        type: 'agent-unready',
        agent: 'codex',
        reason: expect.stringContaining(`CODEX_HOME ${reason}`),
      },
    })
  })

  it('keeps a job from starting if it contains the repository, even behind a link', async () => {
    await using place = await temporaryDirectory('muster-link')
    const link = join(place.path, 'codex')
    await symlink(dirname(trial.repositoryPath), link)
    expect(await startCodex(link)).toMatchObject({
      failure: { type: 'agent-unready', reason: expect.stringContaining('which contains the repository') },
    })
  })
})
