import { isCredentialName } from '../../domain/redaction/secret.ts'
import type { EngineNeeds } from '../../engine/engine-needs.ts'
import { readTrusted } from '../../engine/trust/read-trusted.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { KnownSecrets } from './known-secrets.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Providers = EngineNeeds['providers']

/** What is secret from the start: the home's token, the database URL, and providers' credentials. */
export function learnOwnSecrets(
  secrets: KnownSecrets,
  {
    token,
    databaseUrl,
    environment,
    providers,
  }: { token: string; databaseUrl?: string; environment: Environment; providers: Providers },
): void {
  secrets.learn('MUSTER_TOKEN', token)
  // An application's DATABASE_URL isn't used, but it is as secret.
  const urls = { MUSTER_DATABASE_URL: databaseUrl, DATABASE_URL: environment['DATABASE_URL'] }
  for (const [name, url] of Object.entries(urls)) {
    secrets.learn(name, url)
    for (const password of passwordsIn(url ?? '')) secrets.learn(name, password)
  }
  for (const providerId of providers.list()) {
    for (const name of providers.get(providerId)?.credentials ?? [])
      learnCredential(secrets, name, environment[name])
  }
}

/** An address is no secret, and people need it to see where a call went. One with a password is. */
function learnCredential(secrets: KnownSecrets, name: string, value: string | undefined): void {
  const passwords = name.endsWith('_BASE_URL') ? passwordsIn(value ?? '') : []
  const isOpen = name.endsWith('_BASE_URL') && !/^[^:/]+:\/\/[^@/]*@/.test(value ?? '')
  if (isOpen && passwords.length === 0) return
  secrets.learn(name, value)
  for (const password of passwords) secrets.learn(name, password)
}

/**
 * Learns the variables that a configuration marks, and its agents' credentials. Only for a trusted configuration: a
 * repository could otherwise choose text that is redacted wherever it is shown, such as its own address for keys.
 */
export function learnFromConfiguration(
  secrets: KnownSecrets,
  environment: Environment,
  { secrets: marked, environments }: Configuration,
): void {
  for (const name of marked) secrets.learn(name, environment[name])
  for (const [name, value] of Object.values(environments).flatMap(Object.entries<string>)) {
    if (marked.includes(name) || isCredentialName(name)) secrets.learn(name, value)
  }
}

/**
 * Programs that outlived the last daemon print the secrets they were started with, so these are learned first. A file
 * that has changed since the person trusted it teaches nothing.
 */
export async function learnFromRows(
  needs: Pick<EngineNeeds, 'store' | 'configuration' | 'settings' | 'log'>,
): Promise<void> {
  const { jobs, sessions } = needs.store.read
  const [open, live] = await Promise.all([jobs.listOpen(), sessions.listLive()])
  const owners = [...open, ...live.map((session) => session.purpose)]
  const paths = owners.flatMap((owner) => ('repositoryPath' in owner ? [owner.repositoryPath] : []))
  for (const path of new Set(paths)) {
    const read = await readTrusted(needs, path)
    if (read.ok) continue
    const { type } = read.failure
    needs.log.warn(
      { path, failure: type },
      'its configuration is unusable, so the secrets it marks are unknown',
    )
  }
}

/** Not parsed as a URL: PostgreSQL accepts some that no browser would, such as one with a socket for its host. */
function passwordsIn(url: string): readonly string[] {
  const written = [/^[^:/]+:\/\/[^:@/]*:([^@/]*)@/.exec(url)?.[1], /[?&]password=([^&]*)/.exec(url)?.[1]]
  return written.flatMap((password) => {
    if (password === undefined || password === '') return []
    try {
      return [password, decodeURIComponent(password)]
    } catch {
      // A lone percent sign stands for itself.
      return [password]
    }
  })
}
