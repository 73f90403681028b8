import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { isCredentialName } from '../../domain/redaction/is-credential-name.ts'
import type { EngineNeeds } from '../../engine/engine-needs.ts'
import type { ConfigurationSource } from '../../ports/configuration-source.ts'
import type { KnownSecrets } from './known-secrets.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Providers = EngineNeeds['providers']

/** What is secret from the start: the home's token, the way into the database, and credentials of providers. */
export function learnOwnSecrets(
  secrets: KnownSecrets,
  { token, environment, providers }: { token: string; environment: Environment; providers: Providers },
): void {
  secrets.learn('MUSTER_TOKEN', token)
  const url = environment['DATABASE_URL']
  secrets.learn('DATABASE_URL', url)
  if (url !== undefined && URL.canParse(url)) {
    secrets.learn('DATABASE_URL', decodeURIComponent(new URL(url).password))
  }
  for (const providerId of providers.list()) {
    for (const name of providers.get(providerId)?.credentials ?? []) secrets.learn(name, environment[name])
  }
}

/** A configuration from which every reading learns what is secret: marked variables, and credentials of agents. */
export function learnFromConfiguration(
  secrets: KnownSecrets,
  environment: Environment,
  source: ConfigurationSource,
): ConfigurationSource {
  return {
    async read(repositoryPath) {
      const configuration = await source.read(repositoryPath)
      if (!configuration.ok) return configuration
      const { secrets: marked, agents } = configuration.value
      for (const name of marked) secrets.learn(name, environment[name])
      learnFromAgents(secrets, agents, marked)
      return configuration
    },
  }
}

export function learnFromAgents(
  secrets: KnownSecrets,
  agents: readonly AgentSpec[],
  marked: readonly string[] = [],
): void {
  for (const [name, value] of agents.flatMap((agent) => Object.entries(agent.env))) {
    if (marked.includes(name) || isCredentialName(name)) secrets.learn(name, value)
  }
}

/** Programs that outlived the last daemon print the secrets they were started with: they are learnt before anything is read. */
export async function learnFromRows(
  { store, configuration, log }: Pick<EngineNeeds, 'store' | 'configuration' | 'log'>,
  secrets: KnownSecrets,
): Promise<void> {
  const [jobs, sessions] = await Promise.all([store.read.jobs.listOpen(), store.read.sessions.listLive()])
  const purposes = sessions.map((session) => session.purpose)
  const agents = purposes.flatMap((purpose) => ('agent' in purpose ? [purpose.agent] : []))
  learnFromAgents(secrets, [...jobs.flatMap((job) => job.plan.agents), ...agents])
  const paths = [...jobs, ...purposes].flatMap((owner) =>
    'repositoryPath' in owner ? [owner.repositoryPath] : [],
  )
  for (const path of new Set(paths)) {
    const read = await configuration.read(path)
    if (!read.ok)
      log.warn({ path, field: read.failure.field }, 'its configuration marks no secrets: it is invalid')
  }
}
