#!/usr/bin/env node
import type { Serve } from './cli/surroundings.ts'

const NEEDED = [22, 13] as const

/** Nothing else is imported before this: an older Node would fail on it with a riddle. */
function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
}

/** Halves the time that a command or the daemon takes to load. Without a place for the cache it just takes longer. */
async function cacheCompiledCode(): Promise<void> {
  const [{ existsSync, mkdirSync }, { enableCompileCache }, { homedir }, { join }] = await Promise.all([
    import('node:fs'),
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ])
  // Not in the shared temporary folder, which is Node's default: what lies there could be somebody else's code.
  const caches = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const cache = join(caches, 'muster')
  try {
    // One level at a time: asked for several, Node tries for ever where none can be made.
    for (const folder of [caches, cache]) if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  } catch {
    return
  }
  enableCompileCache(cache)
}

const serve: Serve = async (options) => {
  const daemon = await import('./daemon/serve.ts')
  return daemon.serve(options)
}

if (isOldNode(process.versions.node)) {
  process.stderr.write(
    `error: muster needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}; see https://nodejs.org\n`,
  )
  process.exitCode = 2
} else {
  await cacheCompiledCode()
  const { runProcess } = await import('./cli/run-process.ts')
  await runProcess(serve)
}
