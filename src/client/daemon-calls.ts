import { agentListSchema } from '../contract/agent.ts'
import { healthSchema, readySchema, shutdownSchema, statusSchema } from '../contract/daemon-status.ts'
import { pageSchema } from '../contract/envelope.ts'
import { providerSchema } from '../contract/provider.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds } from './call-needs.ts'
import type { MusterClient } from './muster-client.ts'

type DaemonCalls = Pick<
  MusterClient,
  'listAgents' | 'listProviders' | 'health' | 'ready' | 'status' | 'shutdown'
>

/** Every program is started once to be asked. */
const PROVIDERS_TIMEOUT_MS = 90_000

export function daemonCalls(needs: CallNeeds): DaemonCalls {
  const method = 'GET'
  return {
    listAgents: (repositoryPath, { signal } = {}) =>
      callJson(needs, {
        method,
        path: '/api/agents',
        query: { repositoryPath },
        data: agentListSchema,
        signal,
      }),
    listProviders: ({ models, signal } = {}) =>
      callJson(needs, {
        method,
        path: '/api/providers',
        query: { models: models === true ? 'true' : undefined },
        data: pageSchema(providerSchema),
        timeoutMs: PROVIDERS_TIMEOUT_MS,
        signal,
      }),
    health: ({ signal } = {}) => callJson(needs, { method, path: '/api/health', data: healthSchema, signal }),
    ready: ({ signal } = {}) => callJson(needs, { method, path: '/api/ready', data: readySchema, signal }),
    status: ({ signal } = {}) => callJson(needs, { method, path: '/api/status', data: statusSchema, signal }),
    shutdown: ({ signal } = {}) =>
      callJson(needs, { method: 'POST', path: '/api/shutdown', data: shutdownSchema, signal }),
  }
}
