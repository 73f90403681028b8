import { failure, type Result, success } from '../domain/result.ts'
import { isRestoreUnfinished, unmarkPlace } from './backup/restore-mark.ts'
import type { DaemonFailure } from './daemon-failure.ts'
import { HomeClaim } from './home-claim.ts'
import { type Home, openHome } from './home-files.ts'
import { type HomeIdentity, openIdentity, usualPathOf } from './home-identity.ts'
import { readRegistration } from './registration.ts'

export type ClaimedHome = {
  readonly home: Home
  readonly claim: HomeClaim
  readonly identity: HomeIdentity
}

/** Makes this process the only daemon of a home, or returns who is. Creates nothing where a restore is unfinished. */
export async function claimHome(directory: string): Promise<Result<ClaimedHome, DaemonFailure>> {
  try {
    if (await isRestoreUnfinished(directory)) return failure({ type: 'restore-unfinished', home: directory })
    const locked = await lockHome(directory)
    if (!locked.ok) return locked
    const { home, claim } = locked.value
    // A restore may have moved the home meanwhile.
    if (await isRestoreUnfinished(directory)) {
      claim[Symbol.dispose]()
      return failure({ type: 'restore-unfinished', home: directory })
    }
    const identity = await openIdentity(home)
    await unmarkPlace(directory)
    // A copied home loses some of its folders.
    return success({ home: await openHome(home.directory), claim, identity })
  } catch (error) {
    return failure(unusable(directory, error))
  }
}

/** Claims a home that a restore was filling, to stop what the restore left. The home gets no identity. */
export async function claimUnfinishedHome(
  directory: string,
): Promise<Result<Omit<ClaimedHome, 'identity'>, DaemonFailure>> {
  return await lockHome(directory).catch((error: unknown) => failure(unusable(directory, error)))
}

async function lockHome(directory: string): Promise<Result<Omit<ClaimedHome, 'identity'>, DaemonFailure>> {
  const home = await openHome(await usualPathOf(directory))
  const claim = HomeClaim.take(home)
  if (claim !== undefined) return success({ home, claim })
  const holder = await readRegistration(home.registration)
  return failure({
    type: 'home-taken',
    home: directory,
    ...(holder && { pid: holder.pid, url: holder.url }),
  })
}

function unusable(home: string, error: unknown): DaemonFailure {
  return { type: 'home-unusable', home, problem: error instanceof Error ? error.message : String(error) }
}
