#!/usr/bin/env node
import type { OwnProcess } from './cli/surroundings.ts'

const NEEDED = [22, 13] as const

/** Runs before anything else is imported, because an older Node would fail with an obscure error. */
function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
}

/** Halves the time that a command or the daemon takes to load. Without a cache directory, loading just takes longer. */
async function cacheCompiledCode(): Promise<void> {
  const [{ existsSync, mkdirSync }, { enableCompileCache }, { homedir }, { join }] = await Promise.all([
    import('node:fs'),
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ])
  // Node's default is the shared temporary directory, where another user could have put code.
  const caches = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const cache = join(caches, 'muster')
  try {
    // One level at a time, because a recursive mkdir retries forever where no directory can be created.
    for (const folder of [caches, cache]) if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  } catch {
    return
  }
  enableCompileCache(cache)
}

/**
 * The absolute entries of a PATH. An empty or relative one means the current directory, so that the `git` of a cloned
 * repository would run in place of the person's.
 */
function absoluteEntries(searchPath: string): string {
  const entries = searchPath.split(':').filter((entry) => entry.startsWith('/'))
  // Without any entry, programs would be looked for in the current directory again.
  return entries.length === 0 ? '/usr/bin:/bin' : entries.join(':')
}

const own: OwnProcess = {
  serve: async (options) => (await import('./daemon/serve.ts')).serve(options),
  restore: async (options) => (await import('./daemon/restore.ts')).restore(options),
  stopLeftovers: async (home) => (await import('./daemon/stop-leftovers.ts')).stopLeftovers(home),
}

/** The Node that `npm ci` installs in a checkout, as a command that works in any directory. */
async function ownNode(): Promise<string> {
  const [{ existsSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')])
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(node)) return ''
  return `  try: alias muster='"${node}" "${fileURLToPath(import.meta.url)}"'\n`
}

if (isOldNode(process.versions.node)) {
  process.stderr.write(
    `error: muster needs Node ${NEEDED.join('.')} or newer, but this is ${process.versions.node}\n  see: https://nodejs.org\n${await ownNode()}`,
  )
  process.exitCode = 2
} else {
  process.env['PATH'] = absoluteEntries(process.env['PATH'] ?? '')
  await cacheCompiledCode()
  const { runProcess } = await import('./cli/run-process.ts')
  await runProcess(own)
}
