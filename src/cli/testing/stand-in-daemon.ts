import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A program that starts like a daemon: one per home, with a token, a registration and three routes. */
const STAND_IN_DAEMON = `
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, renameSync, appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
const home = process.argv[process.argv.indexOf('--home') + 1]
const mode = process.env.STAND_IN_MODE ?? 'sound'
appendFileSync(join(home, 'starts'), process.pid + '\\n')
const starts = readFileSync(join(home, 'starts'), 'utf8').trim().split('\\n').length
if (mode.startsWith('killed-until-') && starts < Number(mode.slice('killed-until-'.length))) process.kill(process.pid, 'SIGKILL')
if (mode === 'broken') {
  process.stderr.write('error: the database would not start\\n')
  process.exit(1)
}
try {
  closeSync(openSync(join(home, 'lock'), 'wx'))
} catch {
  process.exit(3)
}
const answer = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
const stop = () => { rmSync(join(home, 'lock'), { force: true }); process.exit(0) }
process.on('SIGTERM', stop)
const server = createServer((request, response) => {
  if (request.url === '/api/health') return answer(response, 200, { success: true, data: { status: 'ok', version: '9.9.9' } })
  if (mode === 'strict' || request.headers.authorization !== 'Bearer secret') {
    return answer(response, 401, { success: false, error: { type: 'unauthorized', message: 'no' } })
  }
  if (request.url === '/api/shutdown') {
    answer(response, 200, { success: true, data: { status: 'stopping' } })
    return setImmediate(stop)
  }
  answer(response, 200, { success: true, data: { status: 'ready' } })
})
server.listen(0, '127.0.0.1', () => {
  writeFileSync(join(home, 'token'), 'secret', { mode: 0o600 })
  const startTime = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[19]
  const url = 'http://127.0.0.1:' + server.address().port
  writeFileSync(join(home, 'daemon.tmp'), JSON.stringify({ url, pid: process.pid, startTime, version: '9.9.9' }))
  renameSync(join(home, 'daemon.tmp'), join(home, 'daemon.json'))
})
`

type Directory = AsyncDisposable & { readonly path: string }
type MakeDirectory = (prefix: string) => Promise<Directory>

/**
 * Runs stand-in daemons in a home of their own, and kills those that a test leaves behind. In mode `killed-until-3`, the
 * third daemon in the home is the first that isn't killed while it starts.
 */
export function createDaemonTrial(temporaryDirectory: MakeDirectory) {
  let directory: Directory
  beforeEach(async () => {
    directory = await temporaryDirectory('muster-cli')
    await writeFile(join(directory.path, 'stand-in.mjs'), STAND_IN_DAEMON)
  })
  afterEach(async () => {
    for (const pid of startedPids()) kill(pid)
    await directory[Symbol.asyncDispose]()
  })
  const home = () => join(directory.path, 'home')

  function startedPids(): readonly number[] {
    try {
      return readFileSync(join(home(), 'starts'), 'utf8').trim().split('\n').map(Number)
    } catch {
      // Nothing was started.
      return []
    }
  }

  return {
    path: () => directory.path,
    home,
    startedPids,
    needs(mode = 'sound') {
      const notes: string[] = []
      return {
        notes,
        isRoot: process.getuid?.() === 0,
        program: [process.execPath, join(directory.path, 'stand-in.mjs')] as const,
        environment: { PATH: process.env['PATH'], STAND_IN_MODE: mode },
        note: (line: string) => notes.push(line),
      }
    },
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
