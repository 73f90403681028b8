import { expect, it } from 'vitest'
import { AgentProviderRegistry } from '../../engine/providers/agent-provider-registry.ts'
import { KnownSecrets } from './known-secrets.ts'
import { learnOwnSecrets } from './which-are-secret.ts'

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
