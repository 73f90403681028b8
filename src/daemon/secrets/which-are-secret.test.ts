import { expect, it } from 'vitest'
import { storeExampleJob } from '../../../test/support/example-records.ts'
import { openJobTrial } from '../../../test/support/job-trial.ts'
import { testRepository } from '../../../test/support/test-repository.ts'
import { createClaudeCodeProvider } from '../../adapters/agents/claude-code/claude-code-provider.ts'
import { createYamlConfiguration } from '../../adapters/configuration/yaml/yaml-configuration.ts'
import { AgentProviderRegistry } from '../../engine/providers/agent-provider-registry.ts'
import { createTrustCommands } from '../../engine/trust/trust-commands.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import { KnownSecrets } from './known-secrets.ts'
import { learnFromConfiguration, learnFromRows, learnOwnSecrets } from './which-are-secret.ts'

it.each([
  ['postgres://muster:plain-secret-1@127.0.0.1:5432/x', 'plain-secret-1'],
  ['postgres://muster:se%2Fcret-word@127.0.0.1/x', 'se/cret-word'],
  ['postgres://muster:100%x-secret@127.0.0.1/x', '100%x-secret'],
  ['postgres://bob:socket-secret@/x?host=/run/postgresql', 'socket-secret'],
  ['postgres://bob@/x?host=/run/postgresql&password=query-secret', 'query-secret'],
])('learns the password in %s', (url, password) => {
  const secrets = new KnownSecrets()
  const providers = new AgentProviderRegistry([], 'command')
  learnOwnSecrets(secrets, { token: 'token-of-the-home', environment: { DATABASE_URL: url }, providers })
  expect(secrets.redact(`the password is ${password}.`)).not.toContain(password)
})

it('takes the address of a model for a secret only if it contains credentials', () => {
  const redacted = (url: string) => {
    const secrets = new KnownSecrets()
    const providers = new AgentProviderRegistry([createClaudeCodeProvider()], 'claude-code')
    learnOwnSecrets(secrets, { token: 'token-of-home', environment: { ANTHROPIC_BASE_URL: url }, providers })
    return secrets.redact(`cannot reach ${url}`)
  }
  expect(redacted('http://127.0.0.1:8080/v1')).toBe('cannot reach http://127.0.0.1:8080/v1')
  expect(redacted('https://ada:pass-w0rd@proxy.example')).not.toContain('pass-w0rd')
  expect(redacted('https://a-token-12345@proxy.example')).not.toContain('a-token-12345')
})

it('learns the secrets of an open job from its configuration, but only once the person trusts the file', async () => {
  await using trial = await openJobTrial()
  await using repository = await testRepository({
    'muster.yaml':
      'agents: { a: { provider: command, command: [sh], env: { DEPLOY_TOKEN: ship-it-now } } }\n',
  })
  await storeExampleJob(trial.needs.store, { repositoryPath: repository.path })
  const secrets = new KnownSecrets()
  const needs = {
    ...trial.needs,
    configuration: createYamlConfiguration({ environment: {} }),
    settings: {
      ...trial.needs.settings,
      learnSecretsIn: (configuration: Configuration) => learnFromConfiguration(secrets, {}, configuration),
    },
  }
  await learnFromRows(needs)
  expect(secrets.redact('ship-it-now')).toBe('ship-it-now')
  const trust = createTrustCommands(needs)
  const shown = await trust.show(repository.path)
  await trust.trust(repository.path, shown.ok ? shown.value.digest : '')
  await learnFromRows(needs)
  expect(secrets.redact('ship-it-now')).not.toContain('ship-it-now')
})
