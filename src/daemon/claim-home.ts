import { failure, type Result, success } from '../domain/result.ts'
import type { DaemonFailure } from './daemon-failure.ts'
import { type Home, openHome } from './home.ts'
import { HomeClaim } from './home-claim.ts'
import { type HomeIdentity, openIdentity, usualPathOf } from './home-identity.ts'
import { readRegistration } from './registration.ts'

export type ClaimedHome = {
  readonly home: Home
  readonly claim: HomeClaim
  readonly identity: HomeIdentity
}

/** Makes this process the only daemon of a home, or returns who is. */
export async function claimHome(directory: string): Promise<Result<ClaimedHome, DaemonFailure>> {
  try {
    const path = await usualPathOf(directory)
    const home = await openHome(path)
    const claim = HomeClaim.take(home)
    if (claim === undefined) {
      const holder = await readRegistration(home.registration)
      return failure({
        type: 'home-taken',
        home: directory,
        ...(holder && { pid: holder.pid, url: holder.url }),
      })
    }
    const identity = await openIdentity(home)
    // A copied home loses some of its folders.
    return success({ home: await openHome(path), claim, identity })
  } catch (error) {
    return failure({
      type: 'home-unusable',
      home: directory,
      problem: error instanceof Error ? error.message : String(error),
    })
  }
}
