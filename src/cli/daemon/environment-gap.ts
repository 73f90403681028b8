import { stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { MusterClient, WireEnvironment } from '../../client/index.ts'
import { digestOfVariable } from '../../contract/environment.ts'
import { readToken } from '../../home/daemon-file.ts'
import type { CommandNeeds } from '../command-needs.ts'

/** What this command has, and the daemon was started without. */
export type EnvironmentGap = {
  /** Directories in the command's PATH that the daemon's doesn't have. */
  readonly directories: readonly string[]
  /** Credentials that the daemon doesn't have, or has with another value. */
  readonly variables: readonly GapVariable[]
}

export type GapVariable = {
  readonly name: string
  /** The providers whose programs get it. */
  readonly providers: readonly string[]
  /** Whether the daemon has it, with another value. */
  readonly isSet: boolean
}

type Environment = CommandNeeds['surroundings']['environment']

/** Compares this command's environment with the daemon's. Undefined for a daemon that someone else started. */
export async function findEnvironmentGap(
  { options, surroundings, home }: Pick<CommandNeeds, 'options' | 'surroundings' | 'home'>,
  client: MusterClient,
): Promise<EnvironmentGap | undefined> {
  if (options.server !== undefined) return undefined
  const [token, daemon] = await Promise.all([readToken(join(home, 'token')), client.environment()])
  // A daemon of an earlier version can't be asked.
  if (token === undefined || !daemon.ok) return undefined
  return compareEnvironments(surroundings.environment, token, daemon.value)
}

export async function compareEnvironments(
  own: Environment,
  token: string,
  { searchPath, variables }: WireEnvironment,
): Promise<EnvironmentGap> {
  const known = new Set(searchPath.map(withoutSlash))
  const places = (own['PATH'] ?? '').split(delimiter).map(withoutSlash)
  const missing = [...new Set(places)].filter((place) => !known.has(place) && isLasting(place))
  const exist = await Promise.all(missing.map(isDirectory))
  const compared = variables.map(async ({ name, providers, digest }): Promise<readonly GapVariable[]> => {
    const value = own[name]
    if (!value || (await digestOfVariable(token, name, value)) === digest) return []
    return [{ name, providers, isSet: digest !== undefined }]
  })
  return {
    directories: missing.filter((_, index) => exist[index]),
    variables: (await Promise.all(compared)).flat(),
  }
}

/** Explains a gap, and what a new daemon changes. */
export function gapWords(reasons: readonly string[]): string {
  return [
    'the daemon was started with a different environment:',
    ...reasons,
    'a new daemon will have the environment of this shell; running agents keep working',
  ].join('\n')
}

export function variableWords({ name, isSet }: GapVariable): string {
  return isSet ? `it has a different value for ${name}` : `it does not have ${name}`
}

/** npm adds directories of packages for a single command. */
function isLasting(place: string): boolean {
  return isAbsolute(place) && !`${place}/`.includes('/node_modules/')
}

function withoutSlash(place: string): string {
  return place.replace(/(?<=.)\/+$/, '')
}

async function isDirectory(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  return found?.isDirectory() === true
}
