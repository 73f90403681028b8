import { basename, dirname } from 'node:path'
import type { LaunchPlan } from '../../../ports/agent-provider.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'disk' | 'settings'>

/**
 * What of the machine a program is made of: it may lie in a hidden place, or be a link to one. Files that its
 * command names count, directories do not: those are where it works.
 */
export async function programPlaces(needs: Needs, plan: LaunchPlan): Promise<readonly string[]> {
  const named = plan.command.filter((word) => word.startsWith('/'))
  const real = await Promise.all(named.map((path) => needs.disk.realPath(path)))
  const files = await Promise.all(
    [...named, ...real].map((path) => needs.disk.isFile(path).then((is) => is && path)),
  )
  return [
    ...(plan.reads ?? []),
    ...files.filter((path) => path !== false).map((path) => placeOf(needs, path)),
  ]
}

/** A package is more than the file that starts it, and a script is seldom alone; but nobody gets a whole home. */
function placeOf(needs: Needs, file: string): string {
  const [before, ...rest] = file.split('/node_modules/')
  if (rest.length > 0 && before !== undefined) return `${before}/node_modules`
  const directory = dirname(file)
  const prefix = basename(directory) === 'bin' ? dirname(directory) : directory
  const { personHome, musterHome } = needs.settings
  const places = [prefix, directory].filter((place) => !isTooMuch(place, [personHome, musterHome]))
  return places[0] ?? file
}

/** A home, anything above it, and what all programs of a person share. */
function isTooMuch(place: string, homes: readonly string[]): boolean {
  return homes.some(
    (home) =>
      home === place || home.startsWith(`${place === '/' ? '' : place}/`) || place === `${home}/.local`,
  )
}
