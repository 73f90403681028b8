import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { makeHome } from '../../home/make-home.ts'
import type { Surroundings } from '../surroundings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const LOW_MB = 2048
const EMPTY_MB = 512
const SOCKET_PATH_LIMIT = 80

/** Checks that the home exists, is writable, is closed to others and has space. */
export async function homeFindings(
  needs: Pick<Surroundings, 'isRoot'>,
  home: string,
): Promise<readonly Finding[]> {
  const usable = await homeFinding(needs, home)
  if (usable.level === 'fail') return [usable]
  return [usable, await tokenFinding(home), await diskFinding(home)]
}

async function homeFinding(needs: Pick<Surroundings, 'isRoot'>, home: string): Promise<Finding> {
  try {
    await makeHome(home, needs.isRoot)
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return fail('home', error.message, 'choose a directory that you can write to: muster --home DIR doctor')
  }
  if (needs.isRoot && home.startsWith('/root')) {
    return fail(
      'home',
      `${home} is in /root, which the database's user cannot enter`,
      'muster --home /var/lib/muster doctor',
    )
  }
  if (home.length > SOCKET_PATH_LIMIT) {
    return warn(
      'home',
      `${home} is a long path; socket paths in it may be too long`,
      'choose a shorter path with --home',
    )
  }
  const open = (await modeOf(home)) & (needs.isRoot ? 0o066 : 0o077)
  if (open !== 0)
    return warn('home', `${home} is open to others`, `chmod ${needs.isRoot ? '711' : '700'} ${home}`)
  return ok('home', home)
}

async function tokenFinding(home: string): Promise<Finding> {
  const path = join(home, 'token')
  const mode = await modeOf(path).catch(() => undefined)
  if (mode === undefined) return ok('token', 'none yet; the daemon creates one')
  if ((mode & 0o077) !== 0) return warn('token', `${path} can be read by others`, `chmod 600 ${path}`)
  return ok('token', 'readable only by you')
}

async function diskFinding(home: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(home)
  const freeMb = Math.floor((bavail * bsize) / 1_048_576)
  const detail = `${freeMb} MB free`
  if (freeMb < EMPTY_MB) return fail('disk', detail, `free some space on the disk of ${home}`)
  if (freeMb < LOW_MB) return warn('disk', detail, `free some space on the disk of ${home}`)
  return ok('disk', detail)
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode
}
