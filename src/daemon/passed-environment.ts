import { delimiter } from 'node:path'
import { ENVIRONMENT_ALLOW_LIST } from '../domain/limits/environment-allow-list.ts'

const ALLOWED: ReadonlySet<string> = new Set(ENVIRONMENT_ALLOW_LIST)

/**
 * The variables programs may see: what they need to run, and no credentials. Tools of Muster's own, which npm
 * puts first when it starts it, are not among what agents and checks find.
 */
export function passedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { ownPackage, ownTools }: { readonly ownPackage: string; readonly ownTools?: string },
): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).filter(([name]) => ALLOWED.has(name) || name.startsWith('LC_'))
  const passed = Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const places = (passed['PATH'] ?? '').split(delimiter)
  const foreign = places.filter(
    (place) => !place.startsWith(`${ownPackage}node_modules`) && !place.includes('/@npmcli/run-script/'),
  )
  // Agents call `muster` by its name; theirs is the one that runs them.
  return { ...passed, PATH: [...(ownTools === undefined ? [] : [ownTools]), ...foreign].join(delimiter) }
}
