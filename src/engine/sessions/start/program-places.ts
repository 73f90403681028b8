import { dirname } from 'node:path'
import type { LaunchPlan } from '../../../ports/agent-provider.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { homesOf } from '../../providers/homes-of.ts'
import { programFolders } from './program-folders.ts'

type Needs = Pick<EngineNeeds, 'disk' | 'settings'>

/**
 * The files that a program needs and that the sandbox may otherwise hide. Files that its command names count;
 * directories don't, because that is where it works.
 */
export async function programPlaces(needs: Needs, plan: LaunchPlan): Promise<readonly string[]> {
  const named = plan.command.filter((word) => word.startsWith('/'))
  const real = await Promise.all(named.map((path) => needs.disk.realPath(path)))
  const files = await Promise.all(
    [...named, ...real].map((path) => needs.disk.isFile(path).then((is) => is && path)),
  )
  return [
    ...(plan.reads ?? []),
    ...files.filter((path) => path !== false).flatMap((path) => placesOf(needs, path)),
  ]
}

/**
 * A package is more than the file that starts it, and scripts often load files beside them. Never a whole home. The
 * file itself is always among them: a command may name a file that would otherwise be hidden for its name.
 */
function placesOf(needs: Needs, file: string): readonly string[] {
  const [before, ...rest] = file.split('/node_modules/')
  if (rest.length > 0 && before !== undefined) return [file, `${before}/node_modules`]
  const homes = homesOf(needs.settings)
  const directory = dirname(file)
  if (isTooMuch(directory, [...homes, needs.settings.musterHome])) return [file]
  return [
    file,
    ...programFolders(directory, homes.find((home) => directory.startsWith(`${home}/`)) ?? homes[0]),
  ]
}

/** A home, anything above it, and what all programs of a person share. */
function isTooMuch(place: string, homes: readonly string[]): boolean {
  return homes.some(
    (home) =>
      home === place || home.startsWith(`${place === '/' ? '' : place}/`) || place === `${home}/.local`,
  )
}
