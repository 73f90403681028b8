import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../daemon/make-directory.ts'
import type { Surroundings } from '../surroundings.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'

const LOW_MB = 2048
const EMPTY_MB = 512
const SOCKET_PATH_LIMIT = 80

/** The place where Muster keeps everything: there, ours, closed to others, with room in it. */
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
    await makeDirectory(home, needs.isRoot ? 0o711 : 0o700)
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return broken('home', error.message, 'choose a directory that you may write to: muster --home DIR doctor')
  }
  if (needs.isRoot && home.startsWith('/root')) {
    return broken(
      'home',
      `${home} is below /root, where the database's user cannot go`,
      'muster --home /var/lib/muster doctor',
    )
  }
  if (home.length > SOCKET_PATH_LIMIT) {
    return doubtful(
      'home',
      `${home} is a long path; sockets may not fit below it`,
      'choose a shorter one with --home',
    )
  }
  const open = (await modeOf(home)) & (needs.isRoot ? 0o066 : 0o077)
  if (open !== 0)
    return doubtful('home', `${home} is open to others`, `chmod ${needs.isRoot ? '711' : '700'} ${home}`)
  return fine('home', home)
}

async function tokenFinding(home: string): Promise<Finding> {
  const path = join(home, 'token')
  const mode = await modeOf(path).catch(() => undefined)
  if (mode === undefined) return fine('token', 'none yet; the daemon makes one')
  if ((mode & 0o077) !== 0) return doubtful('token', `${path} can be read by others`, `chmod 600 ${path}`)
  return fine('token', 'for your eyes only')
}

async function diskFinding(home: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(home)
  const freeMb = Math.floor((bavail * bsize) / 1_048_576)
  const detail = `${freeMb} MB free`
  if (freeMb < EMPTY_MB) return broken('disk', detail, `free some space on the disk of ${home}`)
  if (freeMb < LOW_MB) return doubtful('disk', detail, `free some space on the disk of ${home}`)
  return fine('disk', detail)
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode
}
