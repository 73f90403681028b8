import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { take } from '../../../test/support/take.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { type TestRepository, testRepository } from '../../../test/support/test-repository.ts'
import { createClaudeCodeProvider } from '../../adapters/agents/claude-code/claude-code-provider.ts'
import { createCommandProvider } from '../../adapters/agents/command/command-provider.ts'
import { createYamlConfiguration } from '../../adapters/configuration/yaml/yaml-configuration.ts'
import { success } from '../../domain/result.ts'
import { AgentProviderRegistry } from '../providers/agent-provider-registry.ts'
import { createTrustCommands } from '../trust/trust-commands.ts'
import { listAgents } from './agents.ts'

const parts = new AsyncDisposableStack()
let trial: JobTrial
let place: string
let repository: TestRepository
beforeAll(async () => {
  trial = parts.use(await openJobTrial())
  place = parts.use(await temporaryDirectory('muster-agents')).path
  repository = parts.use(await testRepository())
  await mkdir(join(place, 'bin'))
  await program('theirs', `echo ran >> ${join(place, 'ran')}; echo 2.1.325`)
  await program('claude', `case "$1" in --version) echo 2.1.325;; *) echo '{"loggedIn":false}';; esac`)
  const theirs = { provider: 'claude-code', command: [join(place, 'bin', 'theirs')] }
  await repository.write({ 'muster.yaml': JSON.stringify({ agents: { theirs } }) })
})
afterAll(() => parts.disposeAsync())

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(place, 'bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(join(place, 'bin', name), 0o755)
}

async function needsWith(ownAgents: object): Promise<JobTrial['needs']> {
  const personFile = join(place, 'config.yaml')
  await writeFile(personFile, JSON.stringify({ agents: ownAgents }))
  const providers = new AgentProviderRegistry(
    [createCommandProvider(), createClaudeCodeProvider()],
    'claude-code',
  )
  const passedEnvironment = { PATH: `${join(place, 'bin')}:/usr/bin:/bin`, HOME: place }
  const settings = { ...trial.needs.settings, passedEnvironment, trustsAll: false }
  const configuration = createYamlConfiguration({ personFile, environment: {} })
  return { ...trial.needs, providers, settings, configuration }
}

const OWN = {
  here: { provider: 'command', command: ['sh'] },
  gone: { provider: 'command', command: ['no-such-program'] },
  second: { provider: 'claude-code', env: { CLAUDE_CONFIG_DIR: '/second' } },
}

const OWN_USABILITY = [
  ['here', { type: 'usable' }],
  ['gone', { type: 'unusable', cause: { type: 'program-missing', program: 'no-such-program' } }],
  ['second', { type: 'unusable', cause: { type: 'agent-unready', cause: 'login' } }],
]

async function usabilityIn(needs: JobTrial['needs']) {
  const host = { trySandbox: async () => success('bubblewrap' as const) }
  const listed = take(
    await listAgents({ ...needs, host }, { repositoryPath: repository.path, withUsability: true }),
  )
  return [...listed.usability]
}

it("checks the agents of the person's own file, but starts nothing of a file that isn't trusted", async () => {
  expect(await usabilityIn(await needsWith(OWN))).toMatchObject(OWN_USABILITY)
  await expect(readFile(join(place, 'ran'), 'utf8')).rejects.toThrow('ENOENT')
})

it('checks the agents of a trusted file too', async () => {
  const needs = await needsWith(OWN)
  const trust = createTrustCommands(needs)
  take(await trust.trust(repository.path, take(await trust.show(repository.path)).digest))
  expect(await usabilityIn(needs)).toMatchObject([['theirs', { type: 'usable' }], ...OWN_USABILITY])
})
