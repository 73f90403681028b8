import { realpathSync } from 'node:fs'
import { isAbsolute, normalize } from 'node:path'
import type { EngineSettings } from '../engine/engine-needs.ts'

/** Accounts of services often have one of these as their home. Programs can't run without them. */
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr']
/** These contain more than one person's files. */
const SHARED = ['/', '/home', '/opt', '/srv', '/tmp', '/var', '/var/lib', '/var/tmp']

/** The home directory that the system has for the person's account, if it is a home of its own other than HOME. */
export function accountHomeOf(
  personHome: string,
  account: string | undefined,
): Pick<EngineSettings, 'accountHome'> {
  if (account === undefined || !isAbsolute(account)) return {}
  const accountHome = normalize(account).replace(/(.)\/$/, '$1')
  const real = realPathOf(accountHome)
  if (real === undefined || real === realPathOf(personHome)) return {}
  const isHome = [accountHome, real].every(
    (path) => !SHARED.includes(path) && !SYSTEM.some((place) => `${path}/`.startsWith(`${place}/`)),
  )
  return isHome ? { accountHome } : {}
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // Without a directory, there is nothing to hide.
    return undefined
  }
}
